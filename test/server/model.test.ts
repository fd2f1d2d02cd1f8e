/**
 * Random conversations with the service against a model of a connection, which knows the answer to each request, and
 * when one may be missing:
 *
 * - The answers have the order of the requests.
 * - Nothing follows an answer that ends the connection.
 * - An answer is lost only if the client leaves, or sends more after a request that asks for the end of the connection,
 *   or if the service resets a bulk request.
 *
 * The seed of a conversation is that of the run plus its number: `SEED=7 TRIES=1 node --test dist/test/server/model.test.js`
 * repeats one, but for its timing.
 */
import assert from 'node:assert/strict';
import net from 'node:net';
import { test } from 'node:test';
import { Room } from '../../src/extensions/bulk/room.ts';
import { Metrics } from '../../src/extensions/metrics/metrics.ts';
import { HEADER_LIMIT } from '../../src/server/limits.ts';
import { listen, post, postHead } from '../helpers/fixture.ts';
import { type Random, seeded } from '../helpers/random.ts';
import { search } from '../helpers/repository.ts';
import { recording } from '../helpers/recording.ts';
import { chunkOf, CHUNKED, HASH, headOf, LAST_CHUNK, responseIn, TAX } from '../helpers/streams.ts';
import { turn, until, within } from '../helpers/until.ts';

/** Conversations, of some three answers each. */
const TRIES = Number(process.env['TRIES'] ?? search(200).cases);
const SEED = Number(process.env['SEED'] ?? 20_261_123);
/** Conversations at a time. */
const CLIENTS = 20;

/** A request, and the model of its answer. */
interface Message {
  readonly bytes: string;
  readonly status: number;
  /** The id of the answer; undefined if the service makes one, because it has not got the whole head. */
  readonly id?: string | undefined;
  /** Whether the answer ends the connection; undefined if that depends on the arrival of the body. */
  readonly isLast?: boolean | undefined;
  readonly isHead?: boolean;
  /** Whether 100 Continue precedes the answer. */
  readonly isExpected?: boolean;
  /** Lines in the answer to a bulk request. */
  readonly lines?: number;
}

const chunked = (body: string): string => chunkOf(body) + LAST_CHUNK;
const oldVersion = (request: string): string => request.replace(' HTTP/1.1\r\n', ' HTTP/1.0\r\n');
const single = (headers: readonly string[]): string =>
  headOf(HASH, CHUNKED, ...headers).replace('x-ndjson', 'json');
const HASH_LINE = '{"text":"a"}\n';

/** A request without a body. */
function bodiless(request: string, headers: readonly string[]): string {
  return [`${request} HTTP/1.1`, 'Host: a', ...headers, '\r\n'].join('\r\n');
}

type Kind = (random: Random, id: string, ...headers: string[]) => Message;

const get: Kind = (_, id, ...headers) => ({
  bytes: bodiless('GET /healthz', headers),
  status: 200,
  id,
  isLast: false,
});
const calculation: Kind = (random, id, ...headers) => {
  const isLarge = random.below(20) === 0;
  const body = JSON.stringify({
    text: 'a'.repeat(isLarge ? random.below(200_000) : random.below(50)),
  });
  const bytes = random.pick([
    () => post(HASH, body, ...headers),
    () => single(headers) + chunked(body),
  ])();
  return { bytes, status: 200, id, isLast: false };
};
const bulk: Kind = (random, id, ...headers) => {
  const lines = random.below(random.below(20) === 0 ? 3_000 : 10);
  const body = HASH_LINE.repeat(lines);
  const bytes =
    lines > 0 && random.below(2) === 0
      ? headOf(HASH, CHUNKED, ...headers) + chunked(body)
      : headOf(HASH, `Content-Length: ${body.length}`, ...headers) + body;
  return { bytes, status: 200, id, isLast: false, lines };
};
const ordinary = [get, calculation, bulk];

/** Requests after whose answers the connection stays open, or after some of which it may. */
const OPEN: readonly Kind[] = [
  ...ordinary,
  ...ordinary,
  (random, id, ...headers) => ({
    ...random.pick([calculation, bulk])(random, id, 'Expect: 100-continue', ...headers),
    isExpected: true,
  }),
  (_, id, ...headers) => ({
    bytes: bodiless('HEAD /healthz', headers),
    status: 200,
    id,
    isLast: false,
    isHead: true,
  }),
  (_, id, ...headers) => ({
    bytes: `\r\n${bodiless('DELETE /healthz', headers)}`,
    status: 405,
    id,
    isLast: false,
  }),
  (_, id, ...headers) => ({
    bytes: bodiless('GET /healthz', ['Content-Length: 3', ...headers]) + 'abc',
    status: 200,
    id,
    isLast: false,
  }),
  (_, id, ...headers) => ({
    bytes: bodiless('GET /healthz', [CHUNKED, ...headers]) + chunked('abc'),
    status: 200,
    id,
  }),
  (_, id, ...headers) => ({
    bytes: post(HASH, '{"text":', ...headers),
    status: 400,
    id,
    isLast: false,
  }),
  (_, id, ...headers) => ({
    bytes: post('/nothing', '{}', ...headers),
    status: 404,
    id,
    isLast: false,
  }),
  (_, id, ...headers) => ({
    bytes: single(headers).replace(HASH, '/nothing') + chunked('{}'),
    status: 404,
    id,
  }),
  (random, id, ...headers) => ({
    bytes: post('/nothing', 'a'.repeat(random.below(200_000)), ...headers),
    status: 404,
    id,
  }),
  (random, id, ...headers) => ({
    bytes: post(TAX, ' '.repeat(16_385 + random.below(20_000)), ...headers),
    status: 413,
    id,
  }),
];

