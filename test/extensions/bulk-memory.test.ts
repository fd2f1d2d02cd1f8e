/** The memory for bulk requests, whose clients may send all lines before they read an answer. */
import assert from 'node:assert/strict';
import http from 'node:http';
import type { Socket } from 'node:net';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { answerLines, emptyTally } from '../../src/lines/lines.ts';
import { readAhead } from '../../src/extensions/bulk/read-ahead.ts';
import {
  FREE_SIZE,
  PACE_GRACE,
  type Reservation,
  Room,
  TURNOVER_TIME,
} from '../../src/extensions/bulk/room.ts';
import { TimeSlicer } from '../../src/lines/time-slicer.ts';
import type { Exchange } from '../../src/server/exchange.ts';
import type { TextAnswer } from '../../src/service/answer.ts';
import { replaceClock } from '../helpers/clock.ts';
import { run } from '../helpers/command.ts';
import { CLOSE, type Fixture, listen, statusesOf } from '../helpers/fixture.ts';
import { listenRecorded } from '../helpers/recording.ts';
import { isThorough, part } from '../helpers/repository.ts';
import {
  chunkOf,
  CHUNKED,
  connect,
  type Connection,
  HASH,
  headOf,
  isWhole,
  LAST_CHUNK,
  outline,
  responseIn,
} from '../helpers/streams.ts';
import { once, turn, until, within } from '../helpers/until.ts';

const MEBIBYTE = 2 ** 20;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The bytes of the objects and buffers of this process that are in use. */
function memory(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
const LINE = '{"text":"a"}\n';

/** A connection, and its socket in the service. */
async function open(
  context: TestContext,
  { server, port }: Fixture,
): Promise<{ readonly client: Connection; readonly peer: Socket }> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = await connect(context, port);
  const [peer] = await accepted;
  return { client, peer };
}

test('answers 2,000 lines of a client that sends all of them before it reads', async (context) => {
  // The answers, 14 MB, are more than the buffers of the connection can hold.
  const count = 2_000;
  const body = `{"text":"${'a'.repeat(2_500)}"}\n`.repeat(count);
  const room = new Room(32 * MEBIBYTE, 32 * MEBIBYTE);
  const fixture = await listen(context, {}, { room });
  const requests = [
    headOf(HASH, `Content-Length: ${body.length}`, 'Connection: close') + body,
    headOf(HASH, CHUNKED, 'Connection: close') + chunkOf(body) + LAST_CHUNK,
  ];
  for (const request of requests) {
    const { client, peer } = await open(context, fixture);
    client.socket.pause().write(request);
    await until('the end of the request', () => peer.bytesRead === request.length, turn);
    // Of a body that has arrived, only the rest needs room.
    await until('less room', () => room.reserved < body.length, turn);
    client.socket.resume();
    await within('the close of a connection', client.closed);
    assert.ok(client.received.endsWith(`\r\n${LAST_CHUNK}`));
    assert.equal(client.received.split('{"status":"success"').length, count + 1);
    assert.equal(room.reserved, 0);
  }
});

test('reads as much of a body ahead as its room, however small the chunks are', async (context) => {
  const size = isThorough ? 2 * MEBIBYTE : MEBIBYTE;
  for (const length of [5, 65_000]) {
    const fixture = await listen(context, {}, { room: new Room(size, size) });
    const { client, peer } = await open(context, fixture);
    const block = LINE.repeat(length);
    const chunks = block.replace(new RegExp(`[^]{${length}}`, 'g'), (piece) => `${chunkOf(piece)}`);
    const request = Buffer.from(
      headOf(HASH, CHUNKED) + chunks.repeat((4 * size) / block.length + 1),
    );
    const share = block.length / chunks.length;
    const before = memory();
    client.socket.pause().write(request);
    let read = 0;
    await until('a stop', async () => {
      const last = read;
      for (let index = 0; index < 100; index += 1) await turn();
      read = peer.bytesRead;
      return read > size && read === last;
    });
    // The buffers of the connection hold the answers to a part of the lines.
    assert.ok(read * share < size + 2 * MEBIBYTE, `${length}: ${read * share}`);
    const grown = memory() - before;
    // As objects, 200,000 chunks would take more than 25 MB.
    assert.ok(grown < 16 * MEBIBYTE, `${length}: ${grown}`);
    client.socket.destroy();
  }
});

