/** The subpath `/fetch` of the package: the service for Fetch requests, without Node modules and without hashes. */
import {
  checkSettings,
  serviceOptions,
  fetchSettings,
  type FetchSettings,
} from './command/service-settings.ts';
import { answerAllLines } from './extensions/bulk/lines.ts';
import { withDocuments } from './extensions/documents/documents.ts';
import { fetchHandlerOf, type FetchHandler } from './extensions/fetch/fetch.ts';
import { portableOperations } from './portable-operations.ts';
import { serviceOf } from './service/service.ts';

export type { FetchHandler } from './extensions/fetch/fetch.ts';

export { ConfigError, type FetchSettings } from './command/service-settings.ts';

/** Creates the service as a function from Request to Response, for browsers, workers and any other runtime. */
export function createFetchHandler(settings: FetchSettings = {}): FetchHandler {
  const checked = checkSettings(fetchSettings, settings);
  const options = withDocuments(serviceOptions(checked, portableOperations));
  return fetchHandlerOf(serviceOf({ ...options, bulk: answerAllLines }), checked.basePath);
}
