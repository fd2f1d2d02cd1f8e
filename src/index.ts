/** What a program that embeds the calculations or the service imports. */
export { Failure, FAILURES, type FailureCode, type Problem } from './contract/failure.ts';
export { hashText } from './hash/hash.ts';
export type { HashRequest, HashResult } from './hash/contract.ts';
export type { Lifecycle } from './http/handler.ts';
export { createEndpoint, type Endpoint, type ServerLimits } from './http/server.ts';
export { createService, type Service, type ServiceOptions } from './http/service.ts';
export { calculateInterest } from './interest/interest.ts';
export type { InterestRequest, InterestResult } from './interest/contract.ts';
export { operations } from './operations.ts';
export { calculateTax } from './tax/tax.ts';
export type { TaxRequest, TaxResult } from './tax/contract.ts';
