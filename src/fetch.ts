/** The subpath `/fetch` of the package: the service for Fetch requests, without Node modules and without hashes. */
import { answerAllLines } from './http/bulk.ts';
import { withDocuments } from './http/documents.ts';
import { fetchHandlerOf, type FetchHandler } from './http/fetch.ts';
import { serviceOf } from './http/service.ts';
import { portableOperations } from './portable-operations.ts';
import {
  checkSettings,
  serviceOptions,
  fetchSettings,
  type FetchSettings,
} from './command/service-settings.ts';

export type { FetchHandler } from './http/fetch.ts';
export { ConfigError, type FetchSettings } from './command/service-settings.ts';

/** Creates the service as a function from Request to Response, for browsers, workers and any other runtime. */
export function createFetchHandler(settings: FetchSettings = {}): FetchHandler {
  const checked = checkSettings(fetchSettings, settings);
  const options = withDocuments(serviceOptions(checked, portableOperations));
  return fetchHandlerOf(serviceOf({ ...options, bulk: answerAllLines }), checked.basePath);
}
