/** The fixed limits of connections; the README lists them. Sizes are in bytes, times in milliseconds. */

/** Request line and headers. */
export const HEADER_LIMIT: number = 16 * 1024;
/** Time for the headers of a request to arrive. */
export const HEADERS_TIMEOUT = 10_000;

/** Time without progress after which the connection of an unread answer or a bulk request is closed. */
export const IDLE_TIMEOUT = 60_000;
/** Time after which a client that sends lines of a bulk request, but reads no answers, is disconnected. */
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
