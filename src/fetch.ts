/** The subpath `/fetch` of the package: the service for Fetch requests, without Node modules and without hashes. */
import { fetchHandlerOf, type FetchHandler } from './http/fetch.ts';
import { serviceOf } from './http/service.ts';
import { portableOperations, serviceOptions } from './portable.ts';
import { parseGiven, SERVICE_SETTINGS, type ServiceConfig, type ServiceSettings } from './settings.ts';

export type { FetchHandler } from './http/fetch.ts';
export { ConfigError, type ServiceSettings } from './settings.ts';

/** Creates the service as a function from Request to Response, for browsers, workers and any other runtime. */
export function createFetchHandler(settings: ServiceSettings = {}): FetchHandler {
  const config = parseGiven<ServiceConfig>(SERVICE_SETTINGS, settings);
  return fetchHandlerOf(serviceOf(serviceOptions(config, portableOperations)));
}
