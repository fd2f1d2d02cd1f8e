/** The media type of JSON (RFC 8259). */
export const JSON_TYPE = 'application/json';

/** The media type of newline-delimited JSON: one JSON text per line. */
export const NDJSON_TYPE = 'application/x-ndjson';

/** The parameter of every text that the service sends. */
export const CHARSET = '; charset=utf-8';
