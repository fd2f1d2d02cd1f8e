/**
 * The tests of `npm test`, or those in the files among the arguments. Each file runs in a process of
 * its own, but those of a folder that only calculate share one, because a process takes longer than
 * most of them. Node.js would show the files in their order, and nothing before the first of them has
 * ended; this shows each test when it has ended. If no test of any file begins or ends any more, the
 * files that run are ended, and fail with the names of the tests that were running. The process of
 * test.mjs starts this one, which ends all processes of the tests when the other has ended.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { basename, dirname } from 'node:path';
import { run } from 'node:test';
import { spec } from 'node:test/reporters';

/** Files that run at the same time: most of them spend most of their time waiting. */
const MOST_AT_ONCE = 4 * availableParallelism();
/** Milliseconds within which a test of some file begins or ends, however busy the machine is. */
const LIMIT = 180_000;

/** An import of a helper that starts processes, or opens connections that wait. */
const APART = /\/helpers\/(?:browser|child|client|command|package|proxy|recording|streams)\.js["']/;

/** The programs with the tests: the files that run apart, and one per folder, which imports the others. */
function programs() {
  const tests = readdirSync('test', { recursive: true })
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => `dist/test/${path.replaceAll('\\', '/').replace('.ts', '.js')}`);
  const calculations = new Map();
  const apart = [];
  for (const path of tests) {
    const program = `${dirname(path)}/calculations.js`;
    if (APART.test(readFileSync(path, 'utf8'))) apart.push(path);
    else calculations.set(program, [...(calculations.get(program) ?? []), path]);
  }
  for (const [program, paths] of calculations) {
    const imports = paths.map((path) => `import './${basename(path)}';\n`);
    writeFileSync(program, imports.join(''));
  }
  return [...apart, ...calculations.keys()];
}

const [, , ...given] = process.argv;
// From the end: the tests of server/ and page/ wait the longest, and others run meanwhile.
const files = given.length > 0 ? given : programs().sort().reverse();
const reporter = new spec();
/** The sums of the counts of all files. */
const counts = new Map();
/** The event that makes the reporter of some versions of Node.js list the failures. */
let summary;

/** The tests of a file that have begun and not ended. */
class Running {
  names = new Set();
  last = 'the beginning';

  follow({ type, data }) {
    if (type === 'test:dequeue') this.names.add(data.name);
    if (!hasEnded(type) || !this.names.delete(data.name)) return;
    this.last = `"${data.name}"`;
  }

  toString() {
    // The first is the file itself.
    const [, ...names] = this.names;
    return names.length > 0
      ? names.map((name) => `"${name}"`).join(', ')
      : `none, after ${this.last}`;
  }
}

const isResult = (type) => type === 'test:pass' || type === 'test:fail';
const hasEnded = (type) => isResult(type) || type === 'test:complete';

/** The files that run, each with the controller that ends it. */
const runs = new Map();

function endAll() {
  for (const [running, controller] of runs) {
    const message = `no test has begun or ended for ${LIMIT / 1000} s; running: ${running}`;
    controller.abort(new Error(message));
  }
}

const timer = setTimeout(endAll, LIMIT);

// The standard input ends together with the process that holds its other end.
process.stdin.on('end', () => process.kill(-process.pid, 'SIGKILL'));
process.stdin.resume().unref();

async function runFile(file) {
  const controller = new AbortController();
  const running = new Running();
  runs.set(running, controller);
  let events = [];
  const report = () => {
    for (const event of events) reporter.write(event);
    events = [];
  };
  for await (const event of run({ files: [file], signal: controller.signal })) {
    timer.refresh();
    running.follow(event);
    const { type, data } = event;
    const isOfAll = data.file === undefined;
    if (type === 'test:summary') summary = isOfAll ? event : summary;
    else if (type === 'test:diagnostic' && isOfAll && data.nesting === 0) addCount(data.message);
    else events.push(event);
    if (isResult(type) && data.nesting === 0) report();
  }
  runs.delete(running);
  report();
}

/** Adds a count of a file, such as `pass 12`. */
function addCount(message) {
  const [name, count] = message.split(' ');
  counts.set(name, (counts.get(name) ?? 0) + Number(count));
}

async function runNext() {
  for (let file = files.shift(); file !== undefined; file = files.shift()) await runFile(file);
}

// Each run listens for the errors and the end of this process.
process.setMaxListeners(0);
reporter.pipe(process.stdout);
await Promise.all(Array.from({ length: MOST_AT_ONCE }, runNext));
clearTimeout(timer);
counts.set('duration_ms', Math.round(performance.now()));
for (const [name, count] of counts) {
  reporter.write({ type: 'test:diagnostic', data: { nesting: 0, message: `${name} ${count}` } });
}
if (summary !== undefined) reporter.write(summary);
reporter.end();
process.exitCode = counts.get('fail') + counts.get('cancelled') > 0 ? 1 : 0;
