import type { TestContext } from 'node:test';
import { requestLog, type RequestLogOptions } from '../../src/extensions/log/request-log.ts';
import { Metrics } from '../../src/extensions/metrics/metrics.ts';
import { requestMetrics } from '../../src/extensions/metrics/request-metrics.ts';
import { operations } from '../../src/operations/operations.ts';
import type { Observer } from '../../src/server/observer.ts';
import { routesOf } from '../../src/composition/app.ts';
import { healthOperations } from '../../src/service/health.ts';
import { type Fixture, listen } from './fixture.ts';
import { turn, until } from './until.ts';

/** A line of the log, without its time. */
export type Line = Readonly<Record<string, unknown>>;

/** The options of the log, and the metrics if requests are counted. */
export interface RecordingOptions extends Partial<RequestLogOptions> {
  readonly metrics?: Metrics;
}

/** Observers that log and count, and the lines that they have logged so far. */
export interface Recording {
  readonly observers: readonly Observer[];
  readonly lines: Line[];
}

/**
 * Creates observers of all requests, whose timers and metrics end with the test. Calls `onRequest` with the line of each
 * request when it is logged.
 */
export function recording(
  context: TestContext,
  { metrics, ...options }: RecordingOptions = {},
  onRequest: (line: Line) => void = () => undefined,
): Recording {
  const lines: Line[] = [];
  const routeOf = routesOf([...operations, ...healthOperations].map(({ path }) => path));
  const logged = requestLog({
    log: {
      line: (level, msg, fields) => void lines.push({ level, msg, ...fields }),
      write(members) {
        const line = JSON.parse(`{${members()}}`) as Line;
        lines.push(line);
        if (line['msg'] === 'request') onRequest(line);
      },
      flush: () => Promise.resolve(true),
    },
    logsRequests: true,
    routeOf,
    trusted: undefined,
    ...options,
  });
  context.after(() => {
    logged.stop();
    metrics?.stop();
  });
  const counted = metrics === undefined ? [] : [requestMetrics(metrics, routeOf)];
  return { observers: [logged, ...counted], lines };
}

/** The reasons of the connections that the service has reset. */
export function resetsIn(lines: readonly Line[]): unknown[] {
  return lines.filter(({ msg }) => msg === 'reset').map(({ reason }) => reason);
}

/** A service with a log and metrics. */
export interface Recorded extends Fixture, Recording {
  readonly metrics: Metrics;
  /** The reasons of the connections that the service has reset so far. */
  readonly resets: () => unknown[];
  /** Waits until no request is in progress, and no connection is open. */
  readonly quiet: () => Promise<void>;
}

/** Starts a service, and records its requests. */
export async function listenRecorded(
  context: TestContext,
  changes: Parameters<typeof listen>[1] = {},
  parts: Parameters<typeof listen>[2] = {},
  options: RecordingOptions = {},
  onRequest?: (line: Line) => void,
): Promise<Recorded> {
  const metrics = new Metrics('1.0.0');
  const { observers, lines } = recording(context, { metrics, ...options }, onRequest);
  const fixture = await listen(context, changes, { observers, ...parts });
  const isQuiet = (): boolean => fixture.connections.size === 0 && metrics.inFlight === 0;
  return {
    ...fixture,
    observers,
    lines,
    metrics,
    resets: () => resetsIn(lines),
    quiet: () => until('no connection and no request', isQuiet, turn),
  };
}
