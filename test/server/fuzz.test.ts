/**
 * Random messages over random connections: methods, targets, headers, bodies, and the moments of FIN and RST. A seed
 * reproduces a run but for its timing: `TRIES=100000 SEED=7 node --test dist/test/server/fuzz.test.js` runs longer.
 */
import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import { createServer } from '../../src/index.ts';
import { HEADER_LIMIT } from '../../src/server/limits.ts';
import { calculations, exchange, firstExample, serve } from '../helpers/fixture.ts';
import { type Random, seeded } from '../helpers/random.ts';
import { search } from '../helpers/repository.ts';
import { once, turn, until, within } from '../helpers/until.ts';

const TRIES = Number(process.env['TRIES'] ?? search(600).cases);
const SEED = Number(process.env['SEED'] ?? 20_261_122);
/** Connections at a time. */
const CLIENTS = 100;

/** The head of a failure, with the length of its body. */
const FAILURE =
  /HTTP\/1\.1 [45]\d\d [^\r]*\r\n(?:[^\r]+\r\n)*?Content-Length: (\d+)\r\n(?:[^\r]+\r\n)*\r\n/g;
const METHODS = [
  'GET',
  'GET',
  'POST',
  'POST',
  'POST',
  'HEAD',
  'OPTIONS',
  'PUT',
  'DELETE',
  'CONNECT',
  'TRACE',
  'PRI',
  'QUERY',
  'get',
  '',
];
const PATHS = [
  ...calculations.map(({ path }) => path),
  '/',
  '/healthz',
  '/readyz',
  '/openapi.json',
  '/page/',
  '/page/style.css',
  '/api/v1/tax/rules',
  '/api/v1/tax/rules?period=2026-08',
  '/metrics',
  '/nothing',
  '*',
  'a:1',
  '//',
  'http://a/healthz',
  'http://[::1',
  '/%',
  '/%00',
  '/\x80',
  '/a b',
  `/${'a'.repeat(2_000)}`,
  `/api/v1/tax/rules?${'a&'.repeat(2_000)}`,
];
const VERSIONS = ['HTTP/1.1', 'HTTP/1.1', 'HTTP/1.1', 'HTTP/1.0', 'HTTP/2.0', 'HTTP/9', ''];
const TYPES = [
  'application/json',
  'application/json',
  'application/x-ndjson',
  'application/json; charset=utf-8',
  'text/plain',
  '',
  'application/json;;=";\\"',
  `application/json;${' '.repeat(1_000)}`,
];
const HEADERS = [
  'Connection: close',
  'Connection: keep-alive',
  'Connection: Upgrade\r\nUpgrade: websocket',
  'Expect: 100-continue',
  'Expect: tea',
  'Host: b',
  'Host:',
  'Origin: https://a.example',
  'X-Request-Id: a-1',
  'X-Request-Id: \x7f',
  'Accept: text/html',
  `Accept-Language: ${'vi;q=0.1,'.repeat(500)}`,
  'If-None-Match: *',
  `If-None-Match: ${'"a",'.repeat(500)}`,
  'Content-Encoding: gzip',
  'Content-Type: text/plain',
  'Transfer-Encoding: gzip',
  'Transfer-Encoding: chunked',
  'Content-Length: 5',
  'Content-Length: -1',
  'X-Forwarded-For: 10.0.0.1, ::1, a',
  'Broken',
  `X-Long: ${'a'.repeat(HEADER_LIMIT)}`,
  'Trailer: x',
  'Keep-Alive: timeout=0',
];

function bodyOf(random: Random): string {
  const operation = random.pick(calculations);
  const body = JSON.stringify(firstExample(operation));
  return random.pick<() => string>([
    () => body,
    () => body,
    () => '',
    () => `${body}\n`.repeat(random.below(200)),
    () => body.slice(0, random.below(body.length)),
    () => mutated(random, body),
    () => `{"text":"${random.pick(['a', 'đ', '\\"', '\\ud800', '\x00'])}"}`,
    () => '[[['.repeat(random.below(500)),
    () => JSON.stringify({ text: 'a'.repeat(random.below(200_000)) }),
    () => `{"${'a":1,"'.repeat(random.below(600))}`,
  ])();
}

function mutated(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  return (
    text.slice(0, at) + String.fromCharCode(random.below(256)) + text.slice(at + random.below(3))
  );
}

