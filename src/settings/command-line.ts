/** The command line: arguments, environment variables and help. */
import { parseArgs } from 'node:util';
import { describeFields } from '../contract/describe.ts';
import { quotedShort } from '../contract/escape.ts';
import { type JsonSchema, object } from '../contract/schema.ts';
import { commandSettings, type CommandSettings } from './process-settings.ts';
import { checkSettings, ConfigError } from './service-settings.ts';

/** A parsed command line. */
export interface Command {
  readonly positionals: readonly string[];
  readonly settings: CommandSettings;
  /** The text to print instead of running the command. */
  readonly show: 'help' | 'version' | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

const FIELDS = Object.entries(commandSettings.fields);
/** The settings by the names of their environment variables, which messages contain. */
const byVariable = object(
  Object.fromEntries(FIELDS.map(([key, field]) => [environmentName(key), field])),
);

/** Parses a command line (without node and script) and an environment. Throws ConfigError. */
export function parseCommand(args: readonly string[], environment: Environment): Command {
  const { flags, positionals } = parseFlags(args);
  const [command, ...others] = positionals;
  const isHelp = command === 'help';
  let show: Command['show'];
  if (flags.has('version')) show = 'version';
  if (flags.has('help') || isHelp) show = 'help';
  // Help and version do not depend on the settings.
  const settings = show ? settingsFrom(new Map(), {}) : settingsFrom(flags, environment);
  return { positionals: isHelp ? others : positionals, settings, show };
}

/** A flag takes precedence over the environment, and the environment over the default. */
function settingsFrom(
  flags: ReadonlyMap<string, string>,
  environment: Environment,
): CommandSettings {
  const given = FIELDS.flatMap(([key, { schema }]) => {
    const variable = environmentName(key);
    // An empty variable counts as unset, because compose files pass unset variables on as empty ones.
    const text = flags.get(flagName(key)) ?? (environment[variable] || undefined);
    return text === undefined ? [] : [[variable, valueOf(text, schema)]];
  });
  const checked = checkSettings(byVariable, Object.fromEntries(given));
  // `byVariable` has the checks of `commandSettings`.
  return Object.freeze(
    Object.fromEntries(FIELDS.map(([key]) => [key, checked[environmentName(key)]])),
  ) as CommandSettings;
}

/** A number if the setting is one, and the text is a decimal without sign and exponent. */
function valueOf(text: string, { type }: JsonSchema): unknown {
  return type !== 'string' && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** The output of --help; `calculations` are the names that `calc` accepts. */
export function helpText(calculations: readonly string[]): string {
  const [first] = calculations;
  return `Usage: utility-calculation-service [command] [settings]

Commands:
  serve         serves HTTP until SIGTERM, SIGINT or SIGHUP; the default
  healthcheck   checks that the service with these settings is alive; exit code 0 or 1
  calc <${calculations.join('|')}> [JSON | FILE]
                answers a request, or the requests in a file or on standard input, one per
                line; exit code 0, or 1 if any of them failed
  help, --help, -h
                shows this text; \`calc ${first} --help\` shows the fields of a calculation
  --version, -v shows the version

An invalid argument or setting ends any command with exit code 2.

Settings, each as a flag or as an environment variable:

${describeFields(commandSettings, (key) => `--${flagName(key)}, ${environmentName(key)}`)}`;
}

/** The environment variable of a setting: BODY_LIMIT for bodyLimit. */
export function environmentName(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();
}

/** The flag of a setting, without dashes: body-limit for bodyLimit. */
export function flagName(key: string): string {
  return environmentName(key).toLowerCase().replaceAll('_', '-');
}

/** The flags that print a text instead of running the command. */
const TEXT_FLAGS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** Reads flags leniently and checks them here, because the messages of parseArgs differ between versions of Node. */
function parseFlags(args: readonly string[]): {
  readonly flags: ReadonlyMap<string, string>;
  readonly positionals: readonly string[];
} {
  const settings = FIELDS.map(([key]) => [flagName(key), { type: 'string' }] as const);
  const options = { ...Object.fromEntries(settings), ...TEXT_FLAGS };
  const { tokens, positionals } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const flags = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!Object.hasOwn(options, name)) {
      throw new ConfigError(`unknown flag ${rawName}; --help lists all flags`);
    }
    const isBoolean = Object.hasOwn(TEXT_FLAGS, name);
    if (isBoolean && value !== undefined) {
      throw new ConfigError(`${rawName}: expected no value, got ${quotedShort(value)}`);
    }
    if (!isBoolean && value === undefined) {
      throw new ConfigError(`${rawName}: expected a value, got none`);
    }
    flags.set(name, value ?? '');
  }
  return { flags, positionals };
}
