/** The number of calls of a function, which does not depend on the load of the machine, as a time does. */
import { type Profiler, Session } from 'node:inspector';

/** Returns the number of calls during a run. */
export type Counter = (run: () => void) => number;

/**
 * Passes a counter of the calls of a function of a file to a search, which calls the function in runs only. The coverage
 * begins once for all of its runs, because V8 discards the optimized code whenever it begins.
 */
export function countCalls(
  file: string,
  name: string,
  search: (callsDuring: Counter) => void,
): void {
  const session = new Session();
  session.connect();
  session.post('Profiler.enable');
  session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // V8 returns the counts since the last time.
  const take = (): number => {
    let calls = 0;
    // The session is in this thread, so that it calls back before `post` returns.
    session.post('Profiler.takePreciseCoverage', (_, { result }) => {
      const scripts = result.filter(({ url }) => url.includes(file));
      calls = callsIn(scripts, name);
    });
    return calls;
  };
  take();
  search((run) => {
    run();
    return take();
  });
  session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
}

function callsIn(scripts: readonly Profiler.ScriptCoverage[], name: string): number {
  const counts = scripts
    .flatMap(({ functions }) => functions)
    .filter(({ functionName }) => functionName === name)
    .map(({ ranges: [range] }) => range?.count ?? 0);
  return counts.reduce((sum, count) => sum + count, 0);
}
