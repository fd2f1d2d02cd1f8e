import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import net, { type Socket } from 'node:net';
import type { UnderlyingSource } from 'node:stream/web';
import { type TestContext, test } from 'node:test';
import type { Operation } from '../../src/contract/operation.ts';
import { answerLines, Slices, type Tally } from '../../src/http/bulk.ts';
import { createFetchHandler } from '../../src/http/fetch.ts';
import { IDLE_TIMEOUT } from '../../src/node/limits.ts';
import { exposition, Metrics } from '../../src/process/metrics.ts';
import { Observer } from '../../src/node/observer.ts';
import { WorkQueue } from '../../src/node/queue.ts';
import { createService, type Service } from '../../src/http/service.ts';
import { operations } from '../../src/operations.ts';
import { type Run, run } from '../command.ts';
import { seeded } from '../random.ts';
import { fuzzedBody } from './bodies.ts';
import { calculations, conformingService, faulty, type Fixture, listen, serviceOptions } from './fixture.ts';

const TAX = '/api/v1/tax/calculate';
const HASH = '/api/v1/hash';
const NDJSON = { 'content-type': 'application/x-ndjson' };
const FUZZED = 1_500;
const SEED = 20_261_128;
/** Lines of the stream that stands for one of any length, and of each block that is sent of it. */
const MANY_LINES = 400_000;
const BLOCK_LINES = 1_000;

const onLinux = { skip: process.platform === 'linux' ? false : 'needs procfs' };

/** The head of a stream, as text for a socket. */
function headOf(path: string, ...headers: readonly string[]): string {
  return [`POST ${path} HTTP/1.1`, 'Host: a', 'Content-Type: application/x-ndjson', ...headers, '\r\n'].join('\r\n');
}

const CHUNKED = 'Transfer-Encoding: chunked';
const LAST_CHUNK = '0\r\n\r\n';

/** Bytes as one chunk of the chunked transfer coding. */
function chunkOf(bytes: string | Buffer): Buffer {
  const data = Buffer.from(bytes as string);
  return Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, Buffer.from('\r\n')]);
}

/** A connection, the bytes received on it as text with one character per byte, and how it ended. */
interface Connection {
  readonly socket: Socket;
  received: string;
  /** Resolves to 'end' after an orderly close, otherwise to the code of the error. */
  readonly closed: Promise<string>;
  /** Waits until the received text fulfils a condition. */
  readonly until: (holds: (received: string) => boolean) => Promise<void>;
}

async function connect(context: TestContext, port: number, isHalfOpen = false): Promise<Connection> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: isHalfOpen });
  context.after(() => socket.destroy());
  let error = 'end';
  socket.on('error', ({ code }: NodeJS.ErrnoException) => (error = String(code)));
  const closed = new Promise<string>((resolve) => socket.on('close', () => resolve(error)));
  const connection: Connection = {
    socket,
    received: '',
    closed,
    async until(holds) {
      while (!holds(connection.received)) {
        const reason = await Promise.race([closed, once(socket, 'data').then(() => undefined, () => undefined)]);
        if (reason !== undefined && !holds(connection.received)) {
          throw new Error(`closed (${reason}) after ${connection.received.slice(-200)}`);
        }
      }
    },
  };
  socket.on('data', (data) => {
    connection.received += data.toString('latin1');
  });
  await once(socket, 'connect');
  return connection;
}

/** A received response, its body without the transfer coding. */
interface Streamed {
  readonly head: string;
  readonly body: string;
  readonly isWhole: boolean;
  /** The text after it. */
  readonly rest: string;
}

/** The first response in a received text. */
function responseIn(received: string): Streamed {
  const end = received.indexOf('\r\n\r\n');
  const head = received.slice(0, end);
  let rest = received.slice(end + 4);
  if (/^HTTP\/1\.1 1\d\d /.test(head)) return responseIn(rest);
  if (!/\r\nTransfer-Encoding: chunked(?:\r|$)/i.test(head)) {
    const length = Number(/\r\nContent-Length: (\d+)/i.exec(head)?.[1] ?? rest.length);
    const body = Buffer.from(rest.slice(0, length), 'latin1').toString();
    return { head, body, isWhole: rest.length >= length, rest: rest.slice(length) };
  }
  const parts: string[] = [];
  for (;;) {
    const size = /^([\da-f]+)\r\n/i.exec(rest.slice(0, 20));
    if (size === null) break;
    const [line, digits = ''] = size;
    const length = Number.parseInt(digits, 16);
    parts.push(rest.slice(line.length, line.length + length));
    const isWhole = length === 0 && rest.startsWith(LAST_CHUNK);
    rest = rest.slice(line.length + length + 2);
    if (isWhole) return { head, body: Buffer.from(parts.join(''), 'latin1').toString(), isWhole, rest };
  }
  return { head, body: Buffer.from(parts.join(''), 'latin1').toString(), isWhole: false, rest };
}

