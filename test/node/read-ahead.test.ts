/** Tests of bulk requests whose clients send all lines before they read an answer. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import net, { type Socket } from 'node:net';
import { pipeline } from 'node:stream/promises';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { STALL_TIMEOUT } from '../../src/node/limits.ts';
import { Budget, ReadAhead, type ReadAheadOptions } from '../../src/node/read-ahead.ts';
import { run } from '../command.ts';
import { seeded } from '../random.ts';

const TAX = '/api/v1/tax/calculate';
const LINE = '{"income":30000000,"dependents":1}\n';
const MEBIBYTE = 2 ** 20;
/** Bytes that are written between two checks whether the stream accepts more. */
const BATCH = 8 * 1024;

const options = (changes: Partial<ReadAheadOptions> = {}): ReadAheadOptions =>
  ({ limit: MEBIBYTE, budget: new Budget(8 * MEBIBYTE), isHeld: false, ...changes });

/** Writes until the stream accepts no more, and returns the number of bytes that it accepted. */
async function fill(stream: ReadAhead, chunk: Buffer): Promise<number> {
  let taken = 0;
  for (;;) {
    const written = new Promise<boolean>((resolve) => {
      for (let size = chunk.length; size < BATCH; size += chunk.length) stream.write(chunk);
      stream.write(chunk, () => resolve(true));
    });
    if (!await Promise.race([written, sleep(20, false)])) return taken;
    taken += Math.ceil(BATCH / chunk.length) * chunk.length;
  }
}

test('passes on every byte in order, in chunks of any size', async () => {
  const random = seeded(1);
  const source = Buffer.from(Array.from({ length: 500_000 }, () => random.below(256)));
  for (const isHeld of [false, true]) {
    const chunks = function* (): Generator<Buffer> {
      for (let start = 0; start < source.length;) {
        const size = random.pick([1, 2, 100, 5_000, 70_000]);
        yield source.subarray(start, start + size);
        start += size;
      }
    };
    const received: Buffer[] = [];
    await pipeline(chunks, new ReadAhead(options({ isHeld })), async (blocks: AsyncIterable<Buffer>) => {
      for await (const block of blocks) {
        received.push(block);
        if (random.below(3) === 0) await new Promise((resolve) => setImmediate(resolve));
      }
    });
    assert.ok(Buffer.concat(received).equals(source));
  }
});

test('buffers little without a reader, and up to the limit when reading ahead', async () => {
  for (const size of [1, 100, 60_000]) {
    const stream = new ReadAhead(options());
    const chunk = Buffer.alloc(size);
    assert.ok(await fill(stream, chunk) < 5 * 64 * 1024);
    assert.equal(stream.isFull, false);
    stream.extend();
    await sleep(50);
    const taken = await fill(stream, chunk);
    assert.ok(stream.isFull && taken > MEBIBYTE / 2 && taken < 1.2 * MEBIBYTE, `${size}: ${taken}`);
  }
});

test('passes nothing on before the end or a full buffer when held', async () => {
  const complete = new ReadAhead(options({ isHeld: true }));
  complete.write(Buffer.from('a\n'));
  await sleep(20);
  assert.equal(complete.read(), null);
  complete.end('b\n');
  assert.deepEqual(Buffer.concat(await complete.toArray() as Buffer[]).toString(), 'a\nb\n');
  const budget = new Budget(1);
  const full = new ReadAhead(options({ isHeld: true, budget }));
  full.write(Buffer.from('a\n'));
  await once(full, 'readable');
  assert.equal(String(full.read()), 'a\n');
});

test('shares the budget among streams, and returns each share when a stream ends, closes or fails', async () => {
  const budget = new Budget(MEBIBYTE);
  const streams = [false, true, true].map((isHeld) => new ReadAhead(options({ budget, isHeld, limit: MEBIBYTE })));
  for (const stream of streams) {
    stream.extend();
    await fill(stream, Buffer.alloc(10_000));
  }
  assert.ok(budget.isSpent && streams.every((stream) => stream.isFull));
  streams[0]!.end();
  await streams[0]!.resume().toArray();
  streams[1]!.destroy();
  streams[2]!.destroy(new Error('gone'));
  await Promise.all(streams.slice(1).map((stream) => once(stream, 'close').catch(() => undefined)));
  budget.take(MEBIBYTE - 1);
  assert.equal(budget.isSpent, false);
});

/** Sends a complete bulk request before it reads. Resolves to the bytes received, or undefined after a reset. */
async function sendFirst(
  context: TestContext,
  port: number,
  lines: number,
  isChunked: boolean,
): Promise<{ received: string | undefined; time: number }> {
  const body = Buffer.from(LINE.repeat(lines));
  const coding = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  const socket: Socket = net.connect({ port, host: '127.0.0.1' });
  context.after(() => socket.destroy());
  socket.pause();
  await once(socket, 'connect');
  const begin = performance.now();
  socket.write(`POST ${TAX} HTTP/1.1\r\nHost: a\r\nContent-Type: application/x-ndjson\r\n${coding}\r\n`
    + 'Connection: close\r\n\r\n');
  const closed = new Promise<'closed'>((resolve) => socket.on('error', () => undefined).on('close', () => resolve('closed')));
  const parts = isChunked ? [`${body.length.toString(16)}\r\n`, body, '\r\n0\r\n\r\n'] : [body];
  const sent = Promise.all(parts.map((part) => new Promise<void>((resolve) =>
    socket.write(part, (error) => void (error ?? resolve())))));
  const outcome = await Promise.race([sent, closed]);
  if (outcome === 'closed') return { received: undefined, time: performance.now() - begin };
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk)).resume();
  await closed;
  return { received: Buffer.concat(chunks).toString('latin1'), time: performance.now() - begin };
}

test('answers 100,000 lines of a client that sends all of them before it reads', async (context) => {
  const service = run(context, ['--port=0']);
  const port = Number(new URL(String((await service.event('ready'))['address'])).port);
  for (const isChunked of [false, true]) {
    const { received, time } = await sendFirst(context, port, 100_000, isChunked);
    context.diagnostic(`${isChunked ? 'chunked' : 'Content-Length'}: ${Math.round(time)} ms`);
    assert.equal(received?.split('{"status":"success"').length, 100_001);
    assert.ok(received?.endsWith('0\r\n\r\n'));
  }
});

test('resets a client that fills the buffer and reads nothing, and logs the reason', async (context) => {
  const service = run(context, ['--port=0', '--bulk-buffer=1000000']);
  const port = Number(new URL(String((await service.event('ready'))['address'])).port);
  const { received, time } = await sendFirst(context, port, 1_000_000, true);
  assert.equal(received, undefined);
  assert.ok(time > STALL_TIMEOUT && time < 2 * STALL_TIMEOUT + 5_000, String(time));
  const { client, path, reason } = await service.event('reset');
  assert.deepEqual([client, path, reason], ['127.0.0.1', TAX, 'the answers were not read']);
});
