/** The part of the service that any JavaScript runtime can run. */
import type { Operation } from './contract/operation.ts';
import type { ServiceOptions } from './http/service.ts';
import { interestOperation } from './interest/interest.ts';
import { solveOperation } from './interest/solve.ts';
import { type ServiceConfig, VERSION } from './settings.ts';
import { annualOperation } from './tax/annual.ts';
import { taxRulesOperation } from './tax/rules.ts';
import { periodAt, taxOperation } from './tax/tax.ts';

/** The operations that need no Node module. */
export const portableOperations: readonly Operation[] = [
  taxOperation,
  annualOperation,
  taxRulesOperation,
  interestOperation,
  solveOperation,
];

const ABOUT: ServiceOptions['about'] = {
  title: 'Utility Calculation Service',
  version: VERSION,
  description: 'Calculations such as Vietnamese salary tax with gross and net income, and compound interest. The '
    + 'service is stateless: it has no accounts and no authentication, and requests are independent of each other.',
};

/** The options of a service that is always ready, without the page and the metrics. */
export function serviceOptions(config: ServiceConfig, operations: readonly Operation[]): ServiceOptions {
  return {
    about: ABOUT,
    operations,
    bodyLimits: { 'small-body': config.bodyLimit, 'large-body': config.hashBodyLimit },
    corsOrigins: config.corsOrigin,
    currentPeriod: () => config.taxPeriod ?? periodAt(Date.now()),
    isReady: () => true,
  };
}
