import { BlockList, isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { LOG_LEVELS, type LogLevel } from './log.ts';
import { period } from './tax/contract.ts';

/** The version of the service, which is that of package.json. */
export const VERSION = '1.0.0';

/** What the command has been told. Sizes are bytes, times milliseconds. */
export interface Config {
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly bodyLimit: number;
  readonly hashBodyLimit: number;
  readonly bulkBuffer: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly drainDelay: number;
  readonly shutdownTimeout: number;
  readonly maxConnections: number;
  readonly maxLag: number;
  readonly corsOrigin: readonly string[];
  readonly log: LogLevel;
  readonly metrics: boolean;
  readonly trustProxy: BlockList | undefined;
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
    about: 'Address to listen on; 0.0.0.0 or :: for all',
    takes: 'an address or host name',
    fallback: '127.0.0.1',
    read: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
  },
  port: whole('Port to listen on; 0 is any free one', 'a port', 0, 65_535, '8080'),
  workers: {
    about: 'Processes that share the port; max is one a core',
    takes: 'a number from 1 to 256, or max',
    fallback: '1',
    read: (text) => (text === 'max' ? availableParallelism() : wholeIn(text, 1, 256)),
  },
  bodyLimit: whole('Largest body of a tax or interest request', 'bytes', 64, 2 ** 28, '16384'),
  hashBodyLimit: whole('Largest body of a hash request', 'bytes', 64, 2 ** 28, '1048576'),
  bulkBuffer: whole('Part of a bulk request that may be read before its answers are', 'bytes', 65_536, 2 ** 30,
    '33554432'),
  requestTimeout: seconds('Time for a request to arrive whole', 0.1, '30'),
  keepAliveTimeout: seconds('Time for the next request on a connection; longer than a proxy waits', 0.1, '75'),
  drainDelay: seconds('Time between /readyz turning 503 and the end of listening', 0, '0'),
  shutdownTimeout: seconds('Time from the end of listening to that of the process', 0.5, '10'),
  maxConnections: whole('Connections of a worker; more are closed at once', 'a number', 1, 1_000_000, '10000'),
  maxLag: whole('Longest wait of a request for the processor; after it, 503', 'milliseconds', 10, 60_000, '500'),
  corsOrigin: {
    about: 'Origins whose scripts may read answers',
    takes: '*, off, or origins like https://example.org, separated by commas',
    fallback: '*',
    read(text) {
      if (text === '*' || text === 'off') return text === '*' ? ['*'] : [];
      const origins = text.split(',');
      return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined;
    },
  },
  log: oneOf('What is logged: no line, those about the process, or one for each request too', LOG_LEVELS, 'errors'),
  metrics: {
    ...oneOf('Whether /metrics is there', ['on', 'off'], 'off'),
    read: (text) => (text === 'on' || text === 'off' ? text === 'on' : undefined),
  },
  trustProxy: {
    about: 'Proxies whose X-Forwarded-For the log believes; without it, none',
    takes: 'addresses and networks like 10.0.0.0/8, separated by commas',
    fallback: undefined,
    read: (text) => networks(text.split(',')),
  },
  taxPeriod: {
    about: 'Salary month of a tax request that names none; without it, the current month in Vietnam',
    takes: 'a month as YYYY-MM, 2015-01 or later',
    fallback: undefined,
    read: (text) => period.read(text, '', []),
  },
};

/** A setting that cannot be, or an argument that is none; the message is one line for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** A command line, read: the words that are no flags, the settings, and whether help or the version is wanted. */
export interface Command {
  readonly words: readonly string[];
  readonly config: Config;
  readonly wants: 'help' | 'version' | undefined;
}

/** Reads a command line (without node and script) and an environment. Throws ConfigError. */
export function readCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  const { values, positionals } = parseFlags(args);
  const wants = values['help'] ? 'help' : values['version'] ? 'version' : undefined;
  // An empty variable is unset: that is how compose files pass one on that is not set. Help needs no setting at all.
  const given = (key: string): unknown => values[flagName(key)] ?? (environment[environmentName(key)] || undefined);
  return { words: positionals, config: readSettings(wants ? () => undefined : given, environmentName), wants };
}

const OF_THE_COMMAND = ['host', 'port', 'workers', 'drainDelay', 'shutdownTimeout'] as const;

