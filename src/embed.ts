/** The service put together, for the command and for programs, and the calculations for programs. */
import type { RequestListener, Server } from 'node:http';
import { type Config, configOf, type Settings, VERSION } from './config.ts';
import { parse } from './contract/schema.ts';
import { type HashRequest, hashRequest, type HashResult } from './hash/contract.ts';
import { hashText as hashOf } from './hash/hash.ts';
import { createFetchHandler as fetchHandlerOf, type FetchHandler } from './http/fetch.ts';
import { createHandler as handlerOf, type Lifecycle } from './http/handler.ts';
import { monitorLag } from './http/lag.ts';
import { createMetrics, exposition, type Samples } from './http/metrics.ts';
import { createObserver, type Observer } from './http/observer.ts';
import { openPage } from './http/page.ts';
import { createEndpoint } from './http/server.ts';
import { createService as serviceOf, type Service, type ServiceOptions } from './http/service.ts';
import { type InterestRequest, interestRequest, type InterestResult } from './interest/contract.ts';
import { calculateInterest as interestOf } from './interest/interest.ts';
import { createLog, type Log } from './log.ts';
import { operations } from './operations.ts';
import { type TaxRequest, taxRequest, type TaxResult } from './tax/contract.ts';
import { periodAt } from './tax/period.ts';
import { type TaxRules, taxRules as rulesOf, type TaxRulesRequest, taxRulesRequest } from './tax/rules.ts';
import { calculateTax as taxOf } from './tax/tax.ts';

/** What answers HTTP in one process. */
export interface Assembly {
  readonly service: Service;
  readonly lifecycle: Lifecycle;
  readonly observer: Observer;
  /** Ends what it keeps running. */
  readonly stop: () => void;
}

const ABOUT: ServiceOptions['about'] = {
  title: 'Utility Calculation Service',
  version: VERSION,
  description: 'Vietnamese salary tax with net and gross income, compound interest, and hashes of a text. Every '
    + 'request stands for itself: there is no account, no state and no authentication.',
};

function serviceOptions(config: Config): ServiceOptions {
  return {
    about: ABOUT,
    operations,
    bodyLimits: { fields: config.bodyLimit, text: config.hashBodyLimit },
    corsOrigins: config.corsOrigin,
    currentPeriod: () => config.taxPeriod ?? periodAt(Date.now()),
    isReady: () => true,
    isOverloaded: () => false,
  };
}

/** Puts together what answers HTTP; `gather` gets the samples of all processes, where there are several. */
export function assemble(
  config: Config,
  log: Log,
  gather = (own: () => Samples) => async (): Promise<readonly Samples[]> => [own()],
): Assembly {
  const lifecycle: Lifecycle = { draining: false };
  const load = monitorLag(config.maxLag);
  const metrics = config.metrics ? createMetrics() : undefined;
  const samples = gather(() => metrics?.samples(load.lag / 1000) ?? {});
  const service = serviceOf({
    ...serviceOptions(config),
    isReady: () => !lifecycle.draining,
    isOverloaded: () => load.isOverloaded,
    page: openPage(),
    ...(metrics && { metrics: async () => exposition(await samples()) }),
  });
  const { log: level, trustProxy: trusted } = config;
  const observer = createObserver({ log, level, metrics, paths: service.paths, trusted });
  return { service, lifecycle, observer, stop: load.stop };
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
  return createBareService(configOf(settings));
}

/** The same with settings that have been read already. */
export function createBareService(config: Config): Service {
  return serviceOf(serviceOptions(config));
}

/** The service as a handler of node:http requests, to be mounted where no body has been read yet. */
export function createHandler(settings: Settings = {}): (...request: Parameters<RequestListener>) => void {
  const { service, lifecycle, observer } = assembleAlone(configOf(settings));
  const handle = handlerOf(service, lifecycle, observer);
  return (request, response) => handle(request, response); // Express calls it with a third argument of its own
}

/** The service as an http.Server that has not been told to listen. */
export function createServer(settings: Settings = {}): Server {
  const config = configOf(settings);
  const { service, lifecycle, observer, stop } = assembleAlone(config);
  return createEndpoint(service, config, lifecycle, observer).server.on('close', stop);
}

function assembleAlone(config: Config): Assembly {
  return assemble(config, createLog(config.log === 'off', false));
}

/** The service as a function from Request to Response, for Bun, Deno and workers. */
export function createFetchHandler(settings: Settings = {}): FetchHandler {
  return fetchHandlerOf(createService(settings));
}