const isWhole = (received: string): boolean => received.includes('\r\n\r\n') && responseIn(received).isWhole;

/** Sends parts, each after the kernel has taken the previous part, and returns the body of the answer. */
async function bodyFor(context: TestContext, port: number, ...parts: readonly (string | Buffer)[]): Promise<string> {
  const connection = await connect(context, port);
  for (const part of parts) {
    await new Promise<void>((resolve) => connection.socket.write(part, () => setImmediate(resolve)));
  }
  await connection.until(isWhole);
  connection.socket.destroy();
  return responseIn(connection.received).body;
}

/** The expected answer to a body: per line, the answer to a single request; an error also has the line number. */
async function oracle(service: Service, target: string, body: Buffer): Promise<string> {
  const answers: string[] = [];
  let number = 0;
  for (let start = 0; start < body.length;) {
    const newline = body.indexOf('\n', start);
    const end = newline === -1 ? body.length : newline;
    const line = body.subarray(start, body[end - 1] === 13 && end > start ? end - 1 : end);
    start = end + 1;
    number += 1;
    if (line.length === 0) continue;
    const head = { method: 'POST', target, headers: { 'content-type': 'application/json' } };
    const answer = await service.answer(head, line);
    const envelope = JSON.parse(answer.body) as { error?: object };
    const isSuccess = answer.status === 200;
    answers.push(isSuccess ? answer.body : JSON.stringify({ ...envelope, error: { ...envelope.error, line: number } }));
  }
  return answers.map((answer) => `${answer}\n`).join('');
}

