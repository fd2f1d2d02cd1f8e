/** Connections: pipelined requests, CONNECT, and bodies in tiny chunks. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { IncomingMessage, type Server } from 'node:http';
import net, { type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createHandler, createServer, type Settings } from '../../src/index.ts';
import { HEADER_LIMIT, HEADERS_TIMEOUT, IDLE_TIMEOUT, LINGER_TIME, MAXIMUM_WAITING } from '../../src/node/limits.ts';
import { collect, connectionsOf, exchange, post, responsesIn, serve } from '../http/fixture.ts';
import { CHUNKED, connect, HASH, headOf, LAST_CHUNK, responseIn, TAX } from '../http/streams.ts';
import { turn, until } from '../until.ts';
import { type Line, resetsIn } from './recording.ts';

const GET = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
const CLOSE = GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
/** The bytes that node:http reads at once. */
const READ_SIZE = 64 * 1024;

interface Service {
  readonly server: Server;
  readonly port: number;
  readonly lines: readonly Line[];
  /** The reasons of the connections that were reset. */
  readonly resets: () => unknown[];
}

async function listen(context: TestContext, settings: Settings = {}): Promise<Service> {
  const lines: Line[] = [];
  const receive = (line: string): void => void lines.push(JSON.parse(line) as Line);
  const server = createServer({ log: 'requests', metrics: 'on', ...settings }, receive);
  return { server, port: await serve(context, server), lines, resets: () => resetsIn(lines) };
}

/** The requests in progress, besides the one that asks. */
async function inFlight(port: number): Promise<number> {
  const [response] = await exchange(port, CLOSE.replace('/healthz', '/metrics'));
  return Number(/^http_requests_in_flight (\d+)$/m.exec(response?.body ?? '')?.[1]) - 1;
}

/** Waits until no request is in progress, and no connection is open. */
async function quiet({ server, port }: Service): Promise<void> {
  await until('no request in flight', async () => await inFlight(port) === 0, turn);
  await until('no connection', async () => await connectionsOf(server) === 0, turn);
}

/** Resolves to the socket of the next connection that the server accepts. */
async function accepted(server: Server): Promise<Socket> {
  const [socket] = await once(server, 'connection') as [Socket];
  return socket;
}

const repeated = (request: string, size = READ_SIZE): string => request.repeat(Math.floor(size / request.length));

test('survives a client that resets, closes or half-closes the connection after CONNECT', async (context) => {
  const service = await listen(context);
  const ends: readonly ((socket: Socket) => void)[] = [
    (socket) => socket.resetAndDestroy(), (socket) => socket.destroy(), (socket) => socket.end(),
  ];
  for (const before of ['', GET, post(HASH, '{"text":""}')]) {
    for (const after of ['', GET, 'x'.repeat(100_000)]) {
      for (const end of ends) {
        const socket = net.connect(service.port, '127.0.0.1');
        socket.on('error', () => undefined).resume();
        await once(socket, 'connect');
        await new Promise<void>((resolve) => socket.write(before + CONNECT + after, () => resolve()));
        end(socket);
        // Once the end has arrived, the server has handled it.
        await exchange(service.port, CLOSE);
      }
    }
  }
  await quiet(service);
});

test('survives CONNECT with a body, of which a part arrives', async (context) => {
  const service = await listen(context);
  const head = CONNECT.replace('\r\n\r\n', '\r\nContent-Length: 10\r\n\r\n');
  for (const body of ['', 'abc', '0123456789', `0123456789${GET}`]) {
    const socket = net.connect(service.port, '127.0.0.1');
    const received = collect(socket);
    await once(socket, 'connect');
    await new Promise<void>((resolve) => socket.write(head + body, () => resolve()));
    await once(socket, 'data');
    socket.resetAndDestroy();
    const [response] = responsesIn(await received);
    assert.equal(response?.status, 405);
  }
  await quiet(service);
});