function chunked(random: Random, body: string): string {
  let text = '';
  for (let start = 0; start < body.length; ) {
    const size = Math.min(
      body.length - start,
      1 + random.below(random.pick([1, 1, 10, 1_000, 100_000])),
    );
    text += `${size.toString(16)}${random.below(10) === 0 ? ';x=y' : ''}\r\n${body.slice(start, start + size)}\r\n`;
    start += size;
  }
  return text + random.pick(['0\r\n\r\n', '0\r\n\r\n', '0\r\nTrailer: x\r\n\r\n', 'zz\r\n', '']);
}

/** A request that is often well-formed. */
function message(random: Random): string {
  const body = bodyOf(random);
  const isChunked = random.below(3) === 0;
  const lines = [
    `${random.pick(METHODS)} ${random.pick(PATHS)} ${random.pick(VERSIONS)}`,
    'Host: a',
    `Content-Type: ${random.pick(TYPES)}`,
  ];
  if (random.below(8) > 0) {
    lines.push(
      isChunked
        ? 'Transfer-Encoding: chunked'
        : `Content-Length: ${Buffer.byteLength(body, 'latin1')}`,
    );
  }
  for (let count = random.below(3); count > 0; count -= 1) lines.push(random.pick(HEADERS));
  const text = `${lines.join('\r\n')}\r\n\r\n${isChunked ? chunked(random, body) : body}`;
  return random.below(10) === 0 ? mutated(random, text) : text;
}

/** Sends random messages in random pieces, and leaves at a random moment. Resolves to the bytes received. */
async function converse(random: Random, port: number): Promise<string> {
  const messages = Array.from({ length: 1 + random.below(4) }, () =>
    message(random).repeat(random.pick([1, 1, 1, 20])),
  );
  const bytes = Buffer.from(messages.join(''), 'latin1');
  const socket = net.connect({
    port,
    host: '127.0.0.1',
    noDelay: true,
    allowHalfOpen: random.below(2) === 0,
  });
  const closed = new Promise<void>((resolve) =>
    socket.on('error', () => undefined).on('close', () => resolve()),
  );
  let received = '';
  const isReading = random.below(4) > 0;
  if (isReading) socket.on('data', (data) => (received += data.toString('latin1')));
  await Promise.race([once(socket, 'connect').catch(() => undefined), closed]);
  for (let start = 0; start < bytes.length && !socket.destroyed && random.below(60) > 0; ) {
    const end = start + 1 + random.below(random.pick([1, 20, 1_000, 1_000_000]));
    socket.write(bytes.subarray(start, end));
    start = end;
    for (let turns = random.below(3); turns > 0; turns -= 1) await turn();
  }
  random.pick<() => void>([
    () => socket.end(),
    () => socket.destroy(),
    () => socket.resetAndDestroy(),
    () => undefined,
  ])();
  // The service waits for the rest of a bulk request, and for a client to read, for minutes.
  setTimeout(() => socket.destroy(), 1_000).unref();
  await within('the close of a connection', closed);
  return isReading ? received : '';
}

test(`survives ${TRIES} random conversations, and answers each request in an envelope`, async (context) => {
  const random = seeded(SEED);
  const lines: string[] = [];
  const server = createServer(
    // So that some of the requests come too late.
    { log: 'requests', metrics: 'on', requestTimeout: 0.5 },
    (line) => lines.push(line),
  );
  const port = await serve(context, server);
  let tries = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (tries < TRIES) {
        tries += 1;
        const received = await converse(seeded(random.below(2 ** 32)), port);
        assert.match(received, /^(?:HTTP\/1\.1 [1-5]\d\d |$)/);
        for (const { 0: head, 1: length, index } of received.matchAll(FAILURE)) {
          const body = received.slice(index + head.length, index + head.length + Number(length));
          const isTruncated = body.length < Number(length);
          // The response to HEAD has no body.
          if (isTruncated || body.startsWith('HTTP/1.1 ')) continue;
          const { status } = JSON.parse(Buffer.from(body, 'latin1').toString()) as {
            status?: unknown;
          };
          assert.equal(status, 'error', head);
        }
      }
    }),
  );
  await until('no other request in flight', async () => {
    const [response] = await exchange(
      port,
      'GET /metrics HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    );
    return /^http_requests_in_flight 1$/m.test(response?.body ?? '');
  });
  const faults = lines.filter(
    (line) => line.includes('"level":"error"') || line.includes('"status":500'),
  );
  assert.deepEqual(faults, []);
  context.diagnostic(`${lines.length} lines of the log`);
});
