/** The paths of requests, for observers. */
import type { IncomingMessage } from 'node:http';
import { pathOf } from '../service/request.ts';

/** Returns the function that finds the path of a request among those of a service; undefined if it has another. */
export function routesOf(
  paths: readonly string[],
): (request?: IncomingMessage) => string | undefined {
  const routes = new Set(paths);
  return (request) => {
    const path = pathOf(request?.url ?? '');
    return path !== undefined && routes.has(path) ? path : undefined;
  };
}