test('resets a bulk request that CONNECT interrupts, and logs the reset', async (context) => {
  const service = await listen(context);
  const lines = '{"text":"a"}\n'.repeat(20_000);
  for (const version of ['HTTP/1.0', 'HTTP/1.1']) {
    const { socket, closed } = await connect(context, service.port);
    socket.pause();
    const head = headOf(HASH, `Content-Length: ${lines.length}`, 'Connection: keep-alive').replace('HTTP/1.1', version);
    socket.write(head + lines + CONNECT);
    const before = service.resets().length;
    await until('a reset', () => service.resets().length > before, turn);
    socket.resume();
    assert.equal(await closed, 'ECONNRESET', version);
  }
  assert.deepEqual(service.resets(), ['CONNECT', 'CONNECT']);
  await quiet(service);
});

test('resets a bulk request that begins after CONNECT has arrived', async (context) => {
  const service = await listen(context);
  const lines = '{"text":"a"}\n'.repeat(2_000);
  const { socket, closed } = await connect(context, service.port);
  socket.write(GET + headOf(HASH, `Content-Length: ${lines.length}`) + lines + CONNECT);
  await closed;
  assert.deepEqual(service.resets(), ['CONNECT']);
  await quiet(service);
});

/** A connection that keeps only the end of the answers, which are long, and is not read at first. */
async function connectUnread(context: TestContext, port: number): Promise<Unread> {
  const socket = net.connect({ port, host: '127.0.0.1' });
  context.after(() => socket.destroy());
  socket.pause();
  await once(socket, 'connect');
  let end = '';
  socket.on('data', (chunk) => {
    end = (end + chunk.toString('latin1')).slice(-1_000);
  });
  const closed = once(socket, 'close');
  const until = async (text: string): Promise<void> => {
    while (!end.includes(text)) {
      assert.ok(!socket.destroyed, `closed before ${text}, after ${end}`);
      await Promise.race([once(socket, 'data'), closed]);
    }
  };
  return { socket: socket.pause(), until };
}

interface Unread {
  readonly socket: Socket;
  /** Waits until the received bytes end with a text. */
  readonly until: (text: string) => Promise<void>;
}

/** A bulk request whose answers are larger than the buffers of a connection. */
const LONG_BULK = ((): string => {
  const lines = '{"text":"a"}\n'.repeat(40_000);
  return headOf(HASH, `Content-Length: ${lines.length}`) + lines;
})();

/** Sends LONG_BULK and, when the service has read it, a text that arrives at once, so that it is parsed at once. */
async function sendBehindBulk(server: Server, socket: Socket, text: string): Promise<void> {
  const requested = once(server, 'request') as Promise<[IncomingMessage]>;
  socket.write(LONG_BULK);
  const [request] = await requested;
  await until('the bulk request has been read', () => request.socket.bytesRead === LONG_BULK.length, turn);
  socket.write(text);
}

test('counts no time in which it does not read against the limits of a request', async (context) => {
  const service = await listen(context, { requestTimeout: 0.1 });
  // node:http checks its time limits with a timer that it has started already.
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const last = post(HASH, '{"text":"z"}');
  for (const length of [20, last.length - 5]) {
    const { socket, until } = await connectUnread(context, service.port);
    const refused = once(service.server, 'clientError') as Promise<[NodeJS.ErrnoException]>;
    await sendBehindBulk(service.server, socket, GET + last.slice(0, length));
    const [error] = await refused;
    assert.equal(error.code, 'ERR_HTTP_REQUEST_TIMEOUT');
    socket.resume();
    await until('{"alive":true}}');
    socket.write(last.slice(length));
    await until('"input":"z"');
    // The request is complete: later checks of the time limits have nothing to refuse.
    context.mock.timers.tick(HEADERS_TIMEOUT);
    context.mock.timers.tick(HEADERS_TIMEOUT);
    socket.write(post(HASH, '{"text":"later"}'));
    await until('"input":"later"');
    socket.destroy();
  }
  assert.deepEqual(service.lines.filter(({ msg }) => msg === 'refused' || msg === 'reset'), []);
});