test('holds no more than its block and a text while its lines wait, however short they are', async () => {
  const count = 50;
  for (const first of ['\n', '\xff']) {
    const block = Buffer.from(first + '\n'.repeat(MEBIBYTE / 16 - 1), 'latin1');
    const before = memory();
    const waiting = Array.from({ length: count }, () => {
      let turns = 0;
      const slicer = new TimeSlicer();
      // The slice ends with the first line.
      Object.defineProperty(slicer, 'isOver', { get: () => (turns += 1) > 1 });
      slicer.next = () => new Promise(() => undefined);
      const answer = (): TextAnswer => assert.fail('an answer to an empty line');
      const onFault = (): void => undefined;
      const route = { limit: 100, answer };
      const answers = answerLines(route, [block], onFault, emptyTally(), slicer);
      return { answers, next: answers.next() };
    });
    for (let index = 0; index < 100; index += 1) await turn();
    const grown = (memory() - before) / count;
    assert.ok(grown < MEBIBYTE / 8, `${JSON.stringify(first)}: ${grown}`);
    assert.equal(waiting.length, count);
  }
});

test('begins the answer to a bulk request when it has ended', async (context) => {
  const fixture = await listen(context);
  const chunk = String(chunkOf(LINE));
  const requests = [
    [headOf(HASH, `Content-Length: ${2 * LINE.length}`) + LINE, LINE],
    [headOf(HASH, CHUNKED) + chunk, chunk + LAST_CHUNK],
  ] as const;
  for (const [first, rest] of requests) {
    const { client, peer } = await open(context, fixture);
    client.socket.write(first);
    await until('the first line', () => peer.bytesRead === first.length, turn);
    assert.deepEqual(await statusesOf(fixture.port, CLOSE), [200]);
    assert.equal(client.received, '');
    client.socket.write(rest);
    await client.until(isWhole);
    assert.deepEqual(outline(responseIn(client.received).body), ['success', 'success']);
  }
});

/** The statuses of bulk requests that are sent at once, and whether each answer has all lines. */
async function sendTogether(
  port: number,
  body: Buffer,
  count: number,
  isChunked: boolean,
): Promise<string[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const headers = {
        'content-type': 'application/x-ndjson',
        ...(!isChunked && { 'content-length': body.length }),
      };
      const request = http.request({
        port,
        host: '127.0.0.1',
        path: HASH,
        method: 'POST',
        headers,
        agent: false,
      });
      request.on('error', () => undefined);
      request.write(body);
      request.end();
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      const answer = await within('the end of an answer', text(response));
      const isWhole = answer.split('\n').length === body.toString().split('\n').length;
      if (response.statusCode === 200 && isWhole) return 'whole';
      return `${response.statusCode} ${response.headers['retry-after']}`;
    }),
  );
}

test('a body that has arrived holds room for its bytes beyond 64 KiB only', async () => {
  for (const size of [1_000, 64 * 1024, 100_000]) {
    const room = new Room(2 * MEBIBYTE, MEBIBYTE);
    const reservation = room.reserve(NaN, { progress: () => 0, reset: () => undefined })!;
    const request = new PassThrough();
    const exchange = { request, response: new PassThrough(), isWritable: true };
    const first = readAhead(exchange as unknown as Exchange, reservation).next();
    assert.equal(room.reserved, MEBIBYTE);
    let reserved = -1;
    request.on('end', () => (reserved = room.reserved));
    request.end(Buffer.alloc(size));
    assert.ok((await first).value);
    assert.equal(reserved, Math.max(0, size - 64 * 1024));
  }
});

/** How a bulk request ends that has reserved room; `rest` is the rest of its body. */
const ENDS: Readonly<Record<string, (client: Connection, rest: string) => void>> = {
  'with its answer': ({ socket }, rest) => socket.write(rest),
  'with its answer, which nobody reads': ({ socket }, rest) => {
    socket.pause().write(rest, () => socket.destroy());
  },
  'when its client leaves': ({ socket }) => socket.destroy(),
  'when its client resets the connection': ({ socket }) => socket.resetAndDestroy(),
  'when its client ends its side': ({ socket }) => socket.end(),
};

test('returns all of its room, however a bulk request ends', async (context) => {
  const room = new Room(4 * FREE_SIZE, 2 * FREE_SIZE);
  const fixture = await listen(context, {}, { room });
  const body = LINE.padEnd(2 * FREE_SIZE, '\n');
  const requests = [
    {
      request: headOf(HASH, `Content-Length: ${body.length}`) + LINE,
      rest: body.slice(LINE.length),
    },
    { request: headOf(HASH, CHUNKED) + String(chunkOf(LINE)), rest: LAST_CHUNK },
  ];
  for (const [name, end] of Object.entries(ENDS)) {
    for (const { request, rest } of requests) {
      const { client } = await open(context, fixture);
      client.socket.write(request);
      await until('a reservation', () => room.reserved > 0, turn);
      end(client, rest);
      const isEmpty = (): boolean => room.reserved === 0 && room.reservations.size === 0;
      await until(`the room, ${name}`, isEmpty, turn);
    }
  }
});

