/** The parts of the service in one process. */
import type { IncomingMessage } from 'node:http';
import { constants, gzipSync } from 'node:zlib';
import type { Log } from '../command/log.ts';
import { serviceOptions, VERSION } from '../command/service-settings.ts';
import type { Operation } from '../contract/operation.ts';
import type { Value } from '../contract/schema.ts';
import { Room } from '../extensions/bulk/room.ts';
import { bulkAnswerer } from '../extensions/bulk/bulk.ts';
import { documentFactory } from '../extensions/documents/document.ts';
import { withDocuments } from '../extensions/documents/documents.ts';
import { pageFiles, pageOf } from '../extensions/documents/page.ts';
import { requestLog } from '../extensions/log/request-log.ts';
import { trustedProxies } from '../extensions/log/proxies.ts';
import { mcpResource } from '../extensions/mcp/resource.ts';
import {
  exposition,
  Metrics,
  metricsResource,
  type Samples,
} from '../extensions/metrics/metrics.ts';
import { requestMetrics } from '../extensions/metrics/request-metrics.ts';
import { WorkQueue } from '../extensions/overload/queue.ts';
import type { App } from '../server/exchange.ts';
import { pathOf } from '../service/request.ts';
import { type Resource, type Service, serviceOf, type ServiceOptions } from '../service/service.ts';
import type { handlerSettings, ProgramSettings } from './settings.ts';
import { REVIEWED_THROUGH } from '../tax/law.ts';
import { endOf } from '../tax/period.ts';

/** All bulk requests of a process together may hold this many times BULK_BUFFER. */
export const BULK_BUFFERS_PER_PROCESS = 2;

/** An app, and the function that ends its timers. */
export type RunningApp = App & { readonly stop: () => void };

function samplesOf(metrics: Metrics, { used, size }: Room): Samples {
  return {
    ...metrics.samples(),
    bulk_memory_used_bytes: used,
    bulk_memory_limit_bytes: size,
    tax_law_reviewed_through_timestamp_seconds: endOf(REVIEWED_THROUGH) / 1000,
  };
}

/** The metrics of this process alone. */
function ownMetrics(samples: () => Samples): () => string {
  return () => exposition([samples()]);
}

/** Compresses a document as far as zlib can, because a process does so once per document. */
export function compress(content: string | Uint8Array): Uint8Array {
  return gzipSync(content, { level: constants.Z_BEST_COMPRESSION, memLevel: 9 });
}

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

/** The service with all its documents and, for a server, further resources. */
export function wholeService(
  settings: Value<typeof handlerSettings>,
  options: ServiceOptions,
  further: readonly Resource[] = [],
): Service {
  const document = documentFactory(compress);
  const resources = [
    ...further,
    ...(settings.mcp === 'on' ? [mcpResource(options)] : []),
    ...pageFiles(document),
  ];
  const page = pageOf(document, settings.taxPeriod);
  return serviceOf(withDocuments({ ...options, resources }, document, page));
}

/** Creates the app of a process. `metricsOf` returns the writer of its metrics, which may include other processes. */
export function createApp(
  settings: ProgramSettings,
  operations: readonly Operation[],
  log: Log,
  metricsOf = ownMetrics,
): RunningApp {
  const room = new Room(BULK_BUFFERS_PER_PROCESS * settings.bulkBuffer, settings.bulkBuffer);
  const metrics = settings.metrics === 'on' ? new Metrics(VERSION) : undefined;
  const options = { ...serviceOptions(settings, operations), isReady: () => !app.isDraining };
  const further = metrics ? [metricsResource(metricsOf(() => samplesOf(metrics, room)))] : [];
  const service = wholeService(settings, options, further);
  const routeOf = routesOf(service.paths);
  const trusted = trustedProxies(settings.trustProxy);
  const logged = requestLog({ log, logsRequests: settings.log === 'requests', routeOf, trusted });
  const counted = metrics === undefined ? [] : [requestMetrics(metrics, routeOf)];
  const scheduler = new WorkQueue(settings.maxLag);
  const app: RunningApp = {
    service,
    observers: [scheduler, logged, ...counted],
    scheduler,
    answerBulk: bulkAnswerer(room),
    isDraining: false,
    stop() {
      metrics?.stop();
      logged.stop();
    },
  };
  return app;
}
