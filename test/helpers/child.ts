/** Processes that tests start: each ends, and nothing outside of its test determines its environment. */
import processes, {
  type ChildProcess,
  type SpawnOptions,
  type SpawnSyncReturns,
} from 'node:child_process';
import { basename } from 'node:path';
import { promisify } from 'node:util';

type Settings = Readonly<Record<string, string>>;

/** The variables that a process keeps: where the programs are, and where the coverage of a run goes. */
const KEPT = ['PATH', 'NODE_V8_COVERAGE'];
/** Milliseconds that only a process that hangs takes, however busy the machine is. */
const END = 300_000;

/** The environment of a process that a test starts, with variables of the test. */
export function environment(settings: Settings = {}): NodeJS.ProcessEnv {
  const kept = KEPT.flatMap((name) =>
    process.env[name] === undefined ? [] : [[name, process.env[name]]],
  );
  return { ...Object.fromEntries(kept), ...settings };
}

/** Starts a program, which its test has to end. */
export function spawn(
  program: string,
  args: readonly string[],
  options: SpawnOptions = {},
  settings?: Settings,
): ChildProcess {
  return processes.spawn(program, args, { ...options, env: environment(settings) });
}

/** How a program runs to its end; after `limit` milliseconds it is ended, and has failed. */
interface EndOptions {
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  readonly limit?: number;
}

/** Runs a program to its end. */
export function spawnSync(
  program: string,
  args: readonly string[],
  { limit = END, ...options }: EndOptions = {},
  settings?: Settings,
): SpawnSyncReturns<string> {
  const result = processes.spawnSync(program, args, {
    ...options,
    encoding: 'utf8',
    timeout: limit,
    killSignal: 'SIGKILL',
    env: environment(settings),
  });
  if (isTimeout(result.error)) throw overLimit(program, args, limit);
  return result;
}

/** The reason to skip a test that needs programs, of which one is not installed, or false. */
export function missing(...programs: readonly string[]): string | false {
  const first = programs.find((program) => spawnSync(program, ['--version']).error !== undefined);
  return first !== undefined && `${first} is not installed`;
}

/** Runs a program that must succeed, and returns its standard output. */
export function execFileSync(
  program: string,
  args: readonly string[],
  options?: EndOptions,
): string {
  const { error, status, stdout, stderr } = spawnSync(program, args, options);
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${commandLine(program, args)}: ${stderr}`);
  return stdout;
}

/** Runs a program that must succeed while this process goes on, and returns its output. */
export async function execFile(
  program: string,
  args: readonly string[],
  { limit = END }: Pick<EndOptions, 'limit'> = {},
): Promise<{ stdout: string; stderr: string }> {
  try {
    return await promisify(processes.execFile)(program, args, {
      timeout: limit,
      killSignal: 'SIGKILL',
      env: environment(),
    });
  } catch (error) {
    const { killed } = error as { killed?: boolean };
    throw killed === true ? overLimit(program, args, limit) : error;
  }
}

function isTimeout(error: NodeJS.ErrnoException | undefined): boolean {
  return error?.code === 'ETIMEDOUT';
}

function overLimit(program: string, args: readonly string[], limit: number): Error {
  return new Error(`${commandLine(program, args)} has not ended after ${limit / 1000} s`);
}

function commandLine(program: string, args: readonly string[]): string {
  return [basename(program), ...args].join(' ');
}