/** The answer of the function under test to a body in pieces. */
async function inPieces(service: Service, target: string, pieces: Iterable<Uint8Array>): Promise<string> {
  const step = service.route({ method: 'POST', target, headers: NDJSON });
  assert.ok(step.kind === 'post' && step.isBulk);
  const { limit, answer } = step;
  const tally: Tally = { succeeded: 0, failed: 0, bytes: 0 };
  let answers = '';
  const options = { limit, answer, tally, slices: new Slices(), onFault: assert.fail };
  for await (const text of answerLines(pieces, options)) answers += Buffer.from(text).toString();
  const envelopes = answers.split('\n').slice(0, -1);
  const failed = envelopes.filter((envelope) => /^\{(?:"id":[^,]+,)?"status":"error"/.test(envelope)).length;
  assert.deepEqual(tally, { succeeded: envelopes.length - failed, failed, bytes: Buffer.byteLength(answers) });
  return answers;
}

/** An observer, its metrics, and the lines of its log. */
interface Observed {
  readonly observer: Observer;
  readonly metrics: Metrics;
  readonly lines: Readonly<Record<string, unknown>>[];
  /** Resolves to the line of the next request that ends. */
  readonly ended: () => Promise<Readonly<Record<string, unknown>>>;
}

function observed(): Observed {
  const lines: Readonly<Record<string, unknown>>[] = [];
  const waiting: ((line: Readonly<Record<string, unknown>>) => void)[] = [];
  const metrics = new Metrics('1.0.0');
  const observer = new Observer({
    log: {
      line: (level, msg, fields) => void lines.push({ level, msg, ...fields }),
      write(fields) {
        const line = JSON.parse(`{${fields()}}`) as Readonly<Record<string, unknown>>;
        lines.push(line);
        for (const wake of waiting.splice(0)) wake(line);
      },
      flush: () => Promise.resolve(true),
    },
    level: 'requests',
    metrics,
    paths: [...operations, faulty, counted].map(({ path }) => path),
    trusted: undefined,
  });
  return { observer, metrics, lines, ended: () => new Promise((resolve) => waiting.push(resolve)) };
}

let calls = 0;
const LARGE_RESULT = JSON.stringify('a'.repeat(10_000));

/** An operation that counts its calls, with a long answer. */
const counted: Operation = {
  ...faulty,
  id: 'count',
  path: '/api/v1/counted',
  run: () => {
    calls += 1;
    return LARGE_RESULT;
  },
};

/** Starts a service with that operation. */
function listenCounting(context: TestContext, observer?: Observer): Promise<Fixture> {
  calls = 0;
  return listen(context, { operations: [...operations, counted] }, {}, observer);
}

const small = Buffer.from('{"text":"é"}\r\n\nno\n{"text":1}\n\r\n{"text":"b"}');

test('answers a small stream, cut at every pair of positions, like the whole stream', async () => {
  const service = conformingService();
  const expected = await oracle(service, HASH, small);
  assert.equal(expected.match(/\n/g)?.length, 4);
  for (let first = 0; first <= small.length; first += 1) {
    for (let second = first; second <= small.length; second += 1) {
      const pieces = [small.subarray(0, first), small.subarray(first, second), small.subarray(second)];
      assert.equal(await inPieces(service, HASH, pieces), expected, `${first}, ${second}`);
    }
  }
  assert.equal(await inPieces(service, HASH, [...small].map((byte) => Uint8Array.of(byte))), expected);
});

test('answers a stream over a connection, cut at every position of headers, coding and lines', async (context) => {
  const { port, service } = await listen(context);
  const expected = await oracle(service, HASH, small);
  const half = small.length / 2;
  const uploads = [
    Buffer.concat([Buffer.from(headOf(HASH, `Content-Length: ${small.length}`)), small]),
    Buffer.concat([Buffer.from(headOf(HASH, CHUNKED)), chunkOf(small.subarray(0, half)),
      chunkOf(small.subarray(half)), Buffer.from(LAST_CHUNK)]),
  ];
  for (const upload of uploads) {
    for (let at = 1; at < upload.length; at += 1) {
      const body = await bodyFor(context, port, upload.subarray(0, at), upload.subarray(at));
      assert.equal(body, expected, `${at} of ${upload.length}`);
    }
  }
});

const TAX_LINE = '{"income":30000000}';
const TAX_LIMIT = 16_384;
const padded = (length: number): string => TAX_LINE.padEnd(length);

const streams: readonly [label: string, body: string | Buffer, lines: readonly string[]][] = [
  ['no byte', '', []],
  ['a newline', '\n', []],
  ['only empty lines', '\r\n\n\n\r\n', []],
  ['one line without a newline', TAX_LINE, ['success']],
  ['one line with CR at the end', `${TAX_LINE}\r`, ['success']],
  ['CR LF', `${TAX_LINE}\r\n${TAX_LINE}\r\n`, ['success', 'success']],
  ['two CR, of which one belongs to the line as white space', `${TAX_LINE}\r\r\n`, ['success']],
  ['empty lines, which have numbers but no answers', `\n\r\n${TAX_LINE}\n\nx\n`, ['success', 'invalid_json 5']],
  ['lines of white space, which are not empty', ' \n\t\n', ['invalid_json 1', 'invalid_json 2']],
  ['CR alone, which ends no line', `${TAX_LINE}\r${TAX_LINE}\n`, ['invalid_json 1']],
  ['U+2028, which ends no line', `{"\u2028":1}\n`, ['validation_failed 1']],
  ['a byte order mark', `\ufeff${TAX_LINE}\n${TAX_LINE}`, ['invalid_json 1', 'success']],
  ['invalid UTF-8', Buffer.from([0xff, 10, 0xc3, 10, 0xa9, 10]),
    ['invalid_json 1', 'invalid_json 2', 'invalid_json 3']],
  ['zero bytes', '\0\n\0', ['invalid_json 1', 'invalid_json 2']],
  ['a JSON text over several lines', '{\n"income":1\n}', ['invalid_json 1', 'invalid_json 2', 'invalid_json 3']],
  ['invalid lines between valid ones', `{}\n${TAX_LINE}\n[]\n${TAX_LINE}\n`,
    ['validation_failed 1', 'success', 'invalid_json 3', 'success']],
  ['lines at the limit', `${padded(TAX_LIMIT)}\n${padded(TAX_LIMIT)}`, ['success', 'success']],
  ['lines at the limit, with CR LF', `${padded(TAX_LIMIT)}\r\n${padded(TAX_LIMIT)}\r`, ['success', 'success']],
  ['one byte over the limit', `${padded(TAX_LIMIT + 1)}\n${TAX_LINE}\n`, ['body_too_large 1', 'success']],
  ['one byte over the limit, with CR LF', `${TAX_LINE}\n${padded(TAX_LIMIT + 1)}\r\n`, ['success', 'body_too_large 2']],
  ['over the limit, without a newline at the end', padded(TAX_LIMIT + 1), ['body_too_large 1']],
  ['far over the limit, between valid lines', `${TAX_LINE}\n${'x'.repeat(300_000)}\n${TAX_LINE}`,
    ['success', 'body_too_large 2', 'success']],
  ['short lines that together exceed the limit', `${TAX_LINE}\n`.repeat(1_000),
    Array.from({ length: 1_000 }, () => 'success')],
  ['a hundred thousand empty lines', '\n'.repeat(100_000), []],
];

const outline = (answers: string): string[] => answers.split('\n').slice(0, -1).map((text) => {
  const { error } = JSON.parse(text) as { error?: { code: string; line: number } };
  if (error !== undefined) assert.equal(Object.keys(error).at(-1), 'line');
  return error === undefined ? 'success' : `${error.code} ${error.line}`;
});

test('splits a stream into lines', async (context) => {
  const { port, service } = await listen(context);
  for (const [label, body, lines] of streams) {
    await context.test(label, async () => {
      const bytes = Buffer.from(body as string);
      const expected = await oracle(service, TAX, bytes);
      assert.deepEqual(outline(expected), lines);
      const sizes = [bytes.length || 1, 65_536, 1_000, ...(bytes.length < 70_000 ? [1] : [])];
      for (const size of sizes) {
        const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size));
        assert.equal(await inPieces(service, TAX, pieces), expected, `pieces of ${size}`);
      }
      const whole = await bodyFor(context, port, headOf(TAX, `Content-Length: ${bytes.length}`), bytes);
      assert.equal(whole, expected);
      const chunks = bytes.length === 0 ? [] : [chunkOf(bytes.subarray(0, 11)), chunkOf(bytes.subarray(11))];
      const isOnlyChunk = bytes.length <= 11;
      const sent = isOnlyChunk ? chunks.slice(0, 1) : chunks;
      assert.equal(await bodyFor(context, port, headOf(TAX, CHUNKED), ...sent, LAST_CHUNK), expected);
    });
  }
});

