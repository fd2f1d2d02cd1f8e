/** The bounds of connections: their number, and the times, sizes and pieces of what clients send and do not read. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { IDLE_TIMEOUT, PROBE_DELAY } from '../../src/server/limits.ts';
import { AT_ONCE, type Work } from '../../src/server/scheduler.ts';
import { connect, normalRequest } from '../helpers/client.ts';
import { replaceClock } from '../helpers/clock.ts';
import { needsDescriptors, type Run, run } from '../helpers/command.ts';
import {
  assertHeaders,
  CLOSE,
  errorCode,
  exchange,
  GET,
  listen,
  post,
  postHead,
  responsesIn,
  statusesOf,
} from '../helpers/fixture.ts';
import { listenRecorded } from '../helpers/recording.ts';
import { isThorough, part, search } from '../helpers/repository.ts';
import {
  chunkedHead,
  chunkOf,
  CHUNKED,
  connect as connectTo,
  HASH,
  headOf,
  LAST_CHUNK,
  TAX,
} from '../helpers/streams.ts';
import { once, turn, until, within } from '../helpers/until.ts';

const onLinux = { skip: process.platform === 'linux' ? false : 'needs procfs' };
/** The bytes that node:http reads at once. */
const READ_SIZE = 64 * 1024;
/** Connections that are opened at once: with more than the backlog of the listener, some would wait for a second. */
const BATCH = 100;

/** Resolves to the socket of the next connection that the server accepts. */
async function accepted(server: Server): Promise<Socket> {
  const [socket] = (await once(server, 'connection')) as [Socket];
  return socket;
}

const SLOW: readonly [label: string, before: string, piece: string][] = [
  ['no request', '', ''],
  ['Content-Length', postHead(HASH, 100_000), ' '],
  ['chunks', chunkedHead(HASH), '1\r\n \r\n'],
  ['headers', 'GET / HTTP/1.1\r\nHost: a\r\nX: ', 'a'],
  ['a request behind another', GET + chunkedHead(HASH), '1\r\n \r\n'],
];

test('refuses a request that arrives byte by byte, whatever the number of its pieces is', async (context) => {
  const { port } = await listen(context, {}, { limits: { requestTimeout: 1_000 } });
  await Promise.all(
    SLOW.flatMap(([label, before, piece]) =>
      [0, 9, 100, 10_000].map(async (count) => {
        // More tiny chunks than that are reset at once.
        if (label !== 'Content-Length' && count > 100) return;
        const client = await connectTo(context, port);
        const { socket } = client;
        socket.write(before + piece.repeat(count));
        // One more piece at a time, until the service ends the connection: no piece extends the time.
        const timer = setInterval(() => void (socket.writable && socket.write(piece)), 100);
        socket.on('close', () => clearInterval(timer));
        await within('the close of a connection', client.closed);
        const { status, headers, body } = responsesIn(client.received).at(-1)!;
        assert.deepEqual([status, errorCode(body)], [408, 'request_timeout'], label);
        assertHeaders(headers, { connection: 'close' });
      }),
    ),
  );
});

test('answers a request that is complete when its time is over, but has not been read yet', async (context) => {
  const { server, port, lines } = await listenRecorded(
    context,
    {},
    { limits: { requestTimeout: 1_000 } },
  );
  const parts: readonly [string, string][] = [
    [GET.slice(0, 10), GET.slice(10)],
    [`${postHead(HASH, 12)}{"te`, 'xt":"z"}'],
    [`${chunkedHead(HASH)}4\r\n{"te\r\n`, `8\r\nxt":"z"}\r\n${LAST_CHUNK}`],
  ];
  for (const [first, rest] of parts) {
    const peer = accepted(server);
    const { socket, until: received } = await connectTo(context, port);
    const begun = await peer;
    socket.write(first);
    await until('the first part', () => begun.bytesRead === first.length, turn);
    // The timers of node:http run before it reads the sockets: after a pause, the rest waits in the kernel.
    socket.write(rest);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
    await received((text) => text.includes('HTTP/1.1 200 '));
    socket.destroy();
  }
  assert.ok(lines.every(({ msg }) => msg !== 'refused'));
});

test('resets a connection with many tiny chunks, which would take long to parse', async (context) => {
  const { port, resets } = await listenRecorded(context);
  for (const [size, isReset] of [
    [1, true],
    [3, true],
    [4, false],
  ] as const) {
    const chunk = `${size}\r\n${' '.repeat(size)}\r\n`;
    const { socket, closed, until: received } = await connectTo(context, port);
    socket.write(chunkedHead(HASH) + chunk.repeat(5_000) + LAST_CHUNK);
    if (isReset) await closed;
    else await received((text) => text.startsWith('HTTP/1.1 400 '));
  }
  assert.deepEqual(resets(), ['tiny chunks', 'tiny chunks']);
});

