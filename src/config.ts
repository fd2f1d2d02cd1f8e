import { BlockList, isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { LOG_LEVELS, type LogLevel } from './process/log.ts';
import { period } from './tax/contract.ts';

/** The version of the service, equal to that in package.json. */
export const VERSION = '1.0.0';

/** The validated settings. Sizes are in bytes, times in milliseconds. */
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

/** The definition of a setting: `bodyLimit` is BODY_LIMIT in the environment and --body-limit on the command line. */
interface Setting<T> {
  readonly description: string;
  /** The values it accepts, in words. */
  readonly expected: string;
  /** The default, as text; undefined if the setting may be absent. */
  readonly default: string | undefined;
  /** Parses a value; undefined if it is invalid. */
  readonly parse: (text: string) => T | undefined;
}

/** All settings. A flag takes precedence over the environment, and the environment over the default. */
export const SETTINGS: { readonly [K in keyof Config]: Setting<NonNullable<Config[K]>> } = {
  host: {
    description: 'Address to listen on; 0.0.0.0 or :: for all',
    expected: 'an address or host name',
    default: '127.0.0.1',
    parse: (text) => (/^[\w.:%-]+$/.test(text) ? text : undefined),
  },
  port: integerSetting('Port to listen on; 0 for any free port', 'a port', 0, 65_535, '8080'),
  workers: {
    description: 'Worker processes that share the port; max for one per CPU core',
    expected: 'a number from 1 to 256, or max',
    default: '1',
    parse: (text) => (text === 'max' ? availableParallelism() : parseIntegerIn(text, 1, 256)),
  },
  bodyLimit: integerSetting('Maximum body of a tax or interest request', 'bytes', 64, 2 ** 28, '16384'),
  hashBodyLimit: integerSetting('Maximum body of a hash request', 'bytes', 64, 2 ** 28, '1048576'),
  bulkBuffer: integerSetting('Maximum part of a bulk request that is read ahead of its answers', 'bytes', 65_536,
    2 ** 30, '33554432'),
  requestTimeout: durationSetting('Time for a complete request to arrive', 0.1, '30'),
  keepAliveTimeout: durationSetting('Maximum idle time of a connection; should exceed that of a proxy', 0.1, '75'),
  drainDelay: durationSetting('Time from the first 503 of /readyz until listening stops', 0, '0'),
  shutdownTimeout: durationSetting('Maximum time to finish open requests after listening stops', 0.5, '10'),
  maxConnections: integerSetting('Maximum connections per worker; more are closed at once', 'a number', 1, 1_000_000,
    '10000'),
  maxLag: integerSetting('Maximum time that a request waits for the processor before it gets 503', 'milliseconds', 10,
    60_000, '500'),
  corsOrigin: {
    description: 'Origins whose scripts may read the answers',
    expected: '*, off, or origins like https://example.org, separated by commas',
    default: '*',
    parse(text) {
      if (text === '*' || text === 'off') return text === '*' ? ['*'] : [];
      const origins = text.split(',');
      return origins.every((origin) => URL.canParse(origin) && new URL(origin).origin === origin) ? origins : undefined;
    },
  },
  log: choiceSetting('Log lines: none, process events and errors, or also one per request', LOG_LEVELS, 'errors'),
  metrics: {
    ...choiceSetting('Whether /metrics exists', ['on', 'off'], 'off'),
    parse: (text) => (text === 'on' || text === 'off' ? text === 'on' : undefined),
  },
  trustProxy: {
    description: 'Proxies whose X-Forwarded-For is used for the logged client address; none if absent',
    expected: 'addresses and networks like 10.0.0.0/8, separated by commas',
    default: undefined,
    parse: (text) => parseNetworks(text.split(',')),
  },
  taxPeriod: {
    description: 'Salary month of tax requests without a period; the current month in Vietnam if absent',
    expected: 'a month as YYYY-MM, 2015-01 or later',
    default: undefined,
    parse: (text) => period.read(text, '', []),
  },
};

/** The settings of the command, which a program that embeds the service controls itself. */
const PROCESS_ONLY = ['host', 'port', 'workers', 'drainDelay', 'shutdownTimeout'] as const;

/** The settings for a program that embeds the service: names as in `Config`, values as in the environment. */
export type Settings = {
  readonly [K in Exclude<keyof Config, (typeof PROCESS_ONLY)[number]>]?: string | number | undefined;
};

/** An invalid setting or argument, described in one line for the operator. */
export class ConfigError extends Error {
  override name = 'ConfigError';
}

/** A parsed command line. */
export interface Command {
  readonly positionals: readonly string[];
  readonly config: Config;
  /** The text to print instead of running the command. */
  readonly show: 'help' | 'version' | undefined;
}

/** Parses a command line (without node and script) and an environment. Throws ConfigError. */
export function parseCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Command {
  const { flags, positionals } = parseFlags(args);
  const [command, ...others] = positionals;
  const isHelp = flags.has('help') || command === 'help';
  const show = isHelp ? 'help' : flags.has('version') ? 'version' : undefined;
  // An empty variable counts as unset, because compose files pass unset variables on as empty ones.
  const valueOf = (key: string): unknown =>
    flags.get(flagName(key)) ?? (environment[environmentName(key)] || undefined);
  // Help and version do not depend on the settings.
  const config = parseConfig(show === undefined ? valueOf : () => undefined, environmentName);
  return { positionals: command === 'help' ? others : positionals, config, show };
}

/** Parses the settings of a program. Throws ConfigError. */
export function parseSettings(settings: Settings): Config {
  const names = Object.keys(SETTINGS).filter((key) => !PROCESS_ONLY.some((other) => other === key));
  for (const key of Object.keys(settings)) {
    if (!names.includes(key)) throw new ConfigError(`expected settings among ${names.join(', ')}, got ${key}`);
  }
  return parseConfig((key) => settings[key as keyof Settings], (key) => key);
}

function parseConfig(valueOf: (key: string) => unknown, displayName: (key: string) => string): Config {
  const parse = ([key, setting]: [string, Setting<unknown>]): [string, unknown] => {
    const value = valueOf(key) ?? setting.default;
    if (value === undefined) return [key, undefined];
    const parsed = typeof value === 'string' || typeof value === 'number' ? setting.parse(String(value)) : undefined;
    if (parsed !== undefined) return [key, parsed];
    throw new ConfigError(`${displayName(key)}: expected ${setting.expected}, got ${JSON.stringify(value)}`);
  };
  // The type of SETTINGS requires each setting to parse into the member of Config of the same name.
  return Object.freeze(Object.fromEntries(Object.entries(SETTINGS).map(parse))) as unknown as Config;
}

/** The output of --help; `calculations` are the names that `calc` accepts. */
export function helpText(calculations: readonly string[]): string {
  const settings = Object.entries(SETTINGS).map(([key, setting]) =>
    `  --${flagName(key)}, ${environmentName(key)}\n      ${setting.description}.\n      Accepts ${setting.expected}`
      + `${setting.default === undefined ? '' : `; default ${setting.default}`}.\n`);
  return `Usage: utility-calculation-service [command] [settings]

Commands:
  serve         serves HTTP until SIGTERM or SIGINT; the default
  healthcheck   checks that the service with these settings is alive; exit code 0 or 1
  calc <${calculations.join('|')}> [JSON | FILE]
                answers a request, or the requests in a file or on standard input, one per
                line; exit code 0, or 1 if any of them failed
  help, --help, -h
                shows this text; \`calc ${calculations[0]} --help\` shows the fields of a calculation
  --version, -v shows the version

An invalid argument or setting ends any command with exit code 2.

Settings, as a flag or in the environment; sizes in bytes, times in seconds:

${settings.join('')}`;
}

/** The environment variable of a setting: BODY_LIMIT for bodyLimit. */
export function environmentName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** The flag of a setting, without dashes: body-limit for bodyLimit. */
export function flagName(key: string): string {
  return environmentName(key).toLowerCase().replaceAll('_', '-');
}

interface Flags {
  readonly flags: ReadonlyMap<string, string>;
  readonly positionals: readonly string[];
}

/** The flags that request a text instead of a service. */
const REQUESTS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Reads flags leniently and checks them here, because the messages of parseArgs differ between versions of Node. */
function parseFlags(args: readonly string[]): Flags {
  const settings = Object.keys(SETTINGS).map((key) => [flagName(key), { type: 'string' as const }] as const);
  const options = { ...Object.fromEntries(settings), ...REQUESTS } as const;
  const { tokens, positionals } = parseArgs({
    args: [...args], options, allowPositionals: true, strict: false, tokens: true,
  });
  const flags = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!Object.hasOwn(options, name)) throw new ConfigError(`unknown flag ${rawName}; --help lists all flags`);
    const isBoolean = Object.hasOwn(REQUESTS, name);
    if (isBoolean !== (value === undefined)) {
      throw new ConfigError(`${rawName}: expected ${isBoolean ? 'no value' : 'a value'}, got ${value ?? 'none'}`);
    }
    flags.set(name, value ?? '');
  }
  return { flags, positionals };
}

