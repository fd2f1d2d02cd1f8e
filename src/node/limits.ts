/** The fixed limits of connections; the README lists them. Sizes are in bytes, times in milliseconds. */

/** Request line and headers. */
export const HEADER_LIMIT: number = 16 * 1024;
/** Time for the headers of a request to arrive. */
export const HEADERS_TIMEOUT = 10_000;

/** Time without progress after which an answer that is not read, or a bulk request, is given up. */
export const IDLE_TIMEOUT = 60_000;
/** Time after which a client is given up that sends requests, but reads none of the answers. */
export const STALL_TIMEOUT = 10_000;

/** A declared body up to this size is read and discarded after a refusal, so that the connection can be kept. */
export const DISCARDED_BODY: number = 64 * 1024;
/** Time for which input is read after a refusal: some clients send everything before they read. */
export const LINGER_TIME = 1_000;
/** Input that is read after a refusal. */
export const LINGER_SIZE: number = 1024 * 1024;

/** Time for requests already on their way when draining begins. */
export const DRAIN_GRACE = 300;
/** Time for the last answers to be sent before every connection is closed. */
export const CLOSE_TIMEOUT = 200;
