import type { TestContext } from 'node:test';
import { requestLog, type RequestLogOptions } from '../../src/extensions/log/request-log.ts';
import type { Metrics } from '../../src/extensions/metrics/metrics.ts';
import { requestMetrics } from '../../src/extensions/metrics/request-metrics.ts';
import { operations } from '../../src/operations.ts';
import { Observers, routesOf } from '../../src/observers.ts';
import { healthOperations } from '../../src/service/health.ts';

/** A line of the log, without its time. */
export type Line = Readonly<Record<string, unknown>>;

/** The options of the log, and the metrics if requests are counted. */
export interface RecordingOptions extends Partial<RequestLogOptions> {
  readonly metrics?: Metrics;
}

/** Observers that log and count, and the lines that they have logged so far. */
export interface Recording {
  readonly observers: Observers;
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
        onRequest(line);
      },
      flush: () => Promise.resolve(true),
    },
    verbosity: 'requests',
    routeOf,
    trusted: undefined,
    ...options,
  });
  context.after(() => {
    logged.stop();
    metrics?.stop();
  });
  const counted = metrics === undefined ? [] : [requestMetrics(metrics, routeOf)];
  return { observers: new Observers([logged, ...counted]), lines };
}

/** The reasons of the connections that the service has reset. */
export function resetsIn(lines: readonly Line[]): unknown[] {
  return lines.filter(({ msg }) => msg === 'reset').map(({ reason }) => reason);
}