/** Milliseconds of processor time, which other processes do not extend. */
function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

test('reads an endless line in pieces of one byte in linear time, and answers it once', async () => {
  const service = conformingService();
  const piece = Buffer.from('x');
  const pieces = function* (count: number): Generator<Buffer> {
    for (let index = 0; index < count; index += 1) yield piece;
  };
  const before = process.cpuUsage();
  assert.deepEqual(outline(await inPieces(service, TAX, pieces(200_000))), ['body_too_large 1']);
  assert.ok(millisecondsSince(before) < 5_000);
});

test(`answers the lines of ${FUZZED} random streams, seed ${SEED}, like single requests`, async (context) => {
  const random = seeded(SEED);
  const { port, service } = await listen(context);
  const bare = createService(serviceOptions());
  const counts = new Map<string, number>();
  for (let index = 0; index < FUZZED; index += 1) {
    const operation = random.pick(calculations);
    const lines = Array.from({ length: random.below(8) }, () => fuzzedBody(random, operation));
    const ends = ['\n', '\n', '\r\n', '\n\n', '\r\r\n', '\n \n'];
    const body = Buffer.concat(lines.flatMap((line) => [line, Buffer.from(random.pick(ends))]))
      .subarray(0, random.below(4) === 0 ? -1 : undefined);
    const expected = await oracle(service, operation.path, body);
    const label = `case ${index}: ${JSON.stringify(body.toString('latin1'))}`;
    const at = [random.below(body.length + 1), random.below(body.length + 1)].sort((left, right) => left - right);
    const pieces = [body.subarray(0, at[0]), body.subarray(at[0], at[1]), body.subarray(at[1])];
    assert.equal(await inPieces(service, operation.path, pieces), expected, label);
    const head = { method: 'POST', target: operation.path, headers: NDJSON };
    const { status, contentType: type, body: answers } = await bare.answer(head, body);
    assert.deepEqual([status, type, answers], [200, 'application/x-ndjson; charset=utf-8', expected], label);
    if (index % 10 === 0) {
      const chunks = pieces.filter((piece) => piece.length > 0).map(chunkOf);
      const answered = await bodyFor(context, port, headOf(operation.path, CHUNKED), ...chunks, LAST_CHUNK);
      assert.equal(answered, expected, label);
    }
    for (const [code = ''] of outline(expected).map((line) => line.split(' '))) {
      counts.set(code, (counts.get(code) ?? 0) + 1);
    }
  }
  for (const code of ['success', 'invalid_json', 'validation_failed']) {
    assert.ok((counts.get(code) ?? 0) > FUZZED / 4, `${code}: ${counts.get(code)}`);
  }
});

test('sends type, caching, CORS and request id, but no length, with a stream', async (context) => {
  const { url } = await listen(context, { corsOrigins: ['https://a.example'] }, {}, observed().observer);
  const headers = { ...NDJSON, 'x-request-id': 'payroll-8', origin: 'https://a.example' };
  const response = await fetch(url + HASH, { method: 'POST', headers, body: '{"text":"a"}\n{}\n' });
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
  assert.equal(response.headers.get('cache-control'), 'no-store');
  assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
  assert.equal(response.headers.get('access-control-allow-origin'), 'https://a.example');
  assert.equal(response.headers.get('x-request-id'), 'payroll-8');
  assert.equal(response.headers.get('content-length'), null);
  assert.deepEqual(outline(await response.text()), ['success', 'validation_failed 2']);
});

const refused: readonly [label: string, path: string, init: RequestInit, status: number][] = [
  ['an unsupported charset', TAX, { headers: { 'content-type': 'application/x-ndjson; charset=latin1' } }, 415],
  ['an unsupported name of the format', TAX, { headers: { 'content-type': 'application/jsonl' } }, 415],
  ['a compressed stream', TAX, { headers: { ...NDJSON, 'content-encoding': 'gzip' } }, 415],
  ['an unsupported method', TAX, { headers: NDJSON, method: 'PUT' }, 405],
  ['a path without POST', '/healthz', { headers: NDJSON }, 405],
  ['an unknown path', '/api/v1/taxes', { headers: NDJSON }, 404],
];

