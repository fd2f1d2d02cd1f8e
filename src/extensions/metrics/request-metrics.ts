import { FAILURES } from '../../contract/failure.ts';
import { type Observer } from '../../server/observer.ts';
import type { IncomingMessage } from 'node:http';
import type { Metrics } from './metrics.ts';

const OTHER = 'other';
/** Creates the observer that counts the requests of a service with these paths, and the connections. */
export function requestMetrics(
  metrics: Metrics,
  routeOf: (request?: IncomingMessage) => string | undefined,
): Observer {
  return {
    began(response) {
      metrics.inFlight += 1;
      response.on('close', () => {
        metrics.inFlight -= 1;
      });
    },
    answered(request, { status, startedAt, lines }) {
      const seconds = (performance.now() - startedAt) / 1000;
      const route = routeOf(request) ?? OTHER;
      if (lines === undefined) metrics.count(request.method ?? OTHER, route, status, seconds);
      else metrics.countBulk(route, seconds, lines.succeeded, lines.failed);
    },
    refused(_socket, { code }, request) {
      metrics.count(request?.method ?? OTHER, routeOf(request) ?? OTHER, FAILURES[code].status);
    },
    shed(kind) {
      if (kind === 'requests') metrics.overloadedAt = performance.now();
      if (kind === 'connections') metrics.closedConnections += 1;
    },
  };
}
