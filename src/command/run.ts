/** The commands of a program, selected by the first argument. */
import { quoted } from '../contract/escape.ts';
import type { Fields, ObjectCheck, Value } from '../contract/schema.ts';
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
      print(command?.helpOf?.(others) ?? commandLine.help(lines));
    } else if (show === 'version') {
      print(`${VERSION}\n`);
    } else if (others.length > 0 && command?.helpOf === undefined) {
      failUsage(`${name}: expected no further argument, got ${quoted(others[0]!)}`);
    } else if (command === undefined) {
      failUsage(`expected ${names.join(', ')} or help, got ${quoted(name)}`);
    } else {
      command.run(settings, others);
    }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    failUsage(error.message);
  }
}

export const SERVE_HELP =
  '  serve         serves HTTP until SIGTERM, SIGINT or SIGHUP; the default';
export const HEALTHCHECK_HELP =
  '  healthcheck   checks that the service with these settings is alive; exit code 0 or 1';
