/** What a program that embeds the calculations or the service imports. */
export { ConfigError, type Settings } from './config.ts';
export { Failure, FAILURES, type FailureCode, type Problem } from './contract/failure.ts';
export {
  calculateInterest, calculateTax, createFetchHandler, createHandler, createServer, createService, hashText, taxRules,
} from './embed.ts';
export type { HashRequest, HashResult } from './hash/contract.ts';
export type { FetchHandler } from './http/fetch.ts';
export type { Answer } from './http/answer.ts';
export type { RequestHead, Service } from './http/service.ts';
export type { InterestRequest, InterestResult } from './interest/contract.ts';
export * as law from './tax/law.ts';
export type { TaxRules, TaxRulesRequest } from './tax/rules.ts';
export type { TaxRequest, TaxResult } from './tax/contract.ts';
