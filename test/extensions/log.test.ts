import assert from 'node:assert/strict';
import { closeSync, existsSync, openSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { BufferedLog, type Sink } from '../../src/extensions/log/log.ts';
import { spawn } from '../helpers/child.ts';
import { freePort, needsDescriptors, type Run, run } from '../helpers/command.ts';
import { exchange } from '../helpers/fixture.ts';
import { seeded } from '../helpers/random.ts';
import { command } from '../helpers/repository.ts';
import { once, turn, until, written } from '../helpers/until.ts';

/** Requests per connection: with more than MAXIMUM_WAITING at once, the service would reset it. */
const BATCH = 25;

/** Sends GET requests, several at once, and waits for all answers. `headOf` returns the start of a request's head. */
async function sendAll(
  service: Run,
  count: number,
  headOf: (index: number) => string,
): Promise<void> {
  const { port } = await service.ready();

  for (let start = 0; start < count; start += BATCH) {
    const heads = Array.from({ length: BATCH }, (_, index) => headOf(start + index));
    const answers = await exchange(port, `${heads.join('\r\n')}Connection: close\r\n\r\n`);
    assert.equal(answers.length, BATCH);
  }
}

test('writes a complete line per request with LOG=requests before the process exits', async (context) => {
  const service = run(context, ['--port=0', '--log=requests']);
  await sendAll(
    service,
    300,
    (index) => `GET /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: r${index}\r\n`,
  );
  await service.stop();
  const lines = service.lines.map((line) => JSON.parse(line) as { msg: string; id?: string });
  assert.deepEqual(
    lines.filter(({ msg }) => msg === 'request').map(({ id }) => id),
    Array.from({ length: 300 }, (_, index) => `r${index}`),
  );
  assert.equal(lines.at(-1)?.msg, 'stopped');
});

test('writes nothing with LOG=off', async (context) => {
  const port = await freePort();
  const service = run(context, [`--port=${port}`, '--log=off']);
  await untilHealthy(port);
  await service.stop();
  assert.deepEqual(service.lines, []);
  assert.equal(service.errors, '');
});

async function untilHealthy(port: number): Promise<void> {
  const check = (): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until('an answer of /healthz', check);
}

const onPosix = { skip: process.platform === 'win32' ? 'needs SIGSTOP' : false };

/** Logs the given number of requests, a few hundred bytes each, while nobody reads. */
async function logUnread(context: TestContext, requests: number): Promise<Run> {
  const service = run(context, [
    '--port=0',
    '--log=requests',
    '--max-lag=60000',
    '--max-connections=100',
  ]);
  await service.event('ready');
  service.child.stdout?.pause();
  await sendAll(service, requests, () => `GET /${'a'.repeat(300)} HTTP/1.1\r\nHost: a\r\n`);
  return service;
}

/** The number of dropped lines. Together with the logged ones, they are all lines. */
function droppedOf(service: Run, requests: number): number {
  const lines = service.lines.map((line) => JSON.parse(line) as { msg: string; dropped?: number });
  const dropped = lines.reduce((sum, line) => sum + (line.dropped ?? 0), 0);
  // The lines of the requests, and `ready`, `draining` and `stopped`, of which the second may be dropped.
  assert.equal(service.messages().length + dropped, requests + 3);
  assert.equal(lines.at(-1)?.msg, 'stopped');
  return dropped;
}

test('drops lines while the reader of the log stalls, and logs their number', async (context) => {
  const requests = 5_000;
  const service = await logUnread(context, requests);
  service.child.stdout?.resume();
  await service.stop();
  const dropped = droppedOf(service, requests);
  assert.ok(dropped > 100, String(dropped));
});

const forBurst = { skip: onPosix.skip || needsDescriptors(300) };

test('drops no line of a burst of requests while the log is read', forBurst, async (context) => {
  const service = run(context, ['--port=0', '--log=requests']);
  const { port } = await service.ready();
  const sockets = await Promise.all(
    Array.from({ length: 250 }, async () => {
      const socket = net.connect(port, '127.0.0.1');
      await once(socket, 'connect');
      return socket;
    }),
  );
  service.child.kill('SIGSTOP');
  const head = `GET /${'a'.repeat(200)} HTTP/1.1\r\nHost: a\r\n`;
  const text = `${`${head}\r\n`.repeat(5)}${head}Connection: close\r\n\r\n`;
  await Promise.all(sockets.map((socket) => written(socket.resume(), text)));
  const closed = sockets.map((socket) => once(socket, 'close'));
  service.child.kill('SIGCONT');
  await Promise.all(closed);
  await service.stop();
  assert.equal(service.lines.filter((line) => line.includes('"msg":"request"')).length, 1_500);
  assert.ok(!service.lines.some((line) => line.includes('"dropped"')));
});

test('writes as many whole lines as a write may have, and a longer line alone', async () => {
  const most = 300;
  const random = seeded(3);
  const lengths = Array.from({ length: 500 }, () =>
    random.pick([random.below(100), random.below(400)]),
  );
  const writes: string[] = [];
  const log = new BufferedLog(
    async (bytes) => {
      writes.push(Buffer.from(bytes).toString());
      return bytes.length;
    },
    assert.fail,
    most,
  );
  for (const length of lengths) log.line('info', 'a'.repeat(length));
  assert.equal(await log.flush(), true);
  for (const [index, text] of writes.entries()) {
    assert.ok(text.endsWith('\n'), text);
    const isOneLine = text.indexOf('\n') === text.length - 1;
    assert.ok(text.length <= most || isOneLine, `${text.length} bytes: ${text}`);
    const [next = ''] = writes[index + 1]?.split(/(?<=\n)/) ?? [];
    assert.ok(
      next === '' || text.length + next.length > most,
      `${text.length} bytes, then ${next.length}`,
    );
  }
  const messages = writes
    .join('')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { msg: string }).msg);
  assert.deepEqual(
    messages.map(({ length }) => length),
    lengths,
  );
});

