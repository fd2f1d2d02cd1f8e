import type { Service } from '../http/service.ts';
import type { Observer } from './observer.ts';
import type { WorkQueue } from './queue.ts';
import type { Budget } from './read-ahead.ts';

/** The parts of the service in one process. */
export interface App {
  readonly service: Service;
  readonly observer: Observer;
  readonly queue: WorkQueue;
  /** Bytes of one bulk request, and of all together, that may be read before their answers are taken. */
  readonly bulkBuffer: { readonly limit: number; readonly budget: Budget };
  /** Whether the process is shutting down: it is not ready, and its answers close the connection. Set by `drain`. */
  isDraining: boolean;
}
