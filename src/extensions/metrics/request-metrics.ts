/** The observer that counts requests. */
import type { IncomingMessage } from 'node:http';
import { FAILURES } from '../../contract/failure.ts';
import type { Observer } from '../../server/observer.ts';
import type { Metrics } from './metrics.ts';

/** The name under which all unknown paths and methods are counted, because a client can invent any number. */
const OTHER = 'other';

/** Creates the observer that counts the requests of a service, whose paths `routeOf` finds, and connections. */
export function requestMetrics(
  metrics: Metrics,
  routeOf: (request?: IncomingMessage) => string | undefined,
): Observer {
  return {
    began(response) {
      response.on('close', () => {
        metrics.inFlight -= 1;
      });
      metrics.inFlight += 1;
    },
    answered(request, { status, startedAt, lines, facts }) {
      const seconds = (performance.now() - startedAt) / 1000;
      const route = routeOf(request) ?? OTHER;
      if (lines === undefined) metrics.count(request.method ?? OTHER, route, status, seconds);
      else metrics.countBulk(route, seconds, lines.succeeded, lines.failed);
      if (facts?.['tool'] !== undefined) metrics.countCall(facts);
    },
    refused(_socket, { code }, request) {
      metrics.count(request?.method ?? OTHER, routeOf(request) ?? OTHER, FAILURES[code].status);
    },
    overloaded(kind) {
      if (kind === 'connections') metrics.closedConnections += 1;
    },
  };
}
