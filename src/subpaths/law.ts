/** The subpath `/law` of the package: the law tables. */
export * from '../rules/tables.ts';
export * from '../tax/law.ts';