test('answers bodies in tokens of five bytes, each a chunk, alone and behind other requests', async (context) => {
  const { port, quiet } = await listenRecorded(context);
  const bodies = [
    [HASH, JSON.stringify({ text: 'a'.repeat(300_000) })],
    [TAX, `{"income":30000000${' '.repeat(16_300)}}`],
  ] as const;
  for (const [path, body] of bodies) {
    const chunks = body.replace(/[^]{1,5}/g, (token) => `${token.length}\r\n${token}\r\n`);
    for (const count of [0, 3]) {
      const request = GET.repeat(count) + chunkedHead(path) + chunks + LAST_CHUNK + CLOSE;
      assert.deepEqual(await statusesOf(port, request), Array(count + 2).fill(200), path);
    }
  }
  await quiet();
});

test('reads no more of a connection whose client reads no answers, and goes on afterwards', async (context) => {
  const { port, server, resets } = await listenRecorded(context);
  const socket = accepted(server);
  const client = await connectTo(context, port);
  const peer = await socket;
  client.socket.pause();
  // node:http reads a part of a large body until its turn, so that as many as the client likes may follow.
  const request = post(HASH, JSON.stringify({ text: 'a'.repeat(100_000) }));
  const count = 100;
  for (let sent = 0; sent < count; sent += 1) client.socket.write(request);
  client.socket.write(CLOSE);
  await until('answers that wait for the client', () => peer.writableLength > 0, turn);
  const before = peer.bytesRead;
  for (let index = 0; index < 100; index += 1) await turn();
  assert.ok(peer.bytesRead - before <= 2 * READ_SIZE && peer.bytesRead < count * request.length);
  client.socket.resume();
  await client.closed;
  assert.deepEqual(resets(), []);
  assert.equal(client.received.split('HTTP/1.1 200 OK').length, count + 2);
});

test('sets an idle timeout only on a connection whose client reads no byte of its answer', async (context) => {
  const { server, port } = await listen(context);
  const first = accepted(server);
  await exchange(port, post(HASH, '{"text":"a"}', 'Connection: close'));
  assert.notEqual((await first).timeout, IDLE_TIMEOUT);
  const second = accepted(server);
  const client = await connect(port);
  context.after(() => client.destroy());
  client.pause();
  const unread = await second;
  const large = post(HASH, JSON.stringify({ text: 'a'.repeat(1_000_000) }));
  // The kernel takes the first answers; their number depends on its buffers.
  await until('an idle timeout', () => {
    if (client.writableLength === 0) client.write(large);
    return unread.timeout === IDLE_TIMEOUT;
  });
});

/** The number in the metrics of connections that were closed because of the limit. */
async function closedByLimit(port: number): Promise<number> {
  const [response] = await exchange(port, CLOSE.replace('/healthz', '/metrics'));
  return Number(/\nhttp_connections_refused_total (\d+)\n/.exec(response?.body ?? '')?.[1]);
}

for (const workers of part([1, 2])) {
  test(`closes the connection that has been idle longest for a new one over the limit, workers: ${workers}`, async (context) => {
    const service = run(context, [
      '--port=0',
      `--workers=${workers}`,
      '--max-connections=5',
      '--metrics=on',
    ]);
    const { port } = await service.ready();
    const open: Socket[] = [];
    // With two workers, the primary process gives each of them every second connection.
    for (let count = 0; count < 5 * workers; count += 1) {
      const socket = (await connect(port)).resume();
      context.after(() => socket.destroy());
      socket.write(GET);
      await once(socket, 'data');
      open.push(socket);
    }
    assert.deepEqual(await statusesOf(port, CLOSE), [200]);
    await until('the close of the first connection', () => open[0]!.destroyed);
    assert.equal(open.at(-1)!.destroyed, false);
    await until('the count', async () => (await closedByLimit(port)) > 0);
    service.child.kill();
    assert.equal(await service.ended(), 0);
  });
}

/** Requests that hold a place: their bodies arrive byte by byte, or their answers are not read. */
const HOLDING: readonly [label: string, request: string][] = [
  ['bulk requests', headOf(HASH, 'Content-Length: 1000')],
  ['bulk requests in chunks', `${headOf(HASH, CHUNKED)}ffff\r\n`],
  ['single requests', postHead(HASH, 1_000)],
  ['heads', 'GET / HTTP/1.1\r\nX: '],
];