/** Settings by their names in `Config`, with values as the environment would have them. */
export type Settings = {
  readonly [K in Exclude<keyof Config, (typeof OF_THE_COMMAND)[number]>]?: string | number | undefined;
};

/** The settings of a program; one that is not given has its default. Throws ConfigError. */
export function configOf(settings: Settings): Config {
  const known = Object.keys(SETTINGS).filter((key) => !OF_THE_COMMAND.some((other) => other === key));
  for (const key of Object.keys(settings)) {
    if (!known.includes(key)) throw new ConfigError(`expected settings among ${known.join(', ')}, got ${key}`);
  }
  return readSettings((key) => settings[key as keyof Settings], (key) => key);
}

/** Reads every setting from what is given for its key; `nameOf` is how a message calls it. */
function readSettings(given: (key: string) => unknown, nameOf: (key: string) => string): Config {
  const read = ([key, setting]: [string, Setting<unknown>]): [string, unknown] => {
    const value = given(key);
    if (value === undefined) return [key, setting.fallback === undefined ? undefined : setting.read(setting.fallback)];
    const known = typeof value === 'string' || typeof value === 'number' ? setting.read(String(value)) : undefined;
    if (known !== undefined) return [key, known];
    throw new ConfigError(`${nameOf(key)}: expected ${setting.takes}, got ${JSON.stringify(value)}`);
  };
  // The type of SETTINGS says that each of its values reads as the member of Config of the same name.
  return Object.freeze(Object.fromEntries(Object.entries(SETTINGS).map(read))) as unknown as Config;
}

/** What --help says. */
export function helpText(): string {
  const settings = Object.entries(SETTINGS).map(([key, { about, takes, fallback }]) =>
    `  --${flagName(key)}, ${environmentName(key)}\n      ${about}.\n      Takes ${takes}`
      + `${fallback === undefined ? '' : `; default ${fallback}`}.\n`);
  return `Usage: utility-calculation-service [serve | healthcheck | calc <tax|interest|hash> [JSON]] [settings]

  serve        answers HTTP until SIGTERM or SIGINT; this is the default
  healthcheck  asks the service of the same settings whether it is alive: exit code 0 or 1
  calc         answers the request in the argument, or those on standard input, one a line: exit code 0 or 1
  --help, --version

Settings, as a flag or in the environment; sizes in bytes, times in seconds:

${settings.join('')}`;
}

/** BODY_LIMIT for bodyLimit. */
export function environmentName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** body-limit for bodyLimit. */
export function flagName(key: string): string {
  return environmentName(key).toLowerCase().replaceAll('_', '-');
}

function parseFlags(args: readonly string[]): ReturnType<typeof parseArgs> {
  const settings = Object.keys(SETTINGS).map((key) => [flagName(key), { type: 'string' as const }] as const);
  const wishes = { help: { type: 'boolean' }, version: { type: 'boolean' } } as const;
  try {
    const options = { ...Object.fromEntries(settings), ...wishes };
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message.split('. ')[0] : String(error));
  }
}

function oneOf<T extends string>(about: string, values: readonly T[], fallback: T): Setting<T> {
  return { about, takes: values.join(', '), fallback, read: (text) => values.find((value) => value === text) };
}

function whole(about: string, noun: string, minimum: number, maximum: number, fallback: string): Setting<number> {
  const takes = `${noun} from ${minimum} to ${maximum}`;
  return { about, takes, fallback, read: (text) => wholeIn(text, minimum, maximum) };
}

function wholeIn(text: string, minimum: number, maximum: number): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= minimum && value <= maximum ? value : undefined;
}

function seconds(about: string, minimum: number, fallback: string): Setting<number> {
  return {
    about,
    takes: `seconds from ${minimum} to 3600`,
    fallback,
    read(text) {
      const value = Number(text);
      return /^\d+(?:\.\d+)?$/.test(text) && value >= minimum && value <= 3600 ? Math.round(value * 1000) : undefined;
    },
  };
}

/** The set of addresses and networks; undefined where one is neither. */
function networks(texts: readonly string[]): BlockList | undefined {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', length] = text.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const prefix = wholeIn(length ?? '0', 0, family === 'ipv6' ? 128 : 32);
    if (isIP(address) === 0 || prefix === undefined) return undefined;
    if (length === undefined) list.addAddress(address, family);
    else list.addSubnet(address, prefix, family);
  }
  return list;
}
