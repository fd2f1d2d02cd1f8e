/** The subpath `/fetch` of the package: the service for Fetch requests, without Node modules and without hashes. */
import { checkSettings, serviceOptions } from '../command/service-settings.ts';
import { withDocuments } from '../extensions/documents/documents.ts';
import { fetchHandlerOf, type FetchHandler } from '../extensions/fetch/fetch.ts';
import { fetchSettings, type FetchSettings } from '../extensions/fetch/settings.ts';
import { portableOperations } from '../operations/portable.ts';
import { serviceOf } from '../service/service.ts';

export type { FetchHandler } from '../extensions/fetch/fetch.ts';

export { ConfigError } from '../command/service-settings.ts';
export type { FetchSettings } from '../extensions/fetch/settings.ts';

/** Creates the service as a function from Request to Response, for browsers, workers and any other runtime. */
export function createFetchHandler(settings: FetchSettings = {}): FetchHandler {
  const checked = checkSettings(fetchSettings, settings);
  const service = serviceOf(withDocuments(serviceOptions(checked, portableOperations)));
  return fetchHandlerOf(service, checked.basePath);
}
