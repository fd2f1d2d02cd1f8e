/** The subpath `/law` of the package: the law tables. */
export * from './extensions/rules/tables.ts';
export * from './tax/law.ts';
