/** The command line: arguments, environment variables and help. */
import { parseArgs } from 'node:util';
import { describeFields } from '../contract/describe.ts';
import { quotedShort } from '../contract/escape.ts';
import {
  type Fields,
  type JsonSchema,
  type ObjectCheck,
  similarNameIn,
  type Value,
} from '../contract/schema.ts';
import { checkSettings, ConfigError } from './service-settings.ts';

/** A parsed command line. */
interface ParsedCommand<F extends Fields> {
  readonly positionals: readonly string[];
  readonly settings: Value<ObjectCheck<F>>;
  /** The text to print instead of running the command. */
  readonly show: 'help' | 'version' | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** A number if the setting is one, and the text is a decimal without sign and exponent. */
function valueOf(text: string, { type }: JsonSchema): unknown {
  return type !== 'string' && /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : text;
}

/** The environment variable of a setting: BODY_LIMIT for bodyLimit. */
export function environmentName(key: string): string {
  return key.replace(/[A-Z]/g, '_$&').toUpperCase();
}

/** The flag of a setting, without dashes: body-limit for bodyLimit. */
function flagName(key: string): string {
  return environmentName(key).toLowerCase().replaceAll('_', '-');
}

/** The flags that print a text instead of running the command. */
const TEXT_FLAGS = {
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const;

/** The command line of a program with these settings. */
export class CommandLine<F extends Fields> {
  private readonly check: ObjectCheck<F>;

  constructor(check: ObjectCheck<F>) {
    this.check = check;
  }

  /** Parses a command line (without node and script) and an environment. Throws ConfigError. */
  parse(args: readonly string[], environment: Environment): ParsedCommand<F> {
    const { flags, positionals } = this.parseFlags(args);
    let show: ParsedCommand<F>['show'];
    if (flags.has('version')) show = 'version';
    if (flags.has('help') || positionals[0] === 'help') show = 'help';
    // Help and version do not depend on the settings.
    const settings = show
      ? this.settingsFrom(new Map(), {})
      : this.settingsFrom(flags, environment);
    const words = show === 'help' ? positionals.filter((word) => word !== 'help') : positionals;
    return { positionals: words, settings, show };
  }

  /** A flag takes precedence over the environment, and the environment over the default. */
  private settingsFrom(
    flags: ReadonlyMap<string, string>,
    environment: Environment,
  ): Value<ObjectCheck<F>> {
    const given = Object.entries(this.check.fields).flatMap(([key, { schema }]) => {
      // An empty variable counts as unset, because compose files pass unset variables on as empty ones.
      const text = flags.get(flagName(key)) ?? (environment[environmentName(key)] || undefined);
      return text === undefined ? [] : [[key, valueOf(text, schema)]];
    });
    return checkSettings(this.check, Object.fromEntries(given), environmentName);
  }

  /** The output of --help, with the lines about each command. */
  help(commands: readonly string[]): string {
    return `Usage: utility-calculation-service [command] [settings]

Commands:
${commands.join('\n')}
  --version, -v shows the version

An invalid argument or setting ends any command with exit code 2.

Settings: flag, environment variable, default and values

${describeFields(this.check, (key) => [`--${flagName(key)}`, environmentName(key)])}`;
  }

  /** Reads flags leniently and checks them here, because the messages of parseArgs differ between versions of Node. */
  private parseFlags(args: readonly string[]): {
    readonly flags: ReadonlyMap<string, string>;
    readonly positionals: readonly string[];
  } {
    const names = Object.keys(this.check.fields).map(flagName);
    const settings = names.map((name) => [name, { type: 'string' }] as const);
    const options = { ...Object.fromEntries(settings), ...TEXT_FLAGS };
    const { tokens } = parseArgs({
      args: [...args],
      options,
      allowPositionals: true,
      strict: false,
      tokens: true,
    });
    const flags = new Map<string, string>();
    const positionals: string[] = [];
    for (const token of tokens) {
      if (token.kind === 'positional') positionals.push(token.value);
      if (token.kind !== 'option') continue;
      const { name, rawName, value } = token;
      if (!Object.hasOwn(options, name)) {
        const known = Object.keys(options).map((flag) => `--${flag}`);
        const meant = similarNameIn(known)(rawName);
        const help = [...positionals.slice(0, 2), '--help'].join(' ');
        const hint = meant === undefined ? `use \`${help}\` instead` : `did you mean ${meant}?`;
        throw new ConfigError(`unknown flag ${rawName}; ${hint}`);
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
}
