import { parseArgs } from 'node:util';
import type { Problem } from './contract/failure.ts';
import { period } from './tax/contract.ts';

/** What the command has been told. Sizes are bytes, times milliseconds. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly bodyLimit: number;
  readonly hashBodyLimit: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly shutdownTimeout: number;
  readonly taxPeriod: string | undefined;
}

/** One setting: `bodyLimit` is BODY_LIMIT in the environment and --body-limit on the command line. */
interface Setting<T> {
  readonly about: string;
  /** What it takes, as the line about a bad value says it. */
  readonly takes: string;
  readonly fallback: string | undefined;
  /** The value that a text stands for; undefined if it stands for none. */
  readonly read: (text: string) => T | undefined;
}

/** Every setting there is. A flag goes before the environment, and that before the default. */
export const SETTINGS: { readonly [K in keyof Config]: Setting<NonNullable<Config[K]>> } = {
  host: {
    about: 'Address to listen on',
    takes: 'an address or host name',
    fallback: '127.0.0.1',
    read: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
  },
  port: whole('Port to listen on; 0 is any free one', 'a port', 0, 65_535, '8080'),
  bodyLimit: whole('Largest body of a tax or interest request', 'bytes', 64, 2 ** 30, '16384'),
  hashBodyLimit: whole('Largest body of a hash request', 'bytes', 64, 2 ** 28, '1048576'),
  requestTimeout: seconds('Time for a request to arrive whole', '30'),
  keepAliveTimeout: seconds('Time for the next request on a connection to begin', '75'),
  shutdownTimeout: seconds('Time from SIGTERM or SIGINT to the end', '10'),
  taxPeriod: {
    about: 'Salary month of a tax request that names none; without it, the current month in Vietnam',
    takes: 'a month as YYYY-MM, 2015-01 or later',
    fallback: undefined,
    read: (text) => {
      const problems: Problem[] = [];
      return period.read(text, '', problems);
    },
  },
};

/** A setting that cannot be, or an argument that is none; the message is one line for the operator. */
export class ConfigError extends Error {}

/** The settings of a command line (without node and script) and an environment. Throws ConfigError. */
export function readConfig(args: readonly string[], environment: Readonly<Record<string, string | undefined>>): Config {
  const flags = parseFlags(args);
  const read = ([key, setting]: [string, Setting<unknown>]): [string, unknown] => {
    const name = environmentName(key);
    const given = flags[flagName(key)] ?? environment[name];
    const text = given ?? setting.fallback;
    const value = text === undefined ? undefined : setting.read(text);
    if (given !== undefined && value === undefined) {
      throw new ConfigError(`${name}: expected ${setting.takes}, got ${JSON.stringify(given)}`);
    }
    return [key, value];
  };
  // The type of SETTINGS says that each of its values reads as the member of Config of the same name.
  return Object.freeze(Object.fromEntries(Object.entries(SETTINGS).map(read))) as unknown as Config;
}

/** BODY_LIMIT for bodyLimit. */
export function environmentName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** body-limit for bodyLimit. */
export function flagName(key: string): string {
  return environmentName(key).toLowerCase().replaceAll('_', '-');
}

function parseFlags(args: readonly string[]): Readonly<Record<string, string | undefined>> {
  const options = Object.fromEntries(Object.keys(SETTINGS).map((key) => [flagName(key), { type: 'string' as const }]));
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message.split('\n')[0] : String(error));
  }
}

function whole(about: string, noun: string, minimum: number, maximum: number, fallback: string): Setting<number> {
  return {
    about,
    takes: `${noun} from ${minimum} to ${maximum}`,
    fallback,
    read(text) {
      const value = Number(text);
      return /^\d+$/.test(text) && value >= minimum && value <= maximum ? value : undefined;
    },
  };
}

function seconds(about: string, fallback: string): Setting<number> {
  return {
    about,
    takes: 'seconds from 0.1 to 3600',
    fallback,
    read(text) {
      const value = Number(text);
      return /^\d+(?:\.\d+)?$/.test(text) && value >= 0.1 && value <= 3600 ? value * 1000 : undefined;
    },
  };
}
