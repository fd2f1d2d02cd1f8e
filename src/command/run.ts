/** The commands of a program, selected by the first argument. */
import { quoted } from '../contract/escape.ts';
import { type Fields, type ObjectCheck, similarNameIn, type Value } from '../contract/schema.ts';
import type { CommandLine } from './command-line.ts';
import { failUsage, print } from './output.ts';
import { ConfigError, VERSION } from './service-settings.ts';

/** A command of a program with settings of the type S. */
export interface Command<S> {
  /** Its lines in the help. */
  readonly help: string;
  /** Runs it; the arguments are those behind its name. Throws ConfigError if it does not accept them. */
  readonly run: (settings: S, args: readonly string[]) => void;
  /** The names of which its first argument is one. A command without them accepts no argument. */
  readonly topics?: Topics;
}

interface Topics {
  readonly names: readonly string[];
  /** The help of the command, or of one of the names, in place of that of the program. */
  readonly helpOf: (name?: string) => string;
}

type Commands<S> = Readonly<Record<string, Command<S>>>;

const HELP = `  help, --help, -h
                shows this text`;

/**
 * Runs the command that the arguments of this process name, by default the first one. `hint` follows the description of
 * the help.
 */
export function runCommand<F extends Fields>(
  commandLine: CommandLine<F>,
  commands: Commands<Value<ObjectCheck<F>>>,
  hint = '',
): void {
  // Without a listener, Node opens a port for a debugger.
  process.on('SIGUSR1', () => undefined);
  try {
    const { positionals, settings, show } = commandLine.parse(process.argv.slice(2), process.env);
    const [name = Object.keys(commands)[0]!, ...args] = positionals;
    if (show === 'help') {
      const lines = [...Object.values(commands).map(({ help }) => help), HELP + hint];
      print(helpFor(commands, name, args) ?? commandLine.help(lines));
    } else if (show === 'version') {
      print(`${VERSION}\n`);
    } else {
      commandFor(commands, name, args).run(settings, args);
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    failUsage(error.message);
  }
}

/** The command that accepts these arguments. Throws ConfigError if there is none. */
export function commandFor<S>(
  commands: Commands<S>,
  name: string,
  [argument]: readonly string[],
): Command<S> {
  if (!Object.hasOwn(commands, name)) throw unknownCommand(commands, name);
  const command = commands[name]!;
  if (argument === undefined) return command;
  const { topics } = command;
  if (topics === undefined) {
    throw new ConfigError(`${name}: expected no further argument, got ${quoted(argument)}`);
  }
  if (!topics.names.includes(argument)) {
    const expected = topics.names.join(', ');
    throw new ConfigError(`${name}: expected one of ${expected}, got ${quoted(argument)}`);
  }
  return command;
}

function unknownCommand<S>(commands: Commands<S>, name: string): ConfigError {
  const names = Object.keys(commands);
  const owner = ownerOf(commands, name);
  const meant = owner ? `${owner} ${name}` : similarNameIn([...names, '--version'])(name);
  const suggestion = meant === undefined ? '' : `; did you mean \`${meant}\`?`;
  return new ConfigError(`expected ${names.join(', ')} or help, got ${quoted(name)}${suggestion}`);
}

/** The own help of a command, which may be left out before one of its topics: `help tax` is `help calc tax`. */
function helpFor<S>(
  commands: Commands<S>,
  name: string,
  args: readonly string[],
): string | undefined {
  const owner = ownerOf(commands, name);
  if (owner !== undefined) return helpFor(commands, owner, [name, ...args]);
  return commandFor(commands, name, args).topics?.helpOf(args[0]);
}

/** The command that has this name as a topic, such as `calc` for `tax`. */
function ownerOf<S>(commands: Commands<S>, topic: string): string | undefined {
  return Object.keys(commands).find((name) => commands[name]!.topics?.names.includes(topic));
}

export const SERVE_HELP =
  '  serve         serves HTTP until SIGTERM, SIGINT or SIGHUP; the default';