test('refuses a whole stream like a single request', async (context) => {
  const { url } = await listen(context);
  for (const [label, path, init, status] of refused) {
    const response = await fetch(url + path, { method: 'POST', body: `${TAX_LINE}\n`, ...init });
    assert.equal(response.status, status, label);
    assert.match(String(response.headers.get('content-type')), /^application\/json/, label);
    await response.text();
  }
  const queue = new WorkQueue(500);
  context.mock.getter(queue, 'isOverloaded', () => true);
  const busy = await listen(context, {}, {}, observed().observer, queue);
  const response = await fetch(busy.url + TAX, { method: 'POST', headers: NDJSON, body: TAX_LINE });
  assert.deepEqual([response.status, response.headers.get('retry-after')], [503, '1']);
  await response.text();
});

test('answers every line over HTTP/1.0, with Connection: close, and after the client half-closes', async (context) => {
  const { port, service } = await listen(context);
  const body = Buffer.from(`${TAX_LINE}\nno\n`.repeat(1_000));
  const expected = await oracle(service, TAX, body);
  const heads = [
    headOf(TAX, `Content-Length: ${body.length}`, 'Connection: close'),
    headOf(TAX, `Content-Length: ${body.length}`).replace('HTTP/1.1', 'HTTP/1.0'),
    headOf(TAX, `Content-Length: ${body.length}`, 'Connection: keep-alive').replace('HTTP/1.1', 'HTTP/1.0'),
  ];
  for (const head of heads) {
    for (const isHalfClosed of [false, true]) {
      const connection = await connect(context, port, isHalfClosed);
      connection.socket.write(head);
      connection.socket.write(body);
      if (isHalfClosed) connection.socket.end();
      else connection.socket.on('end', () => connection.socket.end());
      assert.equal(await connection.closed, 'end', head);
      const answer = responseIn(connection.received);
      assert.match(answer.head, /\r\nConnection: close/, head);
      assert.equal(/\r\nTransfer-Encoding: chunked/.test(answer.head), !head.includes('HTTP/1.0'), head);
      assert.ok(answer.isWhole && answer.body === expected, head);
    }
  }
});

test('keeps the connection, and answers requests pipelined after a stream', async (context) => {
  const { port, service } = await listen(context);
  const body = Buffer.from(`${TAX_LINE}\n`.repeat(500));
  const expected = await oracle(service, TAX, body);
  const stream = Buffer.concat([Buffer.from(headOf(TAX, CHUNKED)), chunkOf(body), Buffer.from(LAST_CHUNK)]);
  const single = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
  const connection = await connect(context, port);
  for (let round = 0; round < 3; round += 1) {
    connection.received = '';
    connection.socket.write(Buffer.concat([stream, Buffer.from(single), stream, stream, Buffer.from(single)]));
    await connection.until((received) => received.split('"alive":true}}').length === 3);
    let rest = connection.received;
    const bodies: string[] = [];
    while (rest !== '') {
      const answer = responseIn(rest);
      assert.ok(answer.isWhole);
      bodies.push(answer.body);
      ({ rest } = answer);
    }
    assert.deepEqual(bodies.map((text) => text === expected), [true, false, true, true, false]);
  }
});

test('sends 100 Continue before the body, and answers lines while the body arrives', async (context) => {
  const { port } = await listen(context);
  const connection = await connect(context, port);
  connection.socket.write(headOf(HASH, CHUNKED, 'Expect: 100-continue'));
  await connection.until((received) => received.startsWith('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n'));
  for (let line = 1; line <= 3; line += 1) {
    connection.socket.write(chunkOf(`{"text":"${line}"}\n`));
    await connection.until((received) => received.includes(`"input":"${line}"`));
  }
  connection.socket.write(LAST_CHUNK);
  await connection.until((received) => received.endsWith(`\r\n${LAST_CHUNK}`));
});

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const leaving: readonly [label: string, isReading: boolean, leave: (socket: Socket) => void][] = [
  ['a reset while reading', true, (socket) => socket.resetAndDestroy()],
  ['a close while reading', true, (socket) => socket.destroy()],
  ['a reset while not reading', false, (socket) => socket.resetAndDestroy()],
  ['a close while not reading', false, (socket) => socket.destroy()],
];

test('stops calculating when the client disconnects', async (context) => {
  const { observer, metrics, ended } = observed();
  const { port } = await listenCounting(context, observer);
  for (const [label, isReading, leave] of leaving) {
    calls = 0;
    const { socket, until } = await connect(context, port);
    const end = ended();
    const block = chunkOf('{}\n'.repeat(20_000));
    socket.write(headOf(counted.path, CHUNKED));
    const write = (): void => {
      while (!socket.destroyed && socket.write(block));
    };
    socket.on('drain', write);
    write();
    await until((received) => received.includes('"success"'));
    if (!isReading) socket.pause();
    leave(socket);
    const { lines, failed, aborted, client } = await end;
    assert.deepEqual([aborted, client], [true, '127.0.0.1'], label);
    await turns(20);
    const before = calls;
    // The slice of work in progress may finish after the line is logged.
    assert.ok(failed === 0 && Number(lines) > 0 && Number(lines) <= before && before < Number(lines) + 2_000, label);
    await turns(100);
    assert.equal(calls, before, label);
    assert.equal(metrics.inFlight, 0, label);
  }
});

