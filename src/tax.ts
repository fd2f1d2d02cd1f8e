/** The subpath `/tax` of the package: the tax calculations and the law tables, without Node modules. */

export type { TaxRules } from './extensions/rules/contract.ts';

export { taxRules, type TaxRulesRequest } from './extensions/rules/rules.ts';
export * from './tax/index.ts';
