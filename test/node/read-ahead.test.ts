/** Tests of bulk requests whose clients send all lines before they read an answer. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../src/contract/operation.ts';
import { type BulkBuffer, ReadAhead } from '../../src/node/read-ahead.ts';
import { run } from '../command.ts';
import { collect, faulty, listen } from '../http/fixture.ts';
import { seeded } from '../random.ts';
import { turn, until } from '../until.ts';
import { recording } from './recording.ts';

const HASH = '/api/v1/hash';
const LONG_RESULT = JSON.stringify('a'.repeat(10_000));
const MEBIBYTE = 2 ** 20;
/** Bytes of memory that are written between two checks whether the stream accepts more. */
const BATCH = 16 * 1024;
/** Bytes of memory that a chunk takes at most besides its content. */
const CHUNK_COST = 1_000;

const bufferOf = (total = 8 * MEBIBYTE): BulkBuffer => ({ limit: MEBIBYTE, total, used: 0 });

/** Writes until the stream accepts no more, and returns the number of bytes that it accepted. */
async function fill(stream: ReadAhead, chunk: Buffer): Promise<number> {
  const count = Math.ceil(BATCH / (chunk.length + CHUNK_COST));
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
      for (let start = 0; start < source.length;) {
        const size = random.pick([1, 2, 100, 5_000, 70_000]);
        yield source.subarray(start, start + size);
        start += size;
      }
    };
    const received: Buffer[] = [];
    await pipeline(chunks, new ReadAhead(bufferOf(), waitsForEnd), async (blocks: AsyncIterable<Buffer>) => {
      for await (const block of blocks) {
        received.push(block);
        if (random.below(3) === 0) await turn();
      }
    });
    assert.ok(Buffer.concat(received).equals(source));
  }
});

test('buffers little without a reader, and up to the limit when reading ahead', async () => {
  for (const [size, least] of [[1, 1_000], [100, MEBIBYTE / 10], [60_000, MEBIBYTE / 2]] as const) {
    const stream = new ReadAhead(bufferOf(), false);
    const chunk = Buffer.alloc(size);
    assert.ok(await fill(stream, chunk) < 5 * 64 * 1024);
    assert.equal(stream.isFull, false);
    stream.extend();
    await turn();
    const taken = await fill(stream, chunk);
    // The objects of the chunks count, so that chunks of one byte do not take more memory.
    assert.ok(stream.isFull && taken > least && taken < 1.2 * MEBIBYTE, `${size}: ${taken}`);
  }
});

test('passes nothing on before the end or a full buffer if it waits for the end', async () => {
  const complete = new ReadAhead(bufferOf(), true);
  complete.write(Buffer.from('a\n'));
  await turn();
  assert.equal(complete.read(), null);
  complete.end('b\n');
  assert.deepEqual(Buffer.concat(await complete.toArray() as Buffer[]).toString(), 'a\nb\n');
  const full = new ReadAhead(bufferOf(1), true);
  full.write(Buffer.from('a\n'));
  await once(full, 'readable');
  assert.equal(String(full.read()), 'a\n');
});

test('shares the memory among streams, and returns each share when a stream ends, closes or fails', async () => {
  const buffer = bufferOf(MEBIBYTE);
  const streams = [false, true, true].map((waitsForEnd) => new ReadAhead(buffer, waitsForEnd));
  for (const stream of streams) {
    stream.extend();
    await fill(stream, Buffer.alloc(10_000));
  }
  assert.ok(buffer.used >= buffer.total && streams.every((stream) => stream.isFull));
  streams[0]!.end();
  await streams[0]!.resume().toArray();
  streams[1]!.destroy();
  streams[2]!.destroy(new Error('gone'));
  await Promise.all(streams.slice(1).map((stream) => once(stream, 'close').catch(() => undefined)));
  assert.equal(buffer.used, 0);
});

/** An operation with a long answer. */
const long: Operation = { ...faulty, id: 'long', path: '/api/v1/long', run: () => LONG_RESULT };

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
): Promise<Sender> {
  const socket: Socket = net.connect({ port, host: '127.0.0.1' });
  context.after(() => socket.destroy());
  socket.pause();
  await once(socket, 'connect');
  const coding = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\n${coding}\r\n`
    + 'Connection: close\r\n\r\n');
  const isSent = new Promise<boolean>((resolve) => {
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(false));
    if (isChunked) socket.write(`${body.length.toString(16)}\r\n`);
    socket.write(body);
    socket.write(isChunked ? '\r\n0\r\n\r\n' : '', (error) => resolve(!error));
  });
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

test('reads one block ahead while the client reads its answers', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const bulkBuffer = bufferOf();
  const { server, port } = await listen(context, { operations: [long] }, { bulkBuffer });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const body = Buffer.from(`${'{}'.padEnd(1_000)}\n`.repeat(3_000));
  const { socket: client } = await sendUnread(context, port, long.path, body, true);
  const [socket] = await accepted;
  let isOver = false;
  const received = collect(client.resume());
  void received.then(() => (isOver = true));
  let most = 0;
  for (let before = 0; !isOver; await turn()) {
    most = Math.max(most, bulkBuffer.used);
    const taken = socket.bytesWritten - socket.writableLength;
    // Whenever the service checks, the client has taken some of the answers.
    if (taken > before) context.mock.timers.tick(1_000);
    before = taken;
  }
  assert.equal((await received).split('{"status":"success"').length, 3_001);
  assert.ok(most < 5 * 64 * 1024, `${most} bytes`);
});

test('resets a client that fills the buffer and reads nothing for 10 s, and logs the reason', async (context) => {
  context.mock.timers.enable({ apis: ['setInterval'] });
  const { recorder, lines } = recording(context, { verbosity: 'errors' });
  const bulkBuffer = bufferOf();
  const { server, port } = await listen(context, { operations: [long] }, { recorder, bulkBuffer });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const body = Buffer.from(`${'{}'.padEnd(1_000)}\n`.repeat(20_000));
  const { socket: client, isSent } = await sendUnread(context, port, long.path, body, true);
  const [socket] = await accepted;
  // The seconds in which answers waited and the client took no byte of them.
  let seconds = 0;
  for (let before = -1; lines.length === 0; await sleep(5)) {
    const taken = socket.bytesWritten - socket.writableLength;
    seconds = taken === before && socket.writableLength > 0 ? seconds + 1 : 0;
    before = taken;
    assert.ok(seconds <= 10, `expected a reset within 10 s, got none after ${seconds} s`);
    context.mock.timers.tick(1_000);
    const isReadAhead = seconds > 0 && lines.length === 0;
    await until('a full buffer', () => !isReadAhead || bulkBuffer.used >= bulkBuffer.limit, turn);
  }
  assert.equal(seconds, 10);
  assert.equal(await isSent, false);
  assert.ok(client.destroyed);
  assert.deepEqual(lines, [
    { level: 'warn', msg: 'reset', id: undefined, client: '127.0.0.1', path: long.path, reason: 'unread' },
  ]);
});