test('ends the stream when the client disconnects within a line', async (context) => {
  for (const leave of [(socket: Socket) => socket.resetAndDestroy(), (socket: Socket) => socket.end()]) {
    const { observer, ended } = observed();
    const { port } = await listen(context, {}, {}, observer);
    const { socket, until } = await connect(context, port);
    const end = ended();
    socket.write(headOf(HASH, CHUNKED));
    socket.write(chunkOf('{"text":"a"}\n{"text":"half'));
    await until((received) => received.includes('"input":"a"'));
    leave(socket);
    const { lines, aborted } = await end;
    assert.deepEqual([lines, aborted], [1, true]);
  }
});

test('replaces the request timeout by an idle timeout during a stream, and restores it afterwards', async (context) => {
  const { server, port } = await listen(context, {}, { requestTimeout: 300 });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const connection = await connect(context, port);
  const [socket] = await accepted;
  connection.socket.write(headOf(HASH, CHUNKED));
  const begin = performance.now();
  let line = 0;
  while (performance.now() - begin < 1_500) {
    line += 1;
    connection.socket.write(chunkOf(`{"text":"${line}"}\n`));
    await connection.until((received) => received.includes(`"input":"${line}"`));
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.equal(socket.timeout, IDLE_TIMEOUT);
  }
  connection.socket.write(LAST_CHUNK);
  await connection.until(isWhole);
  assert.equal(outline(responseIn(connection.received).body).length, line);
  for (let round = 0; round < 2; round += 1) {
    connection.received = '';
    connection.socket.write('GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n');
    await connection.until(isWhole);
  }
  // After the stream, the request timeout applies to the connection again.
  connection.received = '';
  connection.socket.write('POST /api/v1/hash HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
    + 'Content-Length: 9\r\n\r\n{');
  assert.equal(await connection.closed, 'end');
  assert.match(connection.received, /^HTTP\/1\.1 408 /);
});

test('resets a stream after the idle timeout', async (context) => {
  const { server, port } = await listen(context);
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const connection = await connect(context, port);
  const [socket] = await accepted;
  connection.socket.write(headOf(HASH, 'Content-Length: 100000000').replace('HTTP/1.1', 'HTTP/1.0'));
  connection.socket.write('{"text":"a"}\n');
  await connection.until((received) => received.includes('"input":"a"'));
  socket.emit('timeout');
  assert.equal(await connection.closed, 'ECONNRESET');
});

const broken: readonly [label: string, bytes: string][] = [
  ['an invalid size', 'x\r\n'],
  ['a negative size', '-1\r\n{}\r\n'],
  ['more bytes than the size', '2\r\n{}{}\r\n'],
];

test('resets a stream whose transfer coding is malformed', async (context) => {
  const { observer, ended, metrics } = observed();
  const { port } = await listen(context, {}, {}, observer);
  for (const [label, bytes] of broken) {
    const connection = await connect(context, port);
    const end = ended();
    connection.socket.write(headOf(HASH, CHUNKED));
    connection.socket.write(chunkOf('{"text":"a"}\n'));
    await connection.until((received) => received.includes('"input":"a"'));
    connection.socket.write(bytes);
    assert.equal(await connection.closed, 'ECONNRESET', label);
    assert.equal(responseIn(connection.received).isWhole, false, label);
    await end;
    assert.equal(metrics.inFlight, 0, label);
  }
});