/** Requests after whose answers the service ends the connection, or resets it. */
const LAST: readonly Kind[] = [
  (random, id, ...headers) => ({
    ...random.pick(OPEN)(random, id, 'Connection: close', ...headers),
    isLast: true,
  }),
  (random, id, ...headers) => {
    const message = random.pick([get, calculation])(random, id, ...headers);
    return message.bytes.includes(CHUNKED)
      ? { ...message, bytes: oldVersion(message.bytes), status: 400, isLast: true }
      : { ...message, bytes: oldVersion(message.bytes), isLast: true };
  },
  (_, id, ...headers) => ({
    bytes: oldVersion(headOf(HASH, 'Content-Length: 13', ...headers)) + HASH_LINE,
    status: 200,
    id,
    isLast: true,
    lines: 1,
  }),
  (_, id, ...headers) => ({
    bytes: oldVersion(post(TAX, ' '.repeat(20_000), ...headers)),
    status: 413,
    id,
    isLast: true,
  }),
  (_, id, ...headers) => ({
    bytes: bodiless('GET /healthz', ['Host: b', ...headers]),
    status: 400,
    id,
    isLast: true,
  }),
  (_, id, ...headers) => ({
    bytes: post(HASH, '{}', 'Expect: tea', ...headers),
    status: 417,
    id,
    isLast: true,
  }),
  (_, id, ...headers) => ({
    bytes: bodiless('GET /healthz', ['Connection: Upgrade', 'Upgrade: x', ...headers]),
    status: 200,
    id,
    isLast: true,
  }),
  (_, id, ...headers) => ({
    bytes: bodiless('CONNECT a:1', headers),
    status: 405,
    id,
    isLast: true,
  }),
  () => ({ bytes: 'garbage\r\n\r\n', status: 400, isLast: true }),
  () => ({
    bytes: bodiless('GET /', [`X: ${'a'.repeat(HEADER_LIMIT)}`]),
    status: 431,
    isLast: true,
  }),
  (_, id, ...headers) => ({ bytes: `${single(headers)}zz\r\n`, status: 400, id, isLast: true }),
  (_, id, ...headers) => ({
    bytes: `${headOf(HASH, CHUNKED, ...headers)}${chunkOf(HASH_LINE)}zz\r\n`,
    status: 400,
    id,
    isLast: true,
  }),
];

/** A request of which a part arrives before the client half-closes the connection. */
function truncated(random: Random, id: string, ...headers: string[]): Message {
  const isBulk = random.below(3) === 0;
  const head = isBulk ? headOf(HASH, CHUNKED, ...headers) : postHead(HASH, 20, ...headers);
  const bytes = head + (isBulk ? chunkOf(HASH_LINE) : '{"te');
  const end = 1 + random.below(bytes.length);
  const hasHead = end >= head.length;
  return {
    bytes: bytes.slice(0, end),
    status: 400,
    id: hasHead ? id : undefined,
    isLast: true,
  };
}

const LEAVES = [
  'waits',
  'waits',
  'half-closes',
  'half-closes',
  'truncates',
  'resets',
  'destroys',
] as const;

interface Conversation {
  readonly messages: readonly Message[];
  readonly leaves: (typeof LEAVES)[number];
}

function conversationOf(random: Random, seed: number): Conversation {
  const leaves = random.pick(LEAVES);
  const next = (kind: Kind, index: number): Message =>
    kind(random, `m-${seed}-${index}`, `X-Request-Id: m-${seed}-${index}`);
  const kinds = Array.from({ length: random.below(12) }, () =>
    random.pick(random.below(40) === 0 ? LAST : OPEN),
  );
  if (leaves === 'truncates') kinds.push(truncated);
  // What follows the end of the connection is discarded.
  else if (leaves === 'waits') kinds.push(random.pick(LAST), ...kinds.slice(random.below(4)));
  return { messages: kinds.map(next), leaves };
}

interface Received {
  readonly text: string;
  /** The code of the error of the socket. */
  readonly error: string | undefined;
}

