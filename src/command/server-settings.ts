/** The settings of a server, and of its process. */
import { isIP } from 'node:net';
import {
  type Check,
  integer,
  number,
  object,
  refine,
  string,
  type Value,
  withDefault,
} from '../contract/schema.ts';
import type { ServerLimits } from '../server/limits.ts';

const seconds = (description: string, minimum: number): Check<number> =>
  number({ description: `${description}, in seconds`, minimum, maximum: 3_600 });

/** The name of a host (RFC 1123): labels of letters, digits and hyphens, the last of which is not a number. */
const HOST_NAME = /^(?:[a-z\d-]+\.)*(?!\d+$)[a-z\d-]+$/i;

/** The settings of the connections of a server. */
export const connectionSettings = object({
  requestTimeout: withDefault(seconds('Time for a complete request to arrive', 0.1), 30),
  maxConnections: withDefault(
    integer({
      description: 'Maximum connections per worker; a further connection closes a slow or idle one',
      minimum: 1,
      maximum: 1_000_000,
    }),
    10_000,
  ),
});

/** The settings of a process: the address at which it listens, and how it stops. */
export const processSettings = object({
  host: withDefault(
    refine(
      string({ description: 'Address to listen on; 0.0.0.0 or :: for all' }),
      'malformed',
      'an address or a host name',
      isListenHost,
    ),
    '127.0.0.1',
  ),
  port: withDefault(
    integer({
      description: 'Port to listen on; 0 for any free port',
      minimum: 0,
      maximum: 65_535,
    }),
    8080,
  ),
  drainDelay: withDefault(
    seconds('Time from the first 503 of /readyz until listening stops', 0),
    0,
  ),
  shutdownTimeout: withDefault(
    seconds('Maximum time to finish open requests after listening stops', 0.5),
    10,
  ),
});

/** The checked settings of the connections of a server. */
export type ConnectionSettings = Value<typeof connectionSettings>;
/** The checked settings of a process. */
export type ProcessSettings = Value<typeof processSettings>;

/** Converts seconds to whole milliseconds; a product of doubles like 16.1 × 1000 is not always whole. */
export function milliseconds(time: number): number {
  return Math.round(time * 1000);
}

/** The limits of connections, with times in milliseconds. */
export function serverLimits(settings: ConnectionSettings): ServerLimits {
  return {
    requestTimeout: milliseconds(settings.requestTimeout),
    maxConnections: settings.maxConnections,
  };
}

function isListenHost(text: string): boolean {
  return isIP(text) !== 0 || HOST_NAME.test(text);
}
