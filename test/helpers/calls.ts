/** The number of calls of a function, which does not depend on the load of the machine, as a time does. */
import { type Profiler, Session } from 'node:inspector';

/** Returns a function that counts the calls of a function of a file during a run. */
export function counterOf(file: string, name: string): (run: () => void) => number {
  return (run) => {
    const session = new Session();
    session.connect();
    session.post('Profiler.enable');
    session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    run();
    let calls = 0;
    // The session is in this thread, so that it calls back before `post` returns.
    session.post('Profiler.takePreciseCoverage', (_, { result }) => {
      calls = callsIn(
        result.filter(({ url }) => url.includes(file)),
        name,
      );
    });
    session.post('Profiler.stopPreciseCoverage');
    session.disconnect();
    return calls;
  };
}

function callsIn(scripts: readonly Profiler.ScriptCoverage[], name: string): number {
  const counts = scripts
    .flatMap(({ functions }) => functions)
    .filter(({ functionName }) => functionName === name)
    .map(({ ranges: [range] }) => range?.count ?? 0);
  return counts.reduce((sum, count) => sum + count, 0);
}
