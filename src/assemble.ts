/** Wires the operations, the settings, the log and the metrics together. */
import { type Config, VERSION } from './config.ts';
import { createService, type ServiceOptions } from './http/service.ts';
import type { App } from './node/app.ts';
import { Observer } from './node/observer.ts';
import { openPage } from './node/page.ts';
import { WorkQueue } from './node/queue.ts';
import { Budget } from './node/read-ahead.ts';
import { operations } from './operations.ts';
import { createLog, type Log } from './process/log.ts';
import { exposition, Metrics, type Samples } from './process/metrics.ts';
import { periodAt } from './tax/tax.ts';

const ABOUT: ServiceOptions['about'] = {
  title: 'Utility Calculation Service',
  version: VERSION,
  description: 'Vietnamese salary tax with gross and net income, compound interest, and hashes of text. The service is '
    + 'stateless: it has no accounts and no authentication, and requests are independent of each other.',
};

/** All bulk requests of a process together may hold this many times BULK_BUFFER. */
export const BULK_BUFFERS = 8;

/** An app, and the function that ends its measurements. */
export type RunningApp = App & { readonly stop: () => void };

/** The options of a service that is always ready, without the page and the metrics. */
export function serviceOptions(config: Config): ServiceOptions {
  return {
    about: ABOUT,
    operations,
    bodyLimits: { 'small-body': config.bodyLimit, 'large-body': config.hashBodyLimit },
    corsOrigins: config.corsOrigin,
    currentPeriod: () => config.taxPeriod ?? periodAt(Date.now()),
    isReady: () => true,
  };
}

/** Creates the app of a process; `collect` turns the samples of this process into those of all processes. */
export function createApp(
  config: Config,
  log: Log = createLog(config.log === 'off', false),
  collect = (own: () => Samples) => async (): Promise<readonly Samples[]> => [own()],
): RunningApp {
  const metrics = config.metrics ? new Metrics(VERSION) : undefined;
  const samples = collect(() => metrics?.samples() ?? {});
  const service = createService({
    ...serviceOptions(config),
    isReady: () => !app.isDraining,
    page: openPage(),
    ...(metrics && { metrics: async () => exposition(await samples()) }),
  });
  const { log: level, trustProxy: trusted } = config;
  const app: RunningApp = {
    service,
    observer: new Observer({ log, level, metrics, paths: service.paths, trusted }),
    queue: new WorkQueue(config.maxLag),
    bulkBuffer: { limit: config.bulkBuffer, budget: new Budget(BULK_BUFFERS * config.bulkBuffer) },
    isDraining: false,
    stop: () => metrics?.stop(),
  };
  return app;
}