test('refuses a request that is not complete long after the answers before it', async (context) => {
  const { server, port } = await listen(context, { requestTimeout: 0.1 });
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { socket, until } = await connectUnread(context, port);
  const refused = once(server, 'clientError');
  await sendBehindBulk(server, socket, GET + GET.slice(0, 20));
  await refused;
  socket.resume();
  await until('{"alive":true}}');
  context.mock.timers.tick(HEADERS_TIMEOUT);
  context.mock.timers.tick(HEADERS_TIMEOUT);
  await until('HTTP/1.1 408 ');
});

test('lets a slow client receive the answers before a refusal', async (context) => {
  const { port } = await listen(context);
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const { socket, until } = await connectUnread(context, port);
  const large = `POST ${HASH} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 3000000\r\n\r\n`;
  socket.write(`${LONG_BULK}${large}${' '.repeat(3_000_000)}`);
  socket.resume();
  await until('HTTP/1.1 413 ');
  context.mock.timers.tick(LINGER_TIME);
  // The service still reads, so that closing the connection discards nothing.
  await turn();
  assert.equal(socket.readyState, 'open');
  context.mock.timers.tick(IDLE_TIMEOUT);
  await once(socket, 'close');
});

test('resets a bulk request when its client half-closes a connection of another server', async (context) => {
  const logged: Line[] = [];
  const handler = createHandler({}, (line) => void logged.push(JSON.parse(line) as Line));
  context.after(() => handler.close());
  const port = await serve(context, http.createServer(handler));
  const lines = '{"text":"a"}\n'.repeat(60_000);
  const { socket, closed } = await connect(context, port);
  const head = headOf(HASH, `Content-Length: ${lines.length}`).replace('HTTP/1.1', 'HTTP/1.0');
  socket.end(head + lines);
  await closed;
  assert.deepEqual(resetsIn(logged), ['half-close']);
});

test('begins a request when the answer before it has been sent', async (context) => {
  const { port, lines, server } = await listen(context);
  const begun: string[] = [];
  const { socket, until } = await connect(context, port);
  const tail = post(HASH, '{"text":"z"}');
  server.on('request', ({ url }: IncomingMessage) => begun.push(String(url)));
  // The parser emits all requests at once, but the last two are answered after the end of the bulk request.
  socket.write(`${headOf(HASH, 'Content-Length: 13')}{"text":"a"}\n${tail}${GET}${tail}`);
  await until((received) => received.split('"input":"z"').length === 3);
  assert.deepEqual(begun, [HASH, HASH, '/healthz', HASH]);
  assert.deepEqual(lines.filter(({ msg }) => msg === 'request').map(({ path, status }) => [path, status]),
    [[HASH, 200], [HASH, 200], ['/healthz', 200], [HASH, 200]]);
});

test('answers as many pipelined requests as may wait, and resets a connection with more', async (context) => {
  const service = await listen(context);
  for (const request of [GET, post(HASH, '{"text":"a"}'), GET.replace('GET', 'HEAD')]) {
    const most = request.repeat(MAXIMUM_WAITING) + CLOSE;
    const isHead = request.startsWith('HEAD');
    const text = await collectAll(service.port, most);
    assert.equal(text.split('HTTP/1.1 200 OK').length, MAXIMUM_WAITING + 2, isHead ? 'HEAD' : request);
    assert.deepEqual(service.resets(), []);
  }
  const { socket, closed } = await connect(context, service.port);
  socket.write(GET.repeat(MAXIMUM_WAITING + 2));
  await closed;
  assert.deepEqual(service.resets(), ['pipelining']);
  await quiet(service);
});

async function collectAll(port: number, request: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  const received = collect(socket);
  socket.write(request);
  return received;
}

test('parses no more requests of a connection that it has reset', async (context) => {
  const service = await listen(context);
  let requests = 0;
  service.server.on('request', () => (requests += 1));
  const { socket, closed } = await connect(context, service.port);
  socket.write(repeated('GET / HTTP/1.1\r\nHost:\r\n\r\n'));
  await closed;
  // The first, those that may wait, and the one that is too many; the kernel may deliver the bytes in several reads.
  assert.ok(requests <= MAXIMUM_WAITING + 2, String(requests));
  await quiet(service);
});

