/** Processes that tests start: each ends, and nothing outside of its test determines its environment. */
import processes, {
  type ChildProcess,
  type SpawnOptions,
  type SpawnSyncReturns,
} from 'node:child_process';
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

/** Runs a program to its end. */
export function spawnSync(
  program: string,
  args: readonly string[],
  options: { readonly cwd?: string; readonly input?: string } = {},
): SpawnSyncReturns<string> {
  return processes.spawnSync(program, args, {
    ...options,
    encoding: 'utf8',
    timeout: END,
    env: environment(),
  });
}

/** Runs a program that must succeed, and returns its standard output. */
export function execFileSync(program: string, args: readonly string[], cwd?: string): string {
  return processes.execFileSync(program, args, {
    ...(cwd && { cwd }),
    encoding: 'utf8',
    timeout: END,
    env: environment(),
  });
}

/** Runs a program that must succeed while this process goes on, and returns its output. */
export function execFile(
  program: string,
  args: readonly string[],
): Promise<{ stdout: string; stderr: string }> {
  return promisify(processes.execFile)(program, args, { timeout: END, env: environment() });
}
