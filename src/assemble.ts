/** Wires the operations, the settings, the log and the metrics together. */
import type { Config } from './config.ts';
import { serviceOf } from './http/service.ts';
import type { App } from './node/app.ts';
import { entityTag } from './node/entity-tag.ts';
import { Observer } from './node/observer.ts';
import { openPage } from './node/page.ts';
import { WorkQueue } from './node/queue.ts';
import { Budget } from './node/read-ahead.ts';
import { operations } from './operations.ts';
import { serviceOptions } from './portable.ts';
import type { Log } from './process/log.ts';
import { exposition, Metrics, type Samples } from './process/metrics.ts';
import { VERSION } from './settings.ts';

/** All bulk requests of a process together may hold this many times BULK_BUFFER. */
export const BULK_BUFFERS = 8;

/** An app, and the function that ends its timers. */
export type RunningApp = App & { readonly stop: () => void };

/** Creates the app of a process; `collect` turns the samples of this process into those of all processes. */
export function createApp(
  config: Config,
  log: Log,
  collect = (own: () => Samples) => async (): Promise<readonly Samples[]> => [own()],
): RunningApp {
  const metrics = config.metrics ? new Metrics(VERSION) : undefined;
  const samples = collect(() => metrics?.samples() ?? {});
  const service = serviceOf({
    ...serviceOptions(config, operations),
    isReady: () => !app.isDraining,
    page: openPage(),
    entityTag,
    ...(metrics && { metrics: async () => exposition(await samples()) }),
  });
  const { log: verbosity, trustProxy: trusted } = config;
  const app: RunningApp = {
    service,
    observer: new Observer({ log, verbosity, metrics, paths: service.paths, trusted }),
    queue: new WorkQueue(config.maxLag),
    bulkBuffer: { limit: config.bulkBuffer, budget: new Budget(BULK_BUFFERS * config.bulkBuffer) },
    isDraining: false,
    stop() {
      metrics?.stop();
      app.observer.stop();
    },
  };
  return app;
}
