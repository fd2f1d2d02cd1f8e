/** The settings of a process that serves HTTP: those of an embedding program, and those of the command. */
import { BlockList, isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import {
  addProblem,
  type Check,
  choice,
  type Input,
  integer,
  number,
  object,
  optional,
  refine,
  string,
  type Value,
  withDefault,
} from '../contract/schema.ts';
import { LOG_VERBOSITIES } from '../process/log.ts';
import { list } from './list.ts';
import { serviceSettings } from './service-settings.ts';

const seconds = (description: string, minimum: number): Check<number> =>
  number({ description: `${description}, in seconds`, minimum, maximum: 3_600 });

/** The settings of a program that embeds the service. */
export const programSettings = object({
  ...serviceSettings.fields,
  bulkBuffer: withDefault(
    integer({
      description: 'Maximum part of a bulk request that is read ahead of its answers, in bytes',
      minimum: 65_536,
      maximum: 2 ** 30,
    }),
    33_554_432,
  ),
  requestTimeout: withDefault(seconds('Time for a complete request to arrive', 0.1), 30),
  keepAliveTimeout: withDefault(
    seconds('Maximum idle time of a connection, which should exceed that of a proxy', 0.1),
    75,
  ),
  maxConnections: withDefault(
    integer({
      description: 'Maximum connections per worker; for one more, the longest idle one is closed',
      minimum: 1,
      maximum: 1_000_000,
    }),
    10_000,
  ),
  maxLag: withDefault(
    integer({
      description:
        'Maximum time that a request waits for the processor before it gets 503, in milliseconds',
      minimum: 10,
      maximum: 60_000,
    }),
    500,
  ),
  log: withDefault(
    choice(LOG_VERBOSITIES, 'Log lines: none, process events and errors, or also one per request'),
    'errors',
  ),
  metrics: withDefault(choice(['on', 'off'], 'Whether /metrics exists'), 'off'),
  trustProxy: optional(
    list(
      'Trusted proxies, whose X-Forwarded-For is logged; none if absent',
      'addresses and networks like 10.0.0.0/8, separated by commas',
      (text) => addNetwork(new BlockList(), text),
    ),
  ),
});

/** The settings of a program that embeds the service, such as `{ log: 'requests', requestTimeout: 5 }`. */
export type Settings = Input<typeof programSettings>;
/** The checked settings of a program, with the defaults. */
export type ProgramSettings = Value<typeof programSettings>;

const count = integer({
  description: 'Worker processes that share the port; max for one per CPU core',
  minimum: 1,
  maximum: 256,
});
const workers: Check<number | 'max'> = {
  schema: { ...count.schema, type: ['integer', 'string'] },
  read(value, field, problems) {
    const read = value === 'max' ? value : count.read(value, field, []);
    if (read !== undefined) return read;
    const expected = 'a whole number from 1 up to 256, or max';
    return addProblem(problems, field, 'out_of_range', expected, value);
  },
};

/** The settings of the command; an embedding program controls the first five itself. */
export const commandSettings = object({
  host: withDefault(
    refine(
      string({ description: 'Address to listen on; 0.0.0.0 or :: for all' }),
      'malformed',
      'an address or a host name',
      isHost,
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
  workers: withDefault(workers, 1),
  drainDelay: withDefault(
    seconds('Time from the first 503 of /readyz until listening stops', 0),
    0,
  ),
  shutdownTimeout: withDefault(
    seconds('Maximum time to finish open requests after listening stops', 0.5),
    10,
  ),
  ...programSettings.fields,
});

/** The checked settings of the command, with the defaults. */
export type CommandSettings = Value<typeof commandSettings>;

/** The limits of connections that are settings; times in milliseconds. */
export interface ServerLimits {
  /** Time for a complete request to arrive. */
  readonly requestTimeout: number;
  /** Time for the next request on a connection to begin. */
  readonly keepAliveTimeout: number;
  /** Concurrent connections; for a further one, the one that has been idle longest is closed. */
  readonly maxConnections: number;
}

/** A time in milliseconds; a product of doubles like 16.1 × 1000 is not always whole. */
export function milliseconds(time: number): number {
  return Math.round(time * 1000);
}

/** The limits of connections, with times in milliseconds. */
export function serverLimits(settings: ProgramSettings): ServerLimits {
  return {
    requestTimeout: milliseconds(settings.requestTimeout),
    keepAliveTimeout: milliseconds(settings.keepAliveTimeout),
    maxConnections: settings.maxConnections,
  };
}

/** The number of worker processes. */
export function workerCount({ workers: given }: CommandSettings): number {
  return given === 'max' ? availableParallelism() : given;
}

/** The proxies to trust, if any. */
export function trustedProxies({ trustProxy }: ProgramSettings): BlockList | undefined {
  if (trustProxy === undefined) return undefined;
  const proxies = new BlockList();
  for (const network of trustProxy.split(',')) addNetwork(proxies, network);
  return proxies;
}

/** Adds an address or a network. Returns false if the text is neither. */
function addNetwork(proxies: BlockList, text: string): boolean {
  const [address = '', length, ...others] = text.split('/');
  const version = isIP(address);
  if (version === 0 || others.length > 0) return false;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (length === undefined) {
    proxies.addAddress(address, family);
    return true;
  }
  const isPrefix = /^\d{1,3}$/.test(length) && Number(length) <= (version === 6 ? 128 : 32);
  if (isPrefix) proxies.addSubnet(address, Number(length), family);
  return isPrefix;
}

/** Whether a text is an address, or may be the name of a host; a text of digits and dots alone is no name. */
function isHost(text: string): boolean {
  if (isIP(text) !== 0) return true;
  return /^[\w.:%-]+$/.test(text) && !/^[\d.]+$/.test(text);
}