for (const workers of [1, 2]) {
  test(`answers on new connections while slow requests hold all places of ${workers} process(es)`, async (context) => {
    const limit = 10;
    const service = run(context, [
      '--port=0',
      `--workers=${workers}`,
      `--max-connections=${limit}`,
      '--request-timeout=3600',
    ]);
    const { address, port } = await service.ready();
    for (const [label, request] of HOLDING) {
      const slow: Socket[] = [];
      context.after(() => slow.forEach((socket) => socket.destroy()));
      const timer = setInterval(() => {
        for (const socket of slow) if (socket.writable) socket.write(' ');
      }, 100);
      context.after(() => clearInterval(timer));
      const hold = async (): Promise<void> => {
        const socket = (await connect(port)).resume();
        socket.write(request);
        slow.push(socket);
      };
      for (let count = 0; count < workers * limit; count += 1) await hold();
      for (let count = 0; count < search(10).cases; count += 1) {
        assert.deepEqual(await statusesOf(port, CLOSE), [200], label);
        await normalRequest(address);
        // Those that have given way come back.
        while (slow.filter(({ destroyed }) => !destroyed).length < workers * limit) await hold();
      }
      clearInterval(timer);
    }
    await service.event('overloaded');
    assert.equal((await service.event('reset'))['reason'], 'slow');
  });
}

test('keeps an idle connection, however long it lasts', async (context) => {
  const { port, server } = await listen(context, {}, { limits: { requestTimeout: 1_000 } });
  const peer = accepted(server);
  const client = await connectTo(context, port);
  const socket = await peer;
  client.socket.write(GET);
  await client.until((text) => text.includes('HTTP/1.1 200 '));
  // The same check of node:http refuses this one, because it has not sent a request in time.
  const silent = await connectTo(context, port);
  await within('the refusal of a silent connection', silent.closed);
  assert.equal(socket.timeout ?? 0, 0);
  // An earlier answer that the client did not read at once has left its timeout.
  socket.emit('timeout');
  client.socket.write(CLOSE);
  assert.equal(await within('the close of a connection', client.closed), 'end');
  assert.deepEqual(
    responsesIn(client.received).map(({ status }) => status),
    [200, 200],
  );
});

test('lets the kernel probe an idle connection', onLinux, async (context) => {
  const { port } = await listen(context);
  const { socket, until: received } = await connectTo(context, port);
  socket.write(GET);
  await received((text) => text.includes('HTTP/1.1 200 '));
  const hex = (number = 0): string => number.toString(16).toUpperCase().padStart(4, '0');
  // Local and remote address, state, queues, and the timer, of which 02 is the one of TCP keep-alive.
  const row = new RegExp(`:${hex(port)} \\w+:${hex(socket.localPort)} 01 [\\w:]+ 02:(\\w+)`);
  const [, rest = ''] = row.exec(readFileSync('/proc/net/tcp', 'utf8')) ?? [];
  const milliseconds = parseInt(rest, 16) * 10;
  assert.ok(milliseconds > PROBE_DELAY / 2 && milliseconds <= PROBE_DELAY + 10_000, rest);
});

test('sends a slow client its whole answer if its idle connection gives way to a new one', async (context) => {
  const { port, server } = await listen(context, {}, { limits: { maxConnections: 1 } });
  const peer = accepted(server);
  const client = await connectTo(context, port);
  const socket = await peer;
  client.socket.pause();
  client.socket.write(post(HASH, JSON.stringify({ text: 'a'.repeat(300_000) })));
  const hasLeft = (): boolean => socket.bytesWritten > 700_000 && socket.writableLength === 0;
  await until('an answer', hasLeft, async () => {
    // The buffers of the kernels may be too small for the whole answer.
    if (socket.writableLength > 0) client.socket.read();
    await turn();
  });
  assert.deepEqual(await statusesOf(port, CLOSE), [200]);
  await until('the end of the connection', () => socket.writableEnded, turn);
  // A request that arrives after the end would reset a connection that has been closed.
  client.socket.write(GET);
  await until('its bytes', () => socket.bytesRead > 300_000 + GET.length, turn);
  client.socket.resume();
  assert.equal(await within('the close of a connection', client.closed), 'end');
  assert.equal(responsesIn(client.received)[0]?.body.length, 700_177);
});

