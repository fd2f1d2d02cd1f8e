/** The commands of a program, selected by the first argument. */
import { quoted } from '../contract/escape.ts';
import { type Fields, type ObjectCheck, similarName, type Value } from '../contract/schema.ts';
import type { CommandLine } from './command-line.ts';
import { failUsage, print } from './output.ts';
import { ConfigError, VERSION } from './service-settings.ts';

/** A command of a program with settings of the type S. */
export interface Command<S> {
  /** Its lines in the help. */
  readonly help: string;
  /** Runs it; the arguments are those behind its name. */
  readonly run: (settings: S, args: readonly string[]) => void;
  /** Its own help with these arguments, in place of that of the program. A command without it accepts none. */
  readonly helpOf?: (args: readonly string[]) => string | undefined;
}

const HELP = `  help, --help, -h
                shows this text`;

/**
 * Runs the command that the arguments of this process name, by default the first one. `hint` follows the description of
 * the help.
 */
export function runCommand<F extends Fields>(
  commandLine: CommandLine<F>,
  commands: Readonly<Record<string, Command<Value<ObjectCheck<F>>>>>,
  hint = '',
): void {
  // Without a listener, Node opens a port for a debugger.
  process.on('SIGUSR1', () => undefined);
  try {
    const { positionals, settings, show } = commandLine.parse(process.argv.slice(2), process.env);
    const names = Object.keys(commands);
    const [name = names[0]!, ...others] = positionals;
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (show === 'help') {
      const lines = [...Object.values(commands).map(({ help }) => help), HELP + hint];
      print(helpFor(commands, positionals) ?? commandLine.help(lines));
    } else if (show === 'version') {
      print(`${VERSION}\n`);
    } else if (command === undefined) {
      const owner = ownerOf(commands, name);
      const meant = owner ? `${owner} ${name}` : similarName(name, [...names, '--version']);
      const suggestion = meant === undefined ? '' : `; did you mean \`${meant}\`?`;
      failUsage(`expected ${names.join(', ')} or help, got ${quoted(name)}${suggestion}`);
    } else if (others.length > 0 && command.helpOf === undefined) {
      failUsage(`${name}: expected no further argument, got ${quoted(others[0]!)}`);
    } else {
      command.run(settings, others);
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    failUsage(error.message);
  }
}

/** The own help of a command, of which the first argument may be left out: `help tax` is `help calc tax`. */
function helpFor<S>(
  commands: Readonly<Record<string, Command<S>>>,
  [name, ...others]: readonly string[],
): string | undefined {
  if (name === undefined) return undefined;
  if (Object.hasOwn(commands, name)) return commands[name]!.helpOf?.(others);
  const owner = ownerOf(commands, name);
  return owner && commands[owner]!.helpOf?.([name, ...others]);
}

/** The command that has its own help for a first argument, such as `calc` for `tax`. */
function ownerOf<S>(
  commands: Readonly<Record<string, Command<S>>>,
  argument: string,
): string | undefined {
  return Object.keys(commands).find((name) => commands[name]!.helpOf?.([argument]) !== undefined);
}

export const SERVE_HELP =
  '  serve         serves HTTP until SIGTERM, SIGINT or SIGHUP; the default';
