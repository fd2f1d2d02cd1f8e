/** Async contexts: a program may run each request in one of its own, as loggers and tracers do. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import http, { type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { createHandler } from '../../src/index.ts';
import { replaceClock } from '../helpers/clock.ts';
import { GET, post, postHead, serve } from '../helpers/fixture.ts';
import {
  chunkedHead,
  chunkOf,
  CHUNKED,
  connect,
  FILLER,
  HASH,
  headOf,
  LAST_CHUNK,
  LEAST_BUFFER,
  TAX,
} from '../helpers/streams.ts';
import { turn, until, written } from '../helpers/until.ts';

/** Connections at the same time, whose requests wait in one queue. */
const CLIENTS = 10;
const TEXT = '{"text":"a"}';
const LINES = `${TEXT}\n`.repeat(500);
const BULK = headOf(HASH, `Content-Length: ${LINES.length}`);
const LARGE = 'a'.repeat(200_000);
const LARGE_SIZE = LARGE.length.toString(16);

/** Requests in pieces, and their number. */
const REQUESTS: readonly [label: string, pieces: readonly string[], count: number][] = [
  ['GET', [GET], 1],
  ['pipelined GET', [GET.repeat(4)], 4],
  ['JSON', [post(HASH, TEXT)], 1],
  ['JSON in two pieces', [postHead(HASH, TEXT.length) + TEXT.slice(0, 5), TEXT.slice(5)], 1],
  [
    'JSON in two chunks',
    [chunkedHead(HASH) + chunkOf(TEXT.slice(0, 5)), chunkOf(TEXT.slice(5)) + LAST_CHUNK],
    1,
  ],
  ['JSON after 100 Continue', [postHead(HASH, TEXT.length, 'Expect: 100-continue'), TEXT], 1],
  ['pipelined JSON', [post(HASH, TEXT).repeat(4)], 4],
  ['bulk', [BULK + LINES.slice(0, 100), LINES.slice(100)], 1],
  ['bulk in chunks', [headOf(HASH, CHUNKED) + chunkOf(LINES), LAST_CHUNK], 1],
  ['pipelined bulk', [(BULK + LINES).repeat(2)], 2],
  ['invalid JSON', [post(HASH, '{')], 1],
  ['an unknown path', [post('/nothing', TEXT)], 1],
  ['an unknown path and a long body', [postHead('/nothing', LARGE.length), LARGE], 1],
  [
    'a body over the limit',
    [`${chunkedHead(TAX)}${LARGE_SIZE}\r\n${LARGE}`, `\r\n${LAST_CHUNK}`],
    1,
  ],
];

test('does all work of a request in the async context of its listener', async (context) => {
  const contexts = new AsyncLocalStorage<ServerResponse>();
  let closed = 0;
  let logged = 0;
  const foreign: string[] = [];
  const note = (event: string, response: ServerResponse): void => {
    const current = contexts.getStore();
    if (current !== response) foreign.push(`${event} in ${current ? 'another' : 'no'} context`);
  };
  const handler = createHandler({ log: 'requests' }, () => {
    logged += 1;
    if (contexts.getStore() === undefined) foreign.push('a line of the log in no context');
  });
  context.after(() => handler.close());
  const server = http.createServer((request, response) => {
    for (const name of ['writeHead', 'end'] as const) {
      const method = response[name] as (...values: unknown[]) => ServerResponse;
      const noted = (...values: unknown[]): ServerResponse => {
        note(name, response);
        return method.apply(response, values);
      };
      Object.assign(response, { [name]: noted });
    }
    for (const event of ['finish', 'close']) response.on(event, () => note(event, response));
    response.on('close', () => (closed += 1));
    contexts.run(response, () => handler(request, response));
  });
  const port = await serve(context, server);
  for (const [label, pieces, count] of REQUESTS) {
    closed = 0;
    logged = 0;
    const clients = await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        const { socket } = await connect(context, port);
        for (const piece of pieces) {
          await written(socket, piece);
          await turn();
        }
        return socket;
      }),
    );
    await until('the end of all requests', () => closed === CLIENTS * count);
    assert.deepEqual([new Set(foreign), logged], [new Set(), CLIENTS * count], label);
    for (const socket of clients) socket.destroy();
  }
});

test('resets a bulk request in the context of its listener when another request lacks its room', async (context) => {
  const pass = replaceClock(context);
  const contexts = new AsyncLocalStorage<string>();
  const resets: unknown[] = [];
  const handler = createHandler({ bulkBuffer: LEAST_BUFFER, log: 'requests' }, (line) => {
    const { msg, id, reason } = JSON.parse(line) as Record<string, unknown>;
    if (msg === 'reset') resets.push([reason, id, contexts.getStore()]);
  });
  context.after(() => handler.close());
  let begun = 0;
  const server = http.createServer((request, response) => {
    begun += 1;
    contexts.run(String(request.headers['x-request-id']), () => handler(request, response));
  });
  const port = await serve(context, server);
  const open = async (id: string): Promise<Socket> => {
    const { socket } = await connect(context, port);
    const count = begun;
    socket.write(headOf(HASH, CHUNKED, `X-Request-Id: ${id}`));
    await until('a request', () => begun > count);
    return socket;
  };
  // Both together hold all the room.
  await open('first');
  await open('second');
  pass(60_000);
  const other = await open('other');
  other.write(chunkOf(FILLER));
  await until('two resets', () => resets.length === 2);
  assert.deepEqual(resets, [
    ['slow', 'first', 'first'],
    ['slow', 'second', 'second'],
  ]);
});
