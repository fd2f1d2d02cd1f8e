/**
 * Every state of a connection × every way in which a client can leave. The process survives, no request remains in
 * flight, no connection remains open, and the log names each connection that the service resets.
 */
import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { describe, test, type TestContext } from 'node:test';
import { createServer, type Settings } from '../../src/index.ts';
import { knownConnection } from '../../src/server/connection.ts';
import { CLOSE, connectionsOf, exchange, GET, post, postHead, serve } from '../helpers/fixture.ts';
import { chunkedHead, chunkOf, CHUNKED, HASH, headOf, LAST_CHUNK } from '../helpers/streams.ts';
import { once, until, written } from '../helpers/until.ts';

const METRICS = CLOSE.replace('/healthz', '/metrics');
const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
const LARGE = post(HASH, JSON.stringify({ text: 'a'.repeat(1_000_000) }));
/** Their answers, 14 MB, are more than the buffers of a connection can hold. */
const LINES = `{"text":"${'a'.repeat(2_500)}"}\n`.repeat(2_000);
/** More than one slice of work. */
const FEW_LINES = '{"text":"a"}\n'.repeat(2_000);
/** The client's socket, and that of the server. */
interface Pair {
  readonly client: Socket;
  readonly peer: Socket;
}

interface State {
  readonly name: string;
  readonly request: string;
  /** Resolves when the state is reached; by default, when the request has left the client. */
  readonly reached?: (pair: Pair) => Promise<unknown>;
}

const answered = ({ client }: Pair): Promise<unknown> => once(client.resume(), 'data');
/** The kernel of the client takes no more, so that a part of the answer waits in the server. */
async function blocked({ peer }: Pair): Promise<void> {
  await until('a blocked answer', () => peer.writableLength > 0 || peer.destroyed);
}

const STATES: readonly State[] = [
  { name: 'silent', request: '' },
  { name: 'in the headers', request: 'GET / HTTP/1.1\r\nHos' },
  { name: 'in a body', request: `${postHead(HASH, 20)}{"te` },
  { name: 'in a chunk', request: `${chunkedHead(HASH)}ff\r\n{"te` },
  {
    name: 'expecting 100 Continue',
    request: postHead(HASH, 20, 'Expect: 100-continue'),
    reached: answered,
  },
  { name: 'expecting 417', request: postHead(HASH, 20, 'Expect: tea'), reached: answered },
  { name: 'queued', request: post(HASH, '{"text":"a"}') },
  { name: 'answered', request: GET, reached: answered },
  { name: 'answered over HTTP/1.0', request: GET.replace('1.1', '1.0'), reached: answered },
  { name: 'answering', request: LARGE.repeat(8), reached: blocked },
  {
    name: 'in a bulk request',
    request: `${headOf(HASH, CHUNKED)}${chunkOf('{"text":"a"}\n')}`,
  },
  {
    name: 'in a bulk answer',
    request: `${headOf(HASH, CHUNKED)}${chunkOf(LINES)}${LAST_CHUNK}`,
    reached: answered,
  },
  {
    name: 'in a bulk answer over HTTP/1.0',
    request: `${headOf(HASH, `Content-Length: ${LINES.length}`).replace('1.1', '1.0')}${LINES}`,
    reached: answered,
  },
  {
    name: 'in an unread bulk answer',
    request: `${headOf(HASH, CHUNKED)}${chunkOf(LINES)}${LAST_CHUNK}`,
    reached: blocked,
  },
  { name: 'pipelining', request: LARGE.repeat(4) + GET.repeat(50), reached: blocked },
  { name: 'pipelining too much', request: GET.repeat(1_500) },
  {
    name: 'upgrading',
    request: GET.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\nabc'),
  },
  { name: 'after CONNECT', request: `${CONNECT}abc` },
  {
    name: 'in the body of CONNECT',
    request: CONNECT.replace('\r\n\r\n', '\r\nContent-Length: 9\r\n\r\nabc'),
  },
  {
    name: 'after CONNECT behind others',
    request: GET + post(HASH, '{"text":""}') + CONNECT + 'x'.repeat(100_000),
  },
  {
    name: 'after CONNECT behind a bulk request',
    request: headOf(HASH, `Content-Length: ${FEW_LINES.length}`) + FEW_LINES + CONNECT,
  },
  { name: 'after a malformed request', request: 'garbage\r\n\r\n' },
  { name: 'after a malformed request behind others', request: `${GET.repeat(5)}garbage\r\n\r\n` },
  { name: 'after a malformed chunk', request: `${headOf(HASH, CHUNKED)}x\r\n` },
  { name: 'after a refused body', request: `${postHead('/nothing', 200_000)}abc` },
  {
    name: 'after headers that are too large',
    request: `GET / HTTP/1.1\r\nX: ${'a'.repeat(20_000)}`,
  },
];