interface FailingSink {
  readonly sink: Sink;
  readonly reports: string[];
  text: string;
  writes: number;
  failures: number;
  error: string | undefined;
}

/** A sink that keeps what is written, and fails while `error` is set. */
function failingSink(): FailingSink {
  const state = {
    text: '',
    error: undefined as string | undefined,
    writes: 0,
    failures: 0,
    reports: [] as string[],
    async sink(some: Uint8Array): Promise<number> {
      if (state.error !== undefined) {
        state.failures += 1;
        throw Object.assign(new Error(`${state.error}: a failure`), { code: state.error });
      }
      state.writes += 1;
      // Half of the bytes: a write may stop anywhere, as on a disk that is nearly full.
      const half = some.subarray(0, Math.ceil(some.length / 2));
      state.text += Buffer.from(half).toString('latin1');
      return half.length;
    },
  };
  return state;
}

/** Replaces `setTimeout` of node:timers/promises. The returned function lets time pass, and then a turn of the event loop. */
function replaceTimers(context: TestContext): (milliseconds: number) => Promise<void> {
  context.mock.timers.enable({ apis: ['setTimeout'] });
  syncBuiltinESMExports();
  context.after(() => {
    context.mock.timers.reset();
    syncBuiltinESMExports();
  });
  return async (milliseconds) => {
    context.mock.timers.tick(milliseconds);
    await turn();
  };
}

/** The outcome of flushing a log; undefined until then. */
function flushed(log: BufferedLog): { outcome: boolean | undefined } {
  const flush: { outcome: boolean | undefined } = { outcome: undefined };
  void log.flush().then((outcome) => (flush.outcome = outcome));
  return flush;
}

