/** The library: the calculations as functions, and the service for programs that embed it. */
import type { Server } from 'node:http';
import { createApp, serviceOptions } from './assemble.ts';
import { parseSettings, type Settings } from './config.ts';
import { createFetchHandler as createServiceFetchHandler, type FetchHandler } from './http/fetch.ts';
import { createService as createServiceFrom, type Service } from './http/service.ts';
import { createHandler as createAppHandler, type Handler } from './node/handler.ts';
import { GracefulServer } from './node/server.ts';

export { ConfigError, type Settings } from './config.ts';
export type { HashResult } from './hash/contract.ts';
export { type HashRequest, hashText } from './hash/hash.ts';
export type { Answer } from './http/answer.ts';
export type { Body } from './http/body.ts';
export type { FetchHandler } from './http/fetch.ts';
export type { RequestHead } from './http/request.ts';
export type { PostRoute, Routed, Service } from './http/service.ts';
export * from './interest/index.ts';
export type { Handler } from './node/handler.ts';
export * from './tax/index.ts';
export * as law from './tax/law.ts';

/** Creates the service as a function from request to answer, without page, log and metrics. */
export function createService(settings: Settings = {}): Service {
  return createServiceFrom(serviceOptions(parseSettings(settings)));
}

/** Creates the service as a request listener of node:http; mount it before any body parser. */
export function createHandler(settings: Settings = {}): Handler {
  return createAppHandler(createApp(parseSettings(settings)));
}

/** Creates the service as an http.Server; the caller starts it with `listen`. */
export function createServer(settings: Settings = {}): Server {
  const config = parseSettings(settings);
  const app = createApp(config);
  return new GracefulServer(app, config).server.on('close', app.stop);
}

/** Creates the service as a function from Request to Response, for Bun, Deno and workers. */
export function createFetchHandler(settings: Settings = {}): FetchHandler {
  return createServiceFetchHandler(createService(settings));
}