test('reads no more of a connection while requests wait, and goes on afterwards', async (context) => {
  const { port, server, resets } = await listen(context);
  const socket = accepted(server);
  const client = await connect(context, port);
  const peer = await socket;
  client.socket.pause();
  // Few requests per read, so that as many as the client likes may follow. It reads no answer at first.
  const request = post(HASH, JSON.stringify({ text: 'a'.repeat(4_000) }));
  const count = 2_000;
  for (let sent = 0; sent < count; sent += 1) client.socket.write(request);
  client.socket.write(CLOSE);
  await until('answers that wait for the client', () => peer.writableLength > 0, turn);
  const before = peer.bytesRead;
  for (let index = 0; index < 100; index += 1) await turn();
  assert.ok(peer.bytesRead - before <= READ_SIZE && peer.bytesRead < count * request.length);
  client.socket.resume();
  await client.closed;
  assert.equal(client.received.split('HTTP/1.1 200 OK').length, count + 2);
  assert.deepEqual(resets(), []);
});

test('counts no request that follows an answer which ends the connection', async (context) => {
  const service = await listen(context);
  const body = '{"text":"a"}\n';
  const bulk = `${headOf(HASH, `Content-Length: ${body.length}`, 'Connection: keep-alive').replace('1.1', '1.0')}${body}`;
  const upgrade = GET.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');
  for (const next of [bulk, upgrade, GET, post(TAX, '{"income":1}')]) {
    const text = await collectAll(service.port, bulk + next);
    assert.equal(text.split('HTTP/1.1 200 OK').length, 2);
    assert.match(responseIn(text).body, /"input":"a"/);
  }
  await quiet(service);
});

test('refuses a malformed request after the answers to all that wait before it', async (context) => {
  const service = await listen(context);
  const good = post(HASH, '{"text":"a"}');
  const broken: readonly [request: string, status: number][] = [
    ['garbage\r\n\r\n', 400], [CONNECT, 405],
    [`${headOf(HASH, CHUNKED).replace('x-ndjson', 'json')}zz\r\n`, 400],
    [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(HEADER_LIMIT)}\r\n\r\n`, 431],
  ];
  for (const [request, status] of broken) {
    for (const count of [0, 1, 5, MAXIMUM_WAITING - 1]) {
      const responses = await exchange(service.port, good.repeat(count) + request);
      assert.deepEqual(responses.map((response) => response.status), [...Array(count).fill(200), status]);
    }
  }
  await quiet(service);
});

test('reads a body in chunks of one byte in blocks, and a connection with such chunks once per turn', async (context) => {
  const { port, server } = await listen(context);
  const socket = accepted(server);
  const client = await connect(context, port);
  const peer = await socket;
  const text = 'a'.repeat(100_000);
  const { mock: blocks } = context.mock.method(IncomingMessage.prototype, 'push');
  const reads: number[] = [];
  // Other work, such as a health check, is done between two reads.
  const watch = (): void => {
    reads.push(peer.bytesRead);
    if (!peer.destroyed) setImmediate(watch);
  };
  watch();
  client.socket.write(headOf(HASH, CHUNKED).replace('x-ndjson', 'json'));
  client.socket.write(Buffer.from([...`{"text":"${text}"}`].map((byte) => `1\r\n${byte}\r\n`).join('') + LAST_CHUNK));
  await client.until((received) => received.includes('"base64_encoded"'));
  client.socket.destroy();
  assert.ok(blocks.callCount() < 500, String(blocks.callCount()));
  const steps = reads.map((bytes, index) => bytes - (reads[index - 1] ?? 0));
  // The first read of the body has some chunks before the first block.
  assert.ok(steps.filter((step) => step > 2 * READ_SIZE).length <= 1, String(Math.max(...steps)));
});