const ENDS: readonly (readonly [name: string, leave: (pair: Pair, server: Server) => void])[] = [
  ['resets', ({ client }) => client.resetAndDestroy()],
  ['closes', ({ client }) => client.destroy()],
  ['half-closes and reads', ({ client }) => client.resume().end()],
  [
    'half-closes and does not read',
    ({ client, peer }) => {
      client.pause().end();
      idle(peer);
    },
  ],
  // The last, because no further request has its time.
  [
    'is silent',
    ({ peer }, server) => {
      server.headersTimeout = 1;
      server.requestTimeout = 1;
      idle(peer);
      // An idle connection lasts until another one needs its place.
      const timer = setInterval(() => knownConnection(peer)?.endIfIdle(), 50).unref();
      peer.on('close', () => clearInterval(timer));
    },
  ],
];

/** Lets the timeouts of an answer that has stopped, and of an idle connection, pass, which would take minutes. */
function idle(peer: Socket): void {
  const timer = setInterval(() => {
    if (peer.writableLength > 0 || Number(peer.timeout) > 0) peer.emit('timeout');
  }, 50).unref();
  peer.on('close', () => clearInterval(timer));
}

/** Milliseconds that no test lasts. */
const FOREVER = 3_600_000;
const SETTINGS: Settings = { log: 'requests', metrics: 'on' };
/** Waits until no request but that for the metrics is in progress, and no connection is open. */
async function quiet(server: Server, port: number): Promise<void> {
  await until('no request in flight', async () => {
    const [response] = await exchange(port, METRICS);
    return Number(/^http_requests_in_flight (\d+)$/m.exec(response?.body ?? '')?.[1]) === 1;
  });
  await until('no connection', async () => (await connectionsOf(server)) === 0);
}

async function open(context: TestContext, server: Server, port: number): Promise<Pair> {
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  client.on('error', () => undefined);
  context.after(() => client.destroy());
  const [peer] = await accepted;
  // On a busy machine, a state may last longer than the timeouts, which `idle` lets pass.
  const { setTimeout } = peer;
  peer.setTimeout = (time, listener) => setTimeout.call(peer, time && FOREVER, listener);
  return { client, peer };
}

const closed = (socket: Socket): Promise<void> =>
  until('the close of a connection', () => socket.closed);

async function survives(
  context: TestContext,
  server: Server,
  lines: string[],
  state: State,
): Promise<void> {
  const { port } = server.address() as AddressInfo;
  for (const [end, leave] of ENDS) {
    lines.length = 0;
    const pair = await open(context, server, port);
    const { mock: resets } = context.mock.method(pair.peer, 'resetAndDestroy');
    const sent = written(pair.client, state.request);
    await (state.reached === undefined ? sent : state.reached(pair));
    leave(pair, server);
    await closed(pair.peer);
    pair.client.destroy();
    await quiet(server, port);
    const logged = lines.filter((line) => (JSON.parse(line) as { msg: string }).msg === 'reset');
    assert.equal(logged.length, resets.callCount(), `${end}: ${lines.join('\n')}`);
  }
}

describe('createServer survives a client that leaves', { concurrency: STATES.length }, () => {
  for (const state of STATES) {
    test(state.name, async (context) => {
      const lines: string[] = [];
      const server = createServer(SETTINGS, (line) => lines.push(line));
      server.headersTimeout = FOREVER;
      server.requestTimeout = FOREVER;
      await serve(context, server);
      await survives(context, server, lines, state);
    });
  }
});

test('closes a connection that would be reset while its side is being ended', async (context) => {
  const server = createServer();
  await serve(context, server);
  const { peer } = await open(context, server, (server.address() as AddressInfo).port);
  const close = once(peer, 'close');
  peer.end();
  knownConnection(peer)?.reset('slow');
  await close;
});

test('keeps no timer that would keep a program running after its server is closed', () => {
  assert.deepEqual(
    process.getActiveResourcesInfo().filter((name) => name === 'Timeout'),
    [],
  );
});