test('flushes for as long as the reader makes progress within each second', async (context) => {
  const pass = replaceTimers(context);
  const writes: (() => void)[] = [];
  const sink: Sink = (bytes) => new Promise((resolve) => writes.push(() => resolve(bytes.length)));
  // A write takes one line.
  const log = new BufferedLog(sink, assert.fail, 1);
  for (let number = 1; number <= 4; number += 1) log.line('info', 'line', { number });
  const flush = flushed(log);
  for (let number = 1; number <= 3; number += 1) {
    await pass(999);
    assert.deepEqual([writes.length, flush.outcome], [number, undefined]);
    writes[number - 1]!();
  }
  await pass(1_000);
  assert.equal(flush.outcome, undefined);
  await pass(1_000);
  assert.equal(flush.outcome, false);
});

test('ends a flush without a further attempt when the sink has failed', async (context) => {
  const pass = replaceTimers(context);
  const state = failingSink();
  const log = new BufferedLog(state.sink, (message) => state.reports.push(message));
  state.error = 'EPIPE';
  log.line('info', 'lost');
  await pass(0);
  await pass(999);
  assert.equal(state.failures, 1);
  const flush = flushed(log);
  await pass(1);
  assert.deepEqual([state.failures, flush.outcome], [1, true]);
});

/** These tests spend most of their time waiting, and run side by side. */
describe('goes on although a sink or a reader is slow or fails', { concurrency: true }, () => {
  test('serves requests when the reader of the log stops reading or closes the pipe', async (context) => {
    const service = await logUnread(context, 1_000);
    service.child.stdout?.destroy();
    const { address } = await service.ready();
    for (let index = 0; index < 20; index += 1)
      assert.equal((await fetch(`${address}/${index}`)).status, 404);
    await service.stop();
  });

  test('exits although the reader of the log never reads again', async (context) => {
    const service = await logUnread(context, 2_000);
    const exited = once(service.child, 'exit');
    service.child.kill('SIGTERM');
    assert.deepEqual(await exited, [null, 'SIGKILL']);
  });

  test('resumes after a failure of the sink, and logs the number of dropped lines', async (context) => {
    const state = failingSink();
    // Otherwise a failing log would try again every second, and keep the file running.
    context.after(() => (state.error = undefined));
    const log = new BufferedLog(state.sink, (message) => state.reports.push(message));
    log.line('info', 'first');
    await until('a write', () => state.writes > 0);
    state.error = 'ENOSPC';
    // More lines than both buffers of the log hold.
    let count = 4_001;
    for (let number = 1; number < count; number += 1) {
      log.line('info', 'request', { number, filler: 'a'.repeat(1_000) });
      if (number % 100 === 0) await turn();
    }
    await until('two failures', () => state.failures >= 2);
    assert.deepEqual(state.reports, [
      'cannot write the log: ENOSPC: a failure; trying again every second',
    ]);
    state.error = undefined;
    await until('a line after the failures', () => {
      const hasRecovered = state.text.includes('"recovering"');
      if (hasRecovered) return true;
      log.line('info', 'recovering');
      count += 1;
      return false;
    });
    // One buffer is written now, and the other has room for this line, which reports the lines dropped before it.
    log.line('info', 'last');
    assert.equal(await log.flush(), true);
    const written = state.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    assert.equal(written.at(-1)?.['msg'], 'last');
    const dropped = written.reduce((sum, line) => sum + Number(line['dropped'] ?? 0), 0);
    assert.ok(dropped > 100, String(dropped));
    assert.equal(written.length + dropped, count + 1);
  });

  test(
    'reports a full disk on standard error, and continues to serve',
    {
      skip: existsSync('/dev/full') ? false : 'needs /dev/full',
    },
    async (context) => {
      const port = await freePort();
      const full = openSync('/dev/full', 'w');
      context.after(() => closeSync(full));
      const child = spawn(process.execPath, [command, `--port=${port}`], {
        stdio: ['ignore', full, 'pipe'],
      });
      context.after(() => void child.kill('SIGKILL'));
      let errors = '';
      child.stderr?.on('data', (chunk) => (errors += String(chunk)));
      await untilHealthy(port);
      await until('a message on standard error', () => errors !== '');
      assert.match(errors, /^utility-calculation-service: cannot write the log: ENOSPC[^\n]*\n$/);
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    },
  );
});
