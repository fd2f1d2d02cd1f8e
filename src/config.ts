import { BlockList, isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { LOG_VERBOSITIES, type LogVerbosity } from './process/log.ts';
import {
  ConfigError, type Definitions, type Given, integerSetting, parseConfig, parseGiven, parseIntegerIn,
  SERVICE_SETTINGS, type ServiceConfig, type Setting,
} from './settings.ts';

/** The validated settings. Sizes are in bytes, times in milliseconds. */
export interface Config extends ServiceConfig {
  readonly host: string;
  readonly port: number;
  readonly workers: number;
  readonly bulkBuffer: number;
  readonly requestTimeout: number;
  readonly keepAliveTimeout: number;
  readonly drainDelay: number;
  readonly shutdownTimeout: number;
  readonly maxConnections: number;
  readonly maxLag: number;
  readonly log: LogVerbosity;
  readonly metrics: boolean;
  readonly trustProxy: BlockList | undefined;
}

/** All settings. A flag takes precedence over the environment, and the environment over the default. */
export const SETTINGS: Definitions<Config> = {
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
  ...SERVICE_SETTINGS,
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
  log: choiceSetting('Log lines: none, process events and errors, or also one per request', LOG_VERBOSITIES, 'errors'),
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
};

/** The settings of the command, which a program that embeds the service controls itself. */
const PROCESS_ONLY = ['host', 'port', 'workers', 'drainDelay', 'shutdownTimeout'] as const;

/** The settings of a program that embeds the service, such as `{ log: 'requests', requestTimeout: 5 }`. */
export type Settings = Given<Omit<Config, (typeof PROCESS_ONLY)[number]>>;

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
  const config = parseConfig<Config>(SETTINGS, show === undefined ? valueOf : () => undefined, environmentName);
  return { positionals: command === 'help' ? others : positionals, config, show };
}

/** Parses the settings of a program. Throws ConfigError. */
export function parseSettings(settings: Settings): Config {
  const isShared = (key: string): boolean => !PROCESS_ONLY.some((other) => other === key);
  return parseGiven<Config>(SETTINGS, settings, Object.keys(SETTINGS).filter(isShared));
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

Settings, each as a flag or as an environment variable:

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

/** The flags that print a text instead of running the command. */
const TEXT_FLAGS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Reads flags leniently and checks them here, because the messages of parseArgs differ between versions of Node. */
function parseFlags(args: readonly string[]): Flags {
  const settings = Object.keys(SETTINGS).map((key) => [flagName(key), { type: 'string' as const }] as const);
  const options = { ...Object.fromEntries(settings), ...TEXT_FLAGS } as const;
  const { tokens, positionals } = parseArgs({
    args: [...args], options, allowPositionals: true, strict: false, tokens: true,
  });
  const flags = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!Object.hasOwn(options, name)) throw new ConfigError(`unknown flag ${rawName}; --help lists all flags`);
    const isBoolean = Object.hasOwn(TEXT_FLAGS, name);
    if (isBoolean !== (value === undefined)) {
      throw new ConfigError(`${rawName}: expected ${isBoolean ? 'no value' : 'a value'}, got ${value ?? 'none'}`);
    }
    flags.set(name, value ?? '');
  }
  return { flags, positionals };
}

function choiceSetting<T extends string>(description: string, values: readonly T[], byDefault: T): Setting<T> {
  const parse = (text: string): T | undefined => values.find((value) => value === text);
  return { description, expected: `one of ${values.join(', ')}`, default: byDefault, parse };
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
