/** The library: the calculations as functions, and the service for programs that embed it. */
import type { RequestListener, Server } from 'node:http';
import { createApp, wholeService } from './composition/app.ts';
import { errorsToConsole, type LineReceiver, type Log, logTo, NO_LOG } from './command/log.ts';
import { serverLimits } from './command/server-settings.ts';
import {
  checkSettings,
  serviceOptions,
  serviceSettings,
  type ServiceSettings,
} from './command/service-settings.ts';
import { withDocuments } from './extensions/documents/documents.ts';
import { fetchHandlerOf, type FetchHandler } from './extensions/fetch/fetch.ts';
import { fetchSettings, type FetchSettings } from './extensions/fetch/settings.ts';
import { listenerOf } from './extensions/listener/listener.ts';
import { operations } from './operations/operations.ts';
import { GracefulServer } from './server/server.ts';
import { serviceOf, type Service } from './service/service.ts';
import {
  type HandlerSettings,
  handlerSettings,
  programSettings,
  type Settings,
} from './composition/settings.ts';

export type { LineReceiver } from './command/log.ts';
export { ConfigError, type ServiceSettings } from './command/service-settings.ts';
export type { FetchHandler } from './extensions/fetch/fetch.ts';
export type { FetchSettings } from './extensions/fetch/settings.ts';
export type { HashResult } from './hash/contract.ts';
export { type HashRequest, hashText } from './hash/hash.ts';
export * from './subpaths/interest.ts';
export * as law from './subpaths/law.ts';
export type { Answer, TextAnswer } from './service/answer.ts';
export { type Body, TOO_LARGE } from './service/body.ts';
export type { RequestHead } from './service/request.ts';
export type { PostRoute, RouteResult, Service } from './service/service.ts';
export type { HandlerSettings, Settings } from './composition/settings.ts';
export * from './subpaths/tax.ts';

/** Creates the service as a function from request to answer, without page, log and metrics. */
export function createService(settings: ServiceSettings = {}): Service {
  const checked = checkSettings(serviceSettings, settings);
  return serviceOf(withDocuments(serviceOptions(checked, operations)));
}

/**
 * Creates the service as a request listener of node:http, for the server of another program; mount it before any body
 * parser. `receive` receives the lines of the log, which are those of errors; without it, they go to console.error.
 */
export function createHandler(
  settings: HandlerSettings = {},
  receive: LineReceiver = (line) => console.error(line),
): RequestListener {
  const checked = checkSettings(handlerSettings, settings);
  return listenerOf(wholeService(checked, serviceOptions(checked, operations)), logTo(receive));
}

/**
 * Creates the service as an http.Server; the caller starts it with `listen`. `receive` receives the lines of the log;
 * without it, those of errors go to console.error, and no others are written.
 */
export function createServer(settings: Settings = {}, receive?: LineReceiver): Server {
  const checked = checkSettings(programSettings, settings);
  const app = createApp(checked, operations, logOf(checked.log, receive));
  return new GracefulServer(app, serverLimits(checked)).server.on('close', app.stop);
}

/** Creates the service as a function from Request to Response, for Bun, Deno and workers. */
export function createFetchHandler(settings: FetchSettings = {}): FetchHandler {
  const checked = checkSettings(fetchSettings, settings);
  const service = serviceOf(withDocuments(serviceOptions(checked, operations)));
  return fetchHandlerOf(service, checked.basePath);
}

function logOf(verbosity: Settings['log'], receive: LineReceiver | undefined): Log {
  if (verbosity === 'off') return NO_LOG;
  return receive === undefined ? errorsToConsole() : logTo(receive);
}