/** The number of requests at the same time, and their coding. */
const SENDINGS = [8, 1].flatMap((count) =>
  [true, false].map((isChunked) => ({ count, isChunked })),
);
const ways = `${part(SENDINGS).length} of ${SENDINGS.length} ways`;

test(`answers each of several large bulk requests as a whole, or refuses it with 503, in ${ways}`, async (context) => {
  const line = `{"text":"${'a'.repeat(200)}"}\n`;
  const body = Buffer.from(line.repeat(Math.floor((3 * MEBIBYTE) / line.length)));
  const service = run(context, ['--port=0', `--bulk-buffer=${4 * MEBIBYTE}`, '--metrics=on']);
  const { address, port } = await service.ready();
  for (const { count, isChunked } of part(SENDINGS)) {
    const outcomes = await sendTogether(port, body, count, isChunked);
    const whole = outcomes.filter((outcome) => outcome === 'whole').length;
    assert.deepEqual(
      new Set([...outcomes, 'whole', '503 1']),
      new Set(['whole', '503 1']),
      String(outcomes),
    );
    assert.ok(whole >= Math.min(count, 2), String(outcomes));
  }
  const metrics = await (await fetch(`${address}/metrics`)).text();
  assert.match(metrics, /\nbulk_memory_reserved_bytes 0\n/);
  assert.match(metrics, /\nbulk_memory_limit_bytes 8388608\n/);
});

test('resets a client that moves too little of what it holds for 10 s while another lacks room, and no other', async (context) => {
  const pass = replaceClock(context);
  const room = new Room(2 * MEBIBYTE, MEBIBYTE);
  const recorded = await listenRecorded(context, {}, { room }, { verbosity: 'errors' });
  const hold = async (): ReturnType<typeof open> => {
    const { reserved } = room;
    const pair = await open(context, recorded);
    pair.client.socket.write(headOf(HASH, CHUNKED));
    await until('a reservation', () => room.reserved > reserved, turn);
    return pair;
  };
  const needsRoom = Buffer.from(LINE.repeat(FREE_SIZE / LINE.length + 1));
  const pace = Math.ceil((1_000 * room.maximum) / TURNOVER_TIME);
  const silent = await hold();
  const { client, peer } = await hold();
  const outcomeAfter = async (seconds: number, pace: number): Promise<string> => {
    pass(seconds * 1_000);
    const read = peer.bytesRead;
    const block = chunkOf('\n'.repeat(seconds * pace + 1));
    client.socket.write(block);
    await until('a block', () => peer.bytesRead === read + block.length, turn);
    const [outcome = ''] = await sendTogether(recorded.port, needsRoom, 1, false);
    return outcome;
  };
  // A refusal before the answer begins.
  assert.equal(await outcomeAfter(9, pace), '503 1');
  assert.equal(await outcomeAfter(1, pace), 'whole');
  assert.equal(await within('a reset', silent.client.closed), 'ECONNRESET');
  await hold();
  // What the client has sent before does not count.
  assert.equal(await outcomeAfter(10, 0), 'whole');
  assert.equal(await within('a reset', client.closed), 'ECONNRESET');
  const seen = recorded.lines
    .filter(({ msg }) => msg !== 'recovered')
    .map(({ msg, reason, refusing }) => [msg, reason ?? refusing]);
  assert.deepEqual(seen.slice(0, 3), [
    ['overloaded', 'bulk requests'],
    ['reset', 'slow'],
    ['reset', 'slow'],
  ]);
});