test('lets a stream finish while draining, and closes its connection', async (context) => {
  const { port, drain } = await listen(context);
  const connection = await connect(context, port);
  connection.socket.write(headOf(HASH, CHUNKED));
  connection.socket.write(chunkOf('{"text":"a"}\n'));
  await connection.until((received) => received.includes('"input":"a"'));
  const begin = performance.now();
  const drained = drain(10_000);
  // Longer than DRAIN_GRACE.
  while (performance.now() - begin < 600) {
    connection.socket.write(chunkOf('{"text":"b"}\n'));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  connection.socket.write(chunkOf('{"text":"c"}'));
  connection.socket.write(LAST_CHUNK);
  assert.equal(await connection.closed, 'end');
  await drained;
  assert.ok(performance.now() - begin < 5_000);
  const { isWhole: isAll, body } = responseIn(connection.received);
  assert.ok(isAll && body.includes('"input":"c"'));
});

const late: readonly [label: string, first: string, second: string][] = [
  ['HTTP/1.1', '', headOf(HASH, CHUNKED)],
  ['HTTP/1.0', '', headOf(HASH, 'Content-Length: 100000000').replace('HTTP/1.1', 'HTTP/1.0')],
  ['HTTP/1.1 after another stream', `${headOf(HASH, 'Content-Length: 14')}{"text":"aaa"}`, headOf(HASH, CHUNKED)],
];

test('resets an unfinished stream at the end of draining', async (context) => {
  for (const [label, first, second] of late) {
    const { port, drain } = await listen(context);
    const connection = await connect(context, port);
    const line = '{"text":"a"}\n';
    connection.socket.write(first + second + (second.includes(CHUNKED) ? chunkOf(line) : line));
    await connection.until((received) => received.includes('"input":"a"'));
    const begin = performance.now();
    await drain(500);
    assert.ok(performance.now() - begin < 3_000, label);
    assert.equal(await connection.closed, 'ECONNRESET', label);
  }
});

test('answers a stream that begins while draining, and closes its connection', async (context) => {
  const { port, app } = await listen(context);
  app.isDraining = true;
  const connection = await connect(context, port);
  connection.socket.write(`${headOf(HASH, 'Content-Length: 12')}{"text":"a"}`);
  assert.equal(await connection.closed, 'end');
  assert.match(responseIn(connection.received).head, /\r\nConnection: close/);
});

test('answers an internal error only in its line, and logs the number of the line', async (context) => {
  const { observer, lines, ended } = observed();
  let count = 0;
  const sometimes: Operation = {
    ...faulty,
    run(request, given) {
      count += 1;
      return count % 2 === 0 ? faulty.run(request, given) : '{}';
    },
  };
  const { url } = await listen(context, { operations: [...operations, sometimes] }, {}, observer);
  const end = ended();
  const headers = { ...NDJSON, 'x-request-id': 'batch-1' };
  const response = await fetch(url + sometimes.path, { method: 'POST', headers, body: '{}\n\n{}\n{}\n{}\n' });
  const body = await response.text();
  assert.deepEqual(outline(body), ['success', 'internal_error 3', 'success', 'internal_error 5']);
  assert.doesNotMatch(body, /secret|passwd|fixture/);
  await end;
  const faults = lines.filter(({ msg }) => msg === 'error');
  const errors = faults.map(({ err }) => err as { message: string; stack: string });
  assert.deepEqual(faults.map(({ id, line }) => [id, line]), [['batch-1', 3], ['batch-1', 5]]);
  for (const { message, stack } of errors) {
    assert.equal(message, 'the secret in /etc/passwd');
    assert.match(stack, /fixture/);
  }
});

test('logs and counts a stream as one request with its lines and failed lines', async (context) => {
  const { observer, metrics, ended } = observed();
  const { url } = await listen(context, {}, {}, observer);
  const end = ended();
  const headers = { ...NDJSON, 'x-request-id': 'batch-2' };
  const init = { method: 'POST', headers, body: `${TAX_LINE}\n\nno\n${TAX_LINE}` };
  const response = await fetch(`${url}${TAX}?secret`, init);
  const body = await response.text();
  const { ms, ...line } = await end;
  assert.ok(typeof ms === 'number' && ms > 0);
  assert.deepEqual(line, {
    level: 'info', msg: 'request', id: 'batch-2', client: '127.0.0.1', method: 'POST', path: TAX, status: 200,
    bytes: Buffer.byteLength(body), lines: 3, failed: 1,
  });
  const text = exposition([metrics.samples()]);
  for (const sample of [
    `bulk_lines_total{route="${TAX}",outcome="success"} 2`,
    `bulk_lines_total{route="${TAX}",outcome="error"} 1`,
    `http_requests_total{method="POST",route="${TAX}",status="200"} 1`,
    'http_requests_in_flight 0',
  ]) assert.ok(text.includes(`\n${sample}\n`), `${sample}\n${text}`);
});

test('createFetchHandler answers each line as it arrives, and stops when the answer is cancelled', async () => {
  const respond = createFetchHandler(conformingService());
  let isCancelled = false;
  let give: (line: string) => void = assert.fail;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      give = (line) => controller.enqueue(Buffer.from(line));
    },
    cancel: () => void (isCancelled = true),
  });
  const init = { method: 'POST', headers: { ...NDJSON, 'x-request-id': 'f-1' }, body, duplex: 'half' } as RequestInit;
  const response = await respond(new Request(`http://a${HASH}`, init));
  assert.deepEqual([response.status, response.headers.get('content-type'), response.headers.get('x-request-id')],
    [200, 'application/x-ndjson; charset=utf-8', 'f-1']);
  const reader = response.body!.getReader();
  for (const text of ['a', 'b']) {
    give(`{"text":"${text}"}\n`);
    const { value } = await reader.read();
    const answer = new RegExp(`^\\{"status":"success","data":\\{"input":"${text}"[^\\n]+\\n$`);
    assert.match(Buffer.from(value!).toString(), answer);
  }
  // The handler is waiting for the next line.
  const next = reader.read();
  await reader.cancel();
  assert.deepEqual([(await next).done, isCancelled], [true, true]);
  const empty = new Request(`http://a${HASH}`, { method: 'POST', headers: NDJSON, body: '\n'.repeat(200_000) });
  const whole = await respond(empty);
  assert.equal(await whole.text(), '');
});