/** Sends the requests in random pieces, and leaves. */
async function converse(
  random: Random,
  port: number,
  { messages, leaves }: Conversation,
): Promise<Received> {
  const bytes = Buffer.from(messages.map((message) => message.bytes).join(''), 'latin1');
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true, allowHalfOpen: true });
  let error: string | undefined;
  socket.on('error', ({ code }: NodeJS.ErrnoException) => (error = code));
  const closed = new Promise<void>((resolve) => socket.on('close', () => resolve()));
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => {
    chunks.push(chunk);
    if (random.below(4) > 0) return;
    socket.pause();
    setImmediate(() => socket.resume());
  });
  if (random.below(3) === 0) socket.pause();
  // At most some 300 pieces.
  const most = Math.max(random.pick([1, 10, 1_000, 1_000_000]), bytes.length / 300);
  const end =
    leaves === 'resets' || leaves === 'destroys' ? random.below(bytes.length + 1) : bytes.length;
  for (let start = 0; start < end && !socket.destroyed; ) {
    const next = Math.min(end, start + 1 + random.below(most));
    socket.write(bytes.subarray(start, next));
    start = next;
    for (let turns = random.below(3); turns > 0; turns -= 1) await turn();
  }
  if (leaves === 'resets') socket.resetAndDestroy();
  else if (leaves === 'destroys') socket.destroy();
  else if (leaves !== 'waits' || socket.readableEnded) socket.end();
  else socket.on('end', () => socket.end());
  for (let turns = random.below(20); turns > 0; turns -= 1) await turn();
  socket.resume();
  await within('the close of a connection', closed);
  return { text: Buffer.concat(chunks).toString('latin1'), error };
}

/** A timer that never ends. That of `mock.timers` takes time in proportion to the number of timers. */
const NEVER = { ref: () => NEVER, unref: () => NEVER, refresh: () => NEVER };

const INTERIM = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Whether a client asks for the end of the connection after a request. */
function asksForEnd({ bytes }: Message): boolean {
  return /^[^\r]+ HTTP\/1\.0\r\n|\r\nConnection: close\r\n/i.test(bytes);
}

/** Compares the received answers with the model. */
function check({ messages, leaves }: Conversation, { text, error }: Received): number {
  const mayLose =
    leaves === 'resets' || leaves === 'destroys' || messages.slice(0, -1).some(asksForEnd);
  let rest = text;
  let answers = 0;
  for (const { status, id, isLast, isHead = false, isExpected = false, lines } of messages) {
    if (isExpected && rest.startsWith(INTERIM)) rest = rest.slice(INTERIM.length);
    else assert.ok(!isExpected || mayLose, '100 Continue is missing');
    if (mayLose && !rest.includes('\r\n\r\n')) return answers;
    const label = `answer ${answers} to ${id}: ${rest.slice(0, 200)}`;
    const {
      head,
      body,
      isWhole,
      rest: following,
    } = isHead
      ? {
          head: rest.slice(0, rest.indexOf('\r\n\r\n')),
          body: '',
          isWhole: true,
          rest: rest.slice(rest.indexOf('\r\n\r\n') + 4),
        }
      : responseIn(rest);
    assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `), label);
    const given = /\r\nX-Request-Id: ([^\r]+)/i.exec(head)?.[1];
    if (id === undefined) assert.ok(given !== undefined && !given.startsWith('m-'), label);
    else assert.equal(given, id, label);
    const ends = /\r\nConnection: close/i.test(head);
    assert.equal(ends, isLast ?? ends, label);
    if (mayLose && !isWhole) return answers;
    assert.ok(isWhole, `cut: ${label}`);
    if (lines !== undefined) assert.equal(body.split('\n').length - 1, lines, label);
    answers += 1;
    rest = following;
    if (ends) break;
  }
  assert.equal(rest, '', 'an answer follows the last one');
  if (!mayLose) assert.equal(error, undefined);
  return answers;
}

/** The first line of each request, and how the client leaves. */
function outline({ messages, leaves }: Conversation): string {
  return [
    ...messages.map(({ bytes, status }) => `${bytes.trim().split('\r\n', 1)[0]} → ${status}`),
    leaves,
  ].join(', ');
}

test(`answers the requests of ${TRIES} random conversations as the model does`, async (context) => {
  const metrics = new Metrics('0.0.0');
  const { observers, lines } = recording(context, { metrics });
  const room = new Room(2 ** 40, 2 ** 20);
  const { connections, port, server } = await listen(context, {}, { observers, room });
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  // No connection is closed because of LINGER_TIME.
  context.mock.method(globalThis, 'setTimeout', () => NEVER);
  let tries = 0;
  let answers = 0;
  const failures: string[] = [];
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (tries < TRIES) {
        const seed = SEED + tries;
        tries += 1;
        const random = seeded(seed);
        const conversation = conversationOf(random, seed);
        try {
          const received = await converse(random, port, conversation);
          answers += check(conversation, received);
        } catch (error) {
          failures.push(
            `SEED=${seed} TRIES=1 node --test dist/test/server/model.test.js: ${error}\n${outline(conversation)}`,
          );
        }
      }
    }),
  );
  assert.equal(failures.join('\n'), '');
  await until('no connection', () => connections.size === 0, turn);
  assert.deepEqual([metrics.inFlight, room.used], [0, 0]);
  assert.deepEqual(
    lines.filter(({ level }) => level === 'error'),
    [],
  );
  context.diagnostic(`${answers} answers`);
});
