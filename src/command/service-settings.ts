/** The settings of the service on any runtime. */
import type { Problem } from '../contract/failure.ts';
import { type Operation, SMALL_BODY_LIMIT } from '../contract/operation.ts';
import {
  type Fields,
  type Input,
  integer,
  object,
  type ObjectCheck,
  optional,
  type Value,
  withDefault,
} from '../contract/schema.ts';
import type { ServiceOptions } from '../service/service.ts';
import { coveredMonth } from '../tax/contract.ts';
import { REVIEWED_THROUGH } from '../tax/law.ts';
import { periodAt } from '../tax/period.ts';
import { list } from './list.ts';

/** The version of the service, equal to that in package.json. */
export const VERSION = '1.0.0';

/** The answer to a hash request, with up to 7 / 3 characters per byte of its body, must fit into a string of V8. */
const GREATEST_BODY = 2 ** 27;
const isOrigin = (text: string): boolean =>
  !text.includes('*') && URL.canParse(text) && new URL(text).origin === text;

/** The settings of the core of the service, without a server. */
export const serviceSettings = object({
  bodyLimit: withDefault(
    integer({
      description:
        'Maximum body of a hash request, in bytes; '
        + `that of any other is ${SMALL_BODY_LIMIT / 1024} KiB`,
      minimum: SMALL_BODY_LIMIT,
      maximum: GREATEST_BODY,
    }),
    1_048_576,
  ),
  corsOrigin: withDefault(
    list(
      'Origins whose scripts may read the answers',
      '*, off, or origins like https://example.org, separated by commas',
      (text, isAlone) => isOrigin(text) || (isAlone && (text === '*' || text === 'off')),
    ),
    '*',
  ),
  taxPeriod: optional(
    coveredMonth(
      'Salary month of tax requests without a period; by default the current one in Vietnam',
    ),
  ),
});

/** The settings of the core of the service, such as `{ bodyLimit: 65_536, taxPeriod: '2026-08' }`. */
export type ServiceSettings = Input<typeof serviceSettings>;

/** Invalid settings or arguments, described for the operator: one line per problem. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** Checks settings and adds the defaults. Throws ConfigError with every problem. */
export function checkSettings<F extends Fields>(
  check: ObjectCheck<F>,
  settings: unknown,
  nameOf: (key: string) => string = String,
): Value<ObjectCheck<F>> {
  const problems: Problem[] = [];
  const checked = check.read(settings, '', problems);
  if (checked === undefined || problems.length > 0) {
    throw new ConfigError(
      problems.map(({ field, message }) => message.replace(field, nameOf)).join('\n'),
    );
  }
  return Object.freeze(checked);
}

/** The options of a service that is always ready, with these operations and no further resource. */
export function serviceOptions(
  settings: Value<typeof serviceSettings>,
  operations: readonly Operation[],
): ServiceOptions {
  const { bodyLimit, corsOrigin, taxPeriod } = settings;
  return {
    about: {
      title: 'Utility Calculation Service',
      version: VERSION,
      description:
        'Calculations such as Vietnamese salary tax with gross and net income, compound interest, '
        + 'and hashes of a text. The service is stateless: it has no accounts and no '
        + 'authentication, and requests are independent of each other.',
      reviewed_through: REVIEWED_THROUGH,
    },
    operations,
    bodyLimit,
    corsOrigins: corsOrigin === 'off' ? [] : corsOrigin.split(','),
    currentPeriod: () => taxPeriod ?? periodAt(),
    isReady: () => true,
    resources: [],
  };
}