test('createFetchHandler ends the answer when reading the body fails', async (context) => {
  const respond = createFetchHandler(conformingService());
  const streamed = (source: UnderlyingSource): Promise<Response> => respond(new Request(`http://a${HASH}`,
    { method: 'POST', headers: NDJSON, body: new ReadableStream(source), duplex: 'half' } as RequestInit));
  const line = Buffer.from('{"text":"a"}\n');
  const gone = await streamed({ pull: (controller) => controller.error(new Error('gone')) });
  await assert.rejects(gone.text(), /gone/);
  const stubborn = await streamed({
    start: (controller) => controller.enqueue(line),
    cancel: () => Promise.reject(new Error('stubborn')),
  });
  // An error that is not handled would end the process.
  await stubborn.body!.cancel();
  const used = new Request(`http://a${HASH}`, { method: 'POST', headers: NDJSON, body: line });
  await used.text();
  const { mock } = context.mock.method(console, 'error', () => undefined);
  assert.equal((await respond(used)).status, 500);
  assert.equal(mock.callCount(), 1);
});

const memory = ({ child }: Run): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;

test('answers 400,000 lines in constant memory', onLinux, async (context) => {
  const service = run(context, ['--port=0', '--tax-period=2026-08']);
  const { port } = new URL(String((await service.event('ready'))['address']));
  const lines = Array.from({ length: BLOCK_LINES }, (_, index) =>
    (index % 100 === 0 ? '{"income":"1"}' : `{"income":${index}00000}`));
  const block = Buffer.from(`${lines.join('\n')}\n`);
  const plain = createService(serviceOptions());
  const expected = (await oracle(plain, TAX, block)).split('\n').slice(0, -1);
  const begin = performance.now();
  const request = http.request({ port, host: '127.0.0.1', path: TAX, method: 'POST', headers: NDJSON });
  context.after(() => request.destroy());
  const upload = async (): Promise<void> => {
    for (let index = 0; index < MANY_LINES / BLOCK_LINES; index += 1) {
      if (!request.write(block)) await once(request, 'drain');
    }
    request.end();
  };
  const uploaded = upload();
  const [response] = await once(request, 'response') as [http.IncomingMessage];
  const samples: number[] = [];
  let count = 0;
  let rest = '';
  for await (const text of response.setEncoding('utf8') as AsyncIterable<string>) {
    const parts = (rest + text).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const wanted = expected[count % BLOCK_LINES]!;
      count += 1;
      if (count % 20_000 === 0) samples.push(memory(service));
      const isSame = part === wanted || part === wanted.replace(/"line":\d+\}\}$/, `"line":${count}}}`);
      if (!isSame) assert.fail(`line ${count}: ${part}`);
    }
  }
  await uploaded;
  const seconds = (performance.now() - begin) / 1000;
  assert.deepEqual([count, rest], [MANY_LINES, '']);
  const [early, most] = [Math.max(...samples.slice(0, 4)), Math.max(...samples)];
  context.diagnostic(`${Math.round(MANY_LINES / seconds)} lines a second, memory ${Math.round(early)} MB, `
    + `then at most ${Math.round(most)} MB`);
  assert.ok(most - early < 60, `${early} MB, then ${most} MB`);
});

test('does the work of one stream per turn of the event loop while fifty streams run', async (context) => {
  const step = createService(serviceOptions()).route({ method: 'POST', target: TAX, headers: NDJSON });
  assert.ok(step.kind === 'post' && step.isBulk);
  const { limit, answer } = step;
  const block = Buffer.from(`${TAX_LINE}\n`.repeat(5_000));
  const slices = new Slices();
  const one = async (): Promise<void> => {
    const tally: Tally = { succeeded: 0, failed: 0, bytes: 0 };
    const options = { limit, answer, tally, slices, onFault: assert.fail };
    for await (const _ of answerLines([block], options));
    assert.equal(tally.succeeded, 5_000);
  };
  const work = Promise.all(Array.from({ length: 50 }, one));
  let isOver = false;
  void work.finally(() => (isOver = true));
  const lengths: number[] = [];
  while (!isOver) {
    const before = process.cpuUsage();
    await new Promise((resolve) => setImmediate(resolve));
    lengths.push(millisecondsSince(before));
  }
  await work;
  lengths.sort((left, right) => left - right);
  const late90 = lengths[Math.floor(lengths.length * 0.9)]!;
  context.diagnostic(`${lengths.length} turns, p90 ${late90.toFixed(1)} ms, longest ${lengths.at(-1)!.toFixed(1)} ms`);
  assert.ok(lengths.length > 50 && late90 < 20);
});