test('resets no slow client for a short bulk request that has arrived, but for one that needs room', async (context) => {
  const pass = replaceClock(context);
  const room = new Room(2 * MEBIBYTE, MEBIBYTE);
  const recorded = await listenRecorded(context, {}, { room });
  const more = Buffer.from(LINE.repeat(FREE_SIZE / LINE.length + 1));
  const sendShort = async (head: string, body: Buffer | string): Promise<void> => {
    const { client } = await open(context, recorded);
    client.socket.write(head + String(body));
    await client.until(isWhole);
    client.socket.destroy();
  };
  for (const isChunked of [false, true]) {
    const resets = recorded.resets().length;
    while (room.reserved < room.size) {
      const { reserved } = room;
      const { client } = await open(context, recorded);
      client.socket.write(headOf(HASH, CHUNKED));
      await until('a reservation', () => room.reserved > reserved, turn);
    }
    pass(10_000);
    await sendShort(headOf(HASH, `Content-Length: ${LINE.length}`), LINE);
    await sendShort(headOf(HASH, CHUNKED), chunkOf(LINE) + LAST_CHUNK);
    assert.equal(recorded.resets().length, resets);
    assert.deepEqual(await sendTogether(recorded.port, more, 1, isChunked), ['whole']);
    assert.equal(recorded.resets().length, resets + 2);
  }
});

test('gives the room of slow clients to one that sends more than needs none, and not to others that ask first', async (context) => {
  const pass = replaceClock(context);
  const room = new Room(2 * MEBIBYTE, MEBIBYTE);
  const recorded = await listenRecorded(context, {}, { room });
  const ask = async (length: number): Promise<Connection> => {
    const { client, peer } = await open(context, recorded);
    const request = headOf(HASH, CHUNKED) + String(chunkOf('\n'.repeat(length)));
    client.socket.write(request);
    await until('the bytes', () => peer.bytesRead === request.length, turn);
    return client;
  };
  const holders = [await ask(1), await ask(1)];
  await until('two reservations', () => room.reserved === room.size, turn);
  const asking: Connection[] = [];
  const more = Buffer.from(LINE.repeat(FREE_SIZE / LINE.length + 1));
  for (let second = 1; second < 10; second += 1) {
    pass(1_000);
    asking.push(await ask(FREE_SIZE / 2));
    assert.deepEqual(await sendTogether(recorded.port, more, 1, false), ['503 1']);
  }
  pass(1_000);
  asking.push(await ask(FREE_SIZE / 2));
  assert.deepEqual(recorded.resets(), []);
  assert.deepEqual(await sendTogether(recorded.port, more, 1, false), ['whole']);
  for (const { closed } of holders) assert.equal(await within('a reset', closed), 'ECONNRESET');
  // Those that have asked go on, and may have room as soon as there is some.
  for (const { socket, received } of asking)
    assert.deepEqual([socket.destroyed, received], [false, '']);
  asking[0]!.socket.write(
    Buffer.concat([chunkOf('\n'.repeat(FREE_SIZE)), Buffer.from(LAST_CHUNK)]),
  );
  await asking[0]!.until(isWhole);
  assert.equal(recorded.resets().length, 2);
});

test('does not cut an answer that is taken at 20 KiB/s for 90 s while others have room', async (context) => {
  const pass = replaceClock(context);
  const room = new Room(64 * MEBIBYTE, 16 * MEBIBYTE);
  const recorded = await listenRecorded(context, {}, { room });
  const { client, peer } = await open(context, recorded);
  const { socket } = client;
  socket.removeAllListeners('data').pause();
  const line = `{"text":"${'a'.repeat(10_000)}"}\n`;
  // The answers are more than the buffers of both kernels take.
  const body = Buffer.from(line.repeat(1_000));
  socket.write(headOf(HASH, `Content-Length: ${body.length}`));
  socket.write(body);
  await until('an unread answer', () => peer.writableLength > 0, turn);
  const other = Buffer.from(LINE.repeat(FREE_SIZE / LINE.length + 1));
  for (let second = 1; second <= 90; second += 1) {
    pass(1_000);
    await until('20 KiB', () => socket.read(20 * 1024) !== null, turn);
    if (second % 10 > 0) continue;
    assert.deepEqual(await sendTogether(recorded.port, other, 1, false), ['whole']);
  }
  assert.ok(room.reserved > 0 && peer.writableLength > 0);
  let end = '';
  socket.on('data', (data) => (end = (end + data.toString('latin1')).slice(-1_000))).resume();
  await until('the end of the answer', () => end.endsWith(LAST_CHUNK));
  assert.deepEqual(recorded.resets(), []);
});