test('answers a new client while the service has to answer all others, of which the first gives way', async (context) => {
  const waiting: Work[] = [];
  const scheduler = { ...AT_ONCE, add: (work: Work) => void waiting.push(work) };
  const { port, resets } = await listenRecorded(
    context,
    {},
    { scheduler, limits: { maxConnections: 3 } },
  );
  const answers: Promise<number[]>[] = [];
  for (let count = 1; count <= 3; count += 1) {
    answers.push(statusesOf(port, post(HASH, '{"text":"a"}', 'Connection: close')));
    await until('a request', () => waiting.length === count, turn);
  }
  assert.deepEqual(await statusesOf(port, CLOSE), [200]);
  for (const work of waiting) work(false);
  assert.deepEqual(await Promise.all(answers), [[], [200], [200]]);
  assert.deepEqual(resets(), ['slow']);
});

test('refuses no bulk request, however slowly it arrives, while there are places and room', async (context) => {
  const pass = replaceClock(context);
  const { port, resets, server } = await listenRecorded(context);
  const peer = accepted(server);
  const { socket, until: received } = await connectTo(context, port);
  const { bytesRead: none } = await peer;
  socket.write(headOf(HASH, CHUNKED));
  const line = chunkOf('{"text":"a"}\n');
  // node:http would report each request that takes longer than that.
  Object.assign(server, { headersTimeout: 1, requestTimeout: 1 });
  await once(server, 'clientError');
  const head = (await peer).bytesRead - none;
  for (let second = 1; second <= 300; second += 1) {
    pass(1_000);
    socket.write(line);
    const sent = head + second * line.length;
    await until('a line', async () => (await peer).bytesRead === sent, turn);
  }
  socket.write(LAST_CHUNK);
  await received((text) => text.endsWith(LAST_CHUNK) && text.split('"input":"a"').length === 301);
  assert.deepEqual(resets(), []);
});

const descriptors = ({ child }: Run): number => readdirSync(`/proc/${child.pid}/fd`).length;

/** Opens connections, and begins to use each. */
async function openMany(
  port: number,
  count: number,
  begin: (socket: Socket) => void,
): Promise<Socket[]> {
  const all: Socket[] = [];
  while (all.length < count) {
    const sockets = await Promise.all(Array.from({ length: BATCH }, () => connect(port)));
    for (const socket of sockets) begin(socket.resume());
    all.push(...sockets);
  }
  return all;
}

const crowds: readonly [label: string, count: number, begin: (socket: Socket) => void][] = [
  ['slow headers', 200, (socket) => socket.write('GET / HTTP/1.1\r\nHost:')],
  ['slow bodies', 200, (socket) => socket.write(postHead(HASH, 1000))],
  ['idle', isThorough ? 1000 : 300, (socket) => socket.write(GET)],
  ['silent', isThorough ? 500 : 200, () => undefined],
];

const CONNECTIONS = crowds.reduce((sum, [, count]) => sum + count, 0);

const forMany = { skip: needsDescriptors(2_100) };

test(
  `serves other clients while ${CONNECTIONS} of 1900 connections are slow or idle`,
  forMany,
  async (context) => {
    const service = run(context, ['--port=0', '--request-timeout=3600']);
    const { address, port } = await service.ready();
    const open: Socket[] = [];
    for (const [label, count, begin] of crowds) {
      const sockets = await openMany(port, count, begin);
      await normalRequest(address);
      // The time for headers is fixed; the service may have closed connections without complete headers.
      if (label === 'slow bodies' || label === 'idle') open.push(...sockets);
    }
    assert.deepEqual(
      open.filter((socket) => socket.destroyed),
      [],
    );
  },
);

const forBatches = { skip: onLinux.skip || needsDescriptors(600) };

const RESETS = isThorough ? 1_000 : 300;

test(
  `closes connections that are slow, silent or reset, ${RESETS} of 1000 at once`,
  forBatches,
  async (context) => {
    const service = run(context, ['--port=0', '--request-timeout=2']);
    const { address, port } = await service.ready();
    await normalRequest(address);
    const before = descriptors(service);
    const all: Socket[] = [];
    for (const [label, , begin] of crowds) {
      if (label !== 'idle') all.push(...(await openMany(port, BATCH, begin)));
    }
    await until('the close of all connections', () => descriptors(service) <= before + 5);
    await until('the end of all connections', () => all.every((socket) => socket.destroyed));
    await openMany(port, RESETS, (socket) => {
      socket.write(postHead(HASH, 1000));
      socket.resetAndDestroy();
    });
    await normalRequest(address);
    await until('the close of all reset connections', () => descriptors(service) <= before + 5);
  },
);
