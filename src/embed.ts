/** The service put together, for the command and for programs, and the calculations for programs. */
import type { Server } from 'node:http';
import { type Config, configOf, type Settings, VERSION } from './config.ts';
import { parse } from './contract/schema.ts';
import { type HashRequest, hashRequest, type HashResult } from './hash/contract.ts';
import { hashText as hashOf } from './hash/hash.ts';
import { createFetchHandler as fetchHandlerOf, type FetchHandler } from './http/fetch.ts';
import { type Assembly, createHandler as handlerOf, type Handler } from './http/handler.ts';
import { createMetrics, exposition, type Samples } from './http/metrics.ts';
import { Observer } from './http/observer.ts';
import { openPage } from './http/page.ts';
import { WorkQueue } from './http/queue.ts';
import { Budget } from './http/read-ahead.ts';
import { createEndpoint } from './http/server.ts';
import { createService as serviceOf, type Service, type ServiceOptions } from './http/service.ts';
import { type InterestRequest, interestRequest, type InterestResult } from './interest/contract.ts';
import { calculateInterest as interestOf } from './interest/interest.ts';
import { createLog, type Log } from './log.ts';
import { operations } from './operations.ts';
import { type TaxRequest, taxRequest, type TaxResult } from './tax/contract.ts';
import { type TaxRules, taxRules as rulesOf, type TaxRulesRequest, taxRulesRequest } from './tax/rules.ts';
import { calculateTax as taxOf, periodAt } from './tax/tax.ts';

const ABOUT: ServiceOptions['about'] = {
  title: 'Utility Calculation Service',
  version: VERSION,
  description: 'Vietnamese salary tax with net and gross income, compound interest, and hashes of a text. Every '
    + 'request stands for itself: there is no account, no state and no authentication.',
};

/** The bulk requests of a process may hold this many times BULK_BUFFER together. */
export const BULK_BUFFERS = 8;

/** What a service is made of, by the settings, without page and metrics; it is always ready. */
export function serviceOptions(config: Config): ServiceOptions {
  return {
    about: ABOUT,
    operations,
    bodyLimits: { fields: config.bodyLimit, text: config.hashBodyLimit },
    corsOrigins: config.corsOrigin,
    currentPeriod: () => config.taxPeriod ?? periodAt(Date.now()),
    isReady: () => true,
  };
}

/**
 * Puts together what answers HTTP; `gather` gets the samples of all processes, where there are several, and `stop` ends
 * what is kept running.
 */
export function assemble(
  config: Config,
  log: Log = createLog(config.log === 'off', false),
  gather = (own: () => Samples) => async (): Promise<readonly Samples[]> => [own()],
): Assembly & { readonly stop: () => void } {
  const metrics = config.metrics ? createMetrics() : undefined;
  const samples = gather(() => metrics?.samples() ?? {});
  const service = serviceOf({
    ...serviceOptions(config),
    isReady: () => !assembly.draining,
    page: openPage(),
    ...(metrics && { metrics: async () => exposition(await samples()) }),
  });
  const { log: level, trustProxy: trusted } = config;
  const observer = new Observer({ log, level, metrics, paths: service.paths, trusted });
  const queue = new WorkQueue(config.maxLag);
  const bulkBuffer = { limit: config.bulkBuffer, budget: new Budget(BULK_BUFFERS * config.bulkBuffer) };
  const assembly = { service, observer, queue, bulkBuffer, draining: false, stop: () => metrics?.stop() };
  return assembly;
}

type Given<Request, Required extends keyof Request> = Pick<Request, Required> & Partial<Request>;

/** What the tax operation answers to a request; without a `period`, by the law of the current month in Vietnam. */
export function calculateTax(request: Given<TaxRequest, 'income'>): TaxResult {
  const checked = parse(taxRequest, request);
  return taxOf(checked, checked.period ?? periodAt(Date.now()));
}

/** What the interest operation answers to a request. Throws `validation_failed`, as all three do. */
export function calculateInterest(
  request: Given<InterestRequest, 'principal' | 'annual_rate' | 'years'>,
): InterestResult {
  return interestOf(parse(interestRequest, request));
}

/** What the hash operation answers to a request. Throws also `digest_unavailable`. */
export function hashText(request: HashRequest): HashResult {
  return hashOf(parse(hashRequest, request));
}

/** The law tables; with a `period`, of each the one row in force in that month. */
export function taxRules(request: TaxRulesRequest = {}): TaxRules {
  return rulesOf(parse(taxRulesRequest, request));
}

/** The service as a pure function from request to answer, without page, log and metrics. */
export function createService(settings: Settings = {}): Service {
  return serviceOf(serviceOptions(configOf(settings)));
}

/** The service as a handler of node:http requests, to be mounted where no body has been read yet. */
export function createHandler(settings: Settings = {}): Handler {
  return handlerOf(assemble(configOf(settings)));
}

/** The service as an http.Server that has not been told to listen. */
export function createServer(settings: Settings = {}): Server {
  const config = configOf(settings);
  const assembly = assemble(config);
  return createEndpoint(assembly, config).server.on('close', assembly.stop);
}

/** The service as a function from Request to Response, for Bun, Deno and workers. */
export function createFetchHandler(settings: Settings = {}): FetchHandler {
  return fetchHandlerOf(createService(settings));
}
