import type { Service } from '../http/service.ts';
import type { Observer } from './observer.ts';
import type { WorkQueue } from './queue.ts';
import type { Budget } from './read-ahead.ts';

/** The parts of the service in one process. */
export interface App {
  readonly service: Service;
  readonly observer: Observer;
  readonly queue: WorkQueue;
  /** Bytes that may be read ahead of the answers: per bulk request, and by all bulk requests together. */
  readonly bulkBuffer: { readonly limit: number; readonly budget: Budget };
  /** Whether the process is shutting down: it is not ready, and its answers close the connection. Set by `drain`. */
  isDraining: boolean;
}
