/**
 * The fixed limits of connections. Sizes are in bytes, times in milliseconds.
 *
 * They and the settings bound the memory that clients can make a process hold, and the work that delays other clients:
 *
 * | memory for | per connection | enforced by |
 * |---|---|---|
 * | a head that is arriving | HEADER_LIMIT | node:http |
 * | requests that wait | 64 KiB, and MAXIMUM_WAITING × (3 KiB and 16 KiB of body) | `connection.ts`, `body.ts` |
 * | the body of a request | BODY_LIMIT | `body.ts`, and `service/body.ts` |
 * | a bulk request | 64 KiB of its body, and 256 KiB and one line of its answer | the extension |
 * | an answer that is not read, for IDLE_TIMEOUT | one: 200 KiB, or 2.4 × BODY_LIMIT | `connection.ts` |
 *
 * In total: MAX_CONNECTIONS times these (`places.ts`). All bulk requests together have a further
 * BULK_BUFFERS_PER_PROCESS × BULK_BUFFER (`composition/app.ts`), and the log has 2 MiB (`extensions/log/`).
 *
 * | work | before other clients have their turn | enforced by |
 * |---|---|---|
 * | parsing | 2 MiB of a body, which libuv reads at once, or MAXIMUM_WAITING requests | `connection.ts` |
 * | answering | one request, and no more after 1 ms: a hash, or at most 80 times a tax request | a scheduler |
 * | bulk requests, all together | one line, and no more after 1 ms | the extension |
 */
import { BULK_LIMIT } from '../service/body.ts';

/** Request line and headers. */
export const HEADER_LIMIT = 16 * 1024;
/** Time for the headers of a request to arrive. */
export const HEADERS_TIMEOUT = 10_000;

/**
 * Time without traffic after which the kernel probes a client, so that a client that has vanished does not keep its
 * place. Load balancers forget a connection without traffic after 240 s or more, and a probe is traffic.
 */
export const PROBE_DELAY = 120_000;

/** Connections that are compared when one more than MAX_CONNECTIONS arrives: the slowest of them gives way. */
export const COMPARED_PLACES = 64;
/** The part of the connections, the latest ones, that never gives way. */
export const RESERVED_PART = 1 / 8;
/** Requests that wait on a connection for the answers before theirs. */
export const MAXIMUM_WAITING = 32;

/** Chunks of a body after which they must have at least SMALLEST_CHUNK bytes on average: parsing each takes 1 µs. */
export const FREE_CHUNKS = 1_000;
export const SMALLEST_CHUNK = 4;

/** Time after which an unread answer or a bulk request is reset; the kernel reports progress by megabytes. */
export const IDLE_TIMEOUT = 600_000;
/** A declared body up to this size is read and discarded after a refusal, so that the connection can be kept. */
export const DISCARDED_BODY = 64 * 1024;
/**
 * Time for which a connection is read after a refusal, because some clients send all before they read: from the last
 * byte of the body of a request that node:http still reads, or from the refusal of any other input.
 */
export const LINGER_TIME = 1_000;
/** Input that is read after a refusal, so that the client of a bulk request receives it. */
export const LINGER_SIZE = BULK_LIMIT;

/** The receive buffer of a client's kernel, at least. A larger answer may leave the process without being received. */
export const RECEIVE_BUFFER = 64 * 1024;
/** Time for requests already on their way when draining begins. */
export const DRAIN_GRACE = 300;
/** Time for the last answers to be sent before every connection is closed. */
export const CLOSE_TIMEOUT = 200;

/** The limits of connections that are settings; times in milliseconds. */
export interface ServerLimits {
  /** Time for a complete request to arrive. */
  readonly requestTimeout: number;
  /** Concurrent connections; for a further one, one of COMPARED_PLACES gives way. */
  readonly maxConnections: number;
}