test('answers bulk requests that need no room while others hold all of it', async (context) => {
  const room = new Room(2 * MEBIBYTE, MEBIBYTE);
  const recorded = await listenRecorded(context, {}, { room });
  const all = { progress: () => Infinity, reset: () => assert.fail('a reset') };
  assert.ok(room.reserve(MEBIBYTE + FREE_SIZE, all) && room.reserve(NaN, all));
  const body = LINE.repeat(FREE_SIZE / LINE.length);
  const one = Buffer.from(LINE);
  const most = Buffer.from(body.padEnd(FREE_SIZE, '\n'));
  const more = Buffer.from(body.padEnd(FREE_SIZE + 1, '\n'));
  for (const isChunked of [false, true]) {
    assert.deepEqual(
      await sendTogether(recorded.port, one, 10, isChunked),
      Array(10).fill('whole'),
    );
    const outcomes = await Promise.all(
      [most, more].map((bytes) => statusOf(context, recorded.port, bytes, isChunked)),
    );
    assert.deepEqual(outcomes, ['200', '503']);
  }
  assert.equal(recorded.metrics.inFlight, 0);
  assert.deepEqual([room.reserved, recorded.resets()], [2 * MEBIBYTE, []]);
});

/** The status of a bulk request whose body arrives in two parts. */
async function statusOf(
  context: TestContext,
  port: number,
  body: Buffer,
  isChunked: boolean,
): Promise<string | undefined> {
  const { socket, until: received } = await connect(context, port);
  const bytes = isChunked ? Buffer.concat([chunkOf(body), Buffer.from(LAST_CHUNK)]) : body;
  socket.write(headOf(HASH, isChunked ? CHUNKED : `Content-Length: ${body.length}`));
  socket.write(bytes.subarray(0, 10));
  for (let index = 0; index < 10; index += 1) await turn();
  socket.write(bytes.subarray(10));
  let text = '';
  await received((all) => isWhole((text = all)));
  socket.destroy();
  return /^HTTP\/1\.1 (\d+)/.exec(text)?.[1];
}

test('a body reserves room for its bytes beyond 64 KiB, or for the most if its length is unknown or greater', () => {
  for (const [length, reserved] of [
    [0, 0],
    [FREE_SIZE, 0],
    [FREE_SIZE + 1, 1],
    [MEBIBYTE, MEBIBYTE - FREE_SIZE],
    [MEBIBYTE + 1, MEBIBYTE],
    [NaN, MEBIBYTE],
  ] as const) {
    const room = new Room(2 * MEBIBYTE, MEBIBYTE);
    room.reserve(length, { progress: () => 0, reset: () => undefined });
    assert.equal(room.reserved, reserved, String(length));
  }
});

test('resets a client that is a byte below its pace, and none at its pace or without room', async (context) => {
  const pass = replaceClock(context);
  const room = new Room(2 * MEBIBYTE, MEBIBYTE);
  const reset: string[] = [];
  let seconds = 0;
  const clients = {
    'at its pace': { size: TURNOVER_TIME, progress: () => 1_000 * seconds },
    'a byte below': { size: TURNOVER_TIME, progress: () => 1_000 * seconds - Math.sign(seconds) },
    'without room': { size: 0, progress: () => 0 },
  };
  for (const [name, { size, progress }] of Object.entries(clients)) {
    const holder = { progress, reset: () => void reset.push(name) };
    void room.reserve(FREE_SIZE + size, holder)!.waitFor(new Promise(() => undefined));
  }
  for (; seconds < PACE_GRACE / 1_000; seconds += 1) {
    room.resetSlow();
    assert.deepEqual(reset, []);
    pass(1_000);
  }
  room.resetSlow();
  assert.deepEqual(reset, ['a byte below']);
});

test('a payroll of 24 MiB at 12 Mbit/s keeps its room, however long the service itself takes', async (context) => {
  const pass = replaceClock(context);
  const room = new Room(64 * MEBIBYTE, 32 * MEBIBYTE);
  const progress = { payroll: 0, slow: 0 };
  const lost: string[] = [];
  const reserve = (name: keyof typeof progress): Reservation =>
    room.reserve(name === 'slow' ? NaN : 24 * MEBIBYTE, {
      progress: () => progress[name],
      reset: () => void lost.push(name),
    })!;
  const reservations = [reserve('payroll'), reserve('slow')];
  const second = async (waits: boolean): Promise<void> => {
    let end = (): void => undefined;
    const event = new Promise<void>((resolve) => (end = resolve));
    const done = reservations.map((each) => (waits ? each.waitFor(event) : event));
    pass(1_000);
    room.resetSlow();
    end();
    await Promise.all(done);
  };
  // The service takes 100 s, in which it reads nothing.
  for (let time = 0; time < 100; time += 1) await second(false);
  assert.deepEqual(lost, []);
  for (let sent = 0; sent < 24 * MEBIBYTE; sent += 1_500_000) {
    progress.payroll += 1_500_000;
    progress.slow += 20 * 1024;
    await second(true);
  }
  assert.deepEqual(lost, ['slow']);
});
