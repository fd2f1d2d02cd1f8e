/** Tests of bulk requests whose clients send all lines before they read an answer. */
import assert from 'node:assert/strict';
import http from 'node:http';
import net, { type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { test, type TestContext } from 'node:test';
import { ReadAhead } from '../../src/extensions/bulk/read-ahead.ts';
import {
  MINIMUM_PACE,
  PACE_GRACE,
  type Holder,
  type Reservation,
  Room,
} from '../../src/extensions/bulk/room.ts';

import { replaceClock } from '../helpers/clock.ts';
import { run } from '../helpers/command.ts';
import { collect, listen } from '../helpers/fixture.ts';
import { seeded } from '../helpers/random.ts';
import { recording } from '../helpers/recording.ts';
import { once, turn, until, within } from '../helpers/until.ts';

const HASH = '/api/v1/hash';
const MEBIBYTE = 2 ** 20;
/** Bytes that are written between two checks whether the stream accepts more. */
const BATCH = 16 * 1024;

/** A holder that never moves. */
const STILL: Holder = { progress: () => 0, reset: () => undefined };

const reservationOf = (size: number): Reservation => {
  const reservation = new Room(size, size).reserve(size, STILL);
  assert.ok(reservation !== undefined);
  return reservation;
};

/** Writes until the stream accepts no more, and returns the number of bytes that it accepted. */
async function fill(stream: ReadAhead, chunk: Buffer): Promise<number> {
  const count = Math.ceil(BATCH / chunk.length);
  let taken = 0;
  for (;;) {
    let isWritten = false;
    for (let index = 1; index < count; index += 1) stream.write(chunk);
    stream.write(chunk, () => {
      isWritten = true;
    });
    await turn();
    if (!isWritten) return taken;
    taken += count * chunk.length;
  }
}

test('passes on every byte in order, in chunks of any size', async () => {
  const random = seeded(1);
  const source = Buffer.from(Array.from({ length: 500_000 }, () => random.below(256)));
  for (const waitsForEnd of [false, true]) {
    const chunks = function* (): Generator<Buffer> {
      for (let start = 0; start < source.length; ) {
        const size = random.pick([1, 2, 100, 5_000, 70_000]);
        yield source.subarray(start, start + size);
        start += size;
      }
    };
    const received: Buffer[] = [];
    const stream = new ReadAhead(reservationOf(MEBIBYTE), waitsForEnd);
    await pipeline(chunks, stream, async (blocks: AsyncIterable<Buffer>) => {
      for await (const block of blocks) {
        received.push(block);
        if (random.below(3) === 0) await turn();
      }
    });
    assert.ok(Buffer.concat(received).equals(source));
  }
});

test('reads up to the reserved size ahead, however small the chunks are', async () => {
  for (const size of [1, 100, 60_000]) {
    const stream = new ReadAhead(reservationOf(MEBIBYTE), false);
    const before = process.memoryUsage();
    const taken = await fill(stream, Buffer.alloc(size));
    const { heapUsed, external } = process.memoryUsage();
    assert.ok(taken >= MEBIBYTE / 2 && taken < 1.3 * MEBIBYTE, `${size}: ${taken}`);
    if (size > 1) continue;
    // As objects, a million chunks of a byte would take 100 MB.
    const grown = heapUsed + external - before.heapUsed - before.external;
    assert.ok(grown < 64 * MEBIBYTE, `${grown}`);
  }
});

test('passes nothing on before the end if it waits for the end', async () => {
  const complete = new ReadAhead(reservationOf(MEBIBYTE), true);
  complete.write(Buffer.from('a\n'));
  await turn();
  assert.equal(complete.read(), null);
  complete.end('b\n');
  assert.deepEqual(Buffer.concat((await complete.toArray()) as Buffer[]).toString(), 'a\nb\n');
});

test('returns the room of a body as it is passed on, ends, closes or fails', async () => {
  const room = new Room(3 * MEBIBYTE, MEBIBYTE);
  const streams = [1, 2, 3].map(() => new ReadAhead(room.reserve(NaN, STILL)!, false));
  assert.equal(room.reserved, 3 * MEBIBYTE);
  assert.equal(room.reserve(1, STILL), undefined);
  streams[0]!.end(Buffer.alloc(100_000));
  await turn();
  // Of a body that has arrived, only the rest needs room.
  assert.ok(room.reserved <= 2 * MEBIBYTE + 100_000);
  await streams[0]!.resume().toArray();
  streams[1]!.destroy();
  streams[2]!.destroy(new Error('gone'));
  await Promise.all(streams.slice(1).map((stream) => once(stream, 'close').catch(() => undefined)));
  assert.equal(room.reserved, 0);
});

test('resets a holder that is slower than the minimum pace for 10 s, and no other', (context) => {
  const pass = replaceClock(context);
  const room = new Room(4 * MEBIBYTE, MEBIBYTE);
  const reset: string[] = [];
  // The bytes that each client has sent at first, and per second.
  const clients = [
    ['burst', 39_000_000, 0],
    ['trickle', 0, 1_000],
    ['steady', 0, MINIMUM_PACE],
    ['new', 0, 0],
  ] as const;
  let seconds = 0;
  for (const [name, first, pace] of clients) {
    const progress = (): number => (seconds > 0 ? first : 0) + seconds * pace;
    room.reserve(NaN, { progress, reset: () => void reset.push(name) });
  }
  const wait = (time: number): void => {
    pass(time * 1_000);
    seconds += time;
    assert.equal(room.reserve(1, STILL), undefined);
    room.resetSlow();
  };
  wait(9);
  assert.deepEqual(reset, []);
  wait(1);
  assert.deepEqual(reset, ['trickle', 'new']);
  assert.equal(room.reserved, 2 * MEBIBYTE);
});

/** A client that reads nothing. */
interface Sender {
  readonly socket: Socket;
  /** Resolves to whether all bytes have been written; false after a reset. */
  readonly isSent: Promise<boolean>;
}

/** Sends a bulk request on a new connection, without reading. */
async function sendUnread(
  context: TestContext,
  port: number,
  path: string,
  body: Buffer,
  isChunked: boolean,
  isWhole = true,
): Promise<Sender> {
  const socket: Socket = net.connect({ port, host: '127.0.0.1' });
  context.after(() => socket.destroy());
  socket.pause();
  await once(socket, 'connect');
  const coding = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\n${coding}\r\n`
      + 'Connection: close\r\n\r\n',
  );
  const isSent = within(
    'the end of sending',
    new Promise<boolean>((resolve) => {
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(false));
      if (isChunked) socket.write(`${body.length.toString(16)}\r\n`);
      socket.write(body);
      if (isWhole) socket.write(isChunked ? '\r\n0\r\n\r\n' : '', (error) => resolve(!error));
    }),
  );
  return { socket, isSent };
}

test('answers 20,000 lines of a client that sends all of them before it reads', async (context) => {
  const service = run(context, ['--port=0']);
  const port = Number(new URL(String((await service.event('ready'))['address'])).port);
  // The answers, 28 MB, are more than the buffers of the connection can hold.
  const body = Buffer.from(`{"text":"${'a'.repeat(500)}"}\n`.repeat(20_000));
  for (const isChunked of [false, true]) {
    const { socket, isSent } = await sendUnread(context, port, HASH, body, isChunked);
    assert.equal(await isSent, true);
    const received = await collect(socket.resume());
    assert.equal(received.split('{"status":"success"').length, 20_001);
    assert.ok(received.endsWith('0\r\n\r\n'));
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

test('answers each of several large bulk requests as a whole, or refuses it with 503', async (context) => {
  const line = `{"text":"${'a'.repeat(200)}"}\n`;
  const body = Buffer.from(line.repeat(Math.floor((3 * MEBIBYTE) / line.length)));
  const service = run(context, ['--port=0', `--bulk-buffer=${4 * MEBIBYTE}`, '--metrics=on']);
  const address = String((await service.event('ready'))['address']);
  const port = Number(new URL(address).port);
  for (const isChunked of [false, true]) {
    for (const count of [1, 2, 8]) {
      const outcomes = await sendTogether(port, body, count, isChunked);
      const whole = outcomes.filter((outcome) => outcome === 'whole').length;
      assert.deepEqual(
        new Set([...outcomes, 'whole', '503 1']),
        new Set(['whole', '503 1']),
        String(outcomes),
      );
      assert.ok(whole >= Math.min(count, 2), String(outcomes));
    }
  }
  const metrics = await (await fetch(`${address}/metrics`)).text();
  assert.match(metrics, /\nbulk_memory_reserved_bytes 0\n/);
  assert.match(metrics, /\nbulk_memory_limit_bytes 8388608\n/);
});

test('refuses a bulk request without room before its answer begins, and logs the reset of a slow holder', async (context) => {
  const pass = replaceClock(context);
  const { observers, lines } = recording(context, { verbosity: 'errors' });
  const room = new Room(MEBIBYTE, MEBIBYTE);
  const { port } = await listen(context, {}, { observers, room });
  const { socket: holder } = await sendUnread(
    context,
    port,
    HASH,
    Buffer.from('{"text":"a"}\n'),
    true,
    false,
  );
  await until('a reservation', () => room.reserved > 0, turn);
  const refuse = async (): Promise<string[]> =>
    sendTogether(port, Buffer.from('{"text":"a"}\n'), 1, false);
  assert.deepEqual(await refuse(), ['503 1']);
  pass(PACE_GRACE + 1);
  assert.deepEqual(await refuse(), ['whole']);
  // A client that does not read may not notice the reset.
  holder.resume();
  await until('the close of the holder', () => holder.destroyed);
  const seen = lines
    .filter(({ msg }) => msg !== 'recovered')
    .map(({ msg, reason, refusing }) => [msg, reason ?? refusing]);
  assert.deepEqual(seen, [
    ['overloaded', 'bulk requests'],
    ['reset', 'slow'],
  ]);
});