function choiceSetting<T extends string>(description: string, values: readonly T[], byDefault: T): Setting<T> {
  const parse = (text: string): T | undefined => values.find((value) => value === text);
  return { description, expected: values.join(', '), default: byDefault, parse };
}

function integerSetting(
  description: string, noun: string, minimum: number, maximum: number, byDefault: string,
): Setting<number> {
  const parse = (text: string): number | undefined => parseIntegerIn(text, minimum, maximum);
  return { description, expected: `${noun} from ${minimum} to ${maximum}`, default: byDefault, parse };
}

function parseIntegerIn(text: string, minimum: number, maximum: number): number | undefined {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= minimum && value <= maximum ? value : undefined;
}

function durationSetting(description: string, minimum: number, byDefault: string): Setting<number> {
  const parse = (text: string): number | undefined => {
    const value = Number(text);
    const isValid = /^\d+(?:\.\d+)?$/.test(text) && value >= minimum && value <= 3600;
    return isValid ? Math.round(value * 1000) : undefined;
  };
  return { description, expected: `seconds from ${minimum} to 3600`, default: byDefault, parse };
}

/** Parses addresses and networks; undefined if any of them is invalid. */
function parseNetworks(texts: readonly string[]): BlockList | undefined {
  const list = new BlockList();
  for (const text of texts) {
    const [address = '', length] = text.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    const prefix = parseIntegerIn(length ?? '0', 0, family === 'ipv6' ? 128 : 32);
    if (isIP(address) === 0 || prefix === undefined) return undefined;
    if (length === undefined) list.addAddress(address, family);
    else list.addSubnet(address, prefix, family);
  }
  return list;
}
