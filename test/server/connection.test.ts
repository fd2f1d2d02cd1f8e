/** Connections: pipelined requests, CONNECT, and bodies in tiny chunks. */
import assert from 'node:assert/strict';
import http, { IncomingMessage, type Server } from 'node:http';
import net, { type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import { createHandler, createServer, type Settings } from '../../src/index.ts';
import {
  HEADER_LIMIT,
  IDLE_TIMEOUT,
  LINGER_TIME,
  MAXIMUM_WAITING,
} from '../../src/server/limits.ts';
import {
  listen as listenWithDrain,
  collect,
  connectionsOf,
  exchange,
  post,
  postHead,
  responsesIn,
  serve,
} from '../helpers/fixture.ts';
import { type Line, resetsIn } from '../helpers/recording.ts';
import { CHUNKED, connect, HASH, headOf, LAST_CHUNK, responseIn, TAX } from '../helpers/streams.ts';
import { once, turn, until, within, written } from '../helpers/until.ts';

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
  await until('no request in flight', async () => (await inFlight(port)) === 0, turn);
  await until('no connection', async () => (await connectionsOf(server)) === 0, turn);
}

/** Resolves to the socket of the next connection that the server accepts. */
async function accepted(server: Server): Promise<Socket> {
  const [socket] = (await once(server, 'connection')) as [Socket];
  return socket;
}

const repeated = (request: string, size = READ_SIZE): string =>
  request.repeat(Math.floor(size / request.length));

test('survives a client that resets, closes or half-closes the connection after CONNECT', async (context) => {
  const service = await listen(context);
  const ends: readonly ((socket: Socket) => void)[] = [
    (socket) => socket.resetAndDestroy(),
    (socket) => socket.destroy(),
    (socket) => socket.end(),
  ];
  for (const before of ['', GET, post(HASH, '{"text":""}')]) {
    for (const after of ['', GET, 'x'.repeat(100_000)]) {
      for (const end of ends) {
        const socket = net.connect(service.port, '127.0.0.1');
        socket.on('error', () => undefined).resume();
        await once(socket, 'connect');
        await written(socket, before + CONNECT + after);
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
    await written(socket, head + body);
    await once(socket, 'data');
    socket.resetAndDestroy();
    const [response] = responsesIn(await received);
    assert.equal(response?.status, 405);
  }
  await quiet(service);
});

test('refuses CONNECT after the bulk answer before it, however slowly the client reads', async (context) => {
  const service = await listen(context);
  const lines = '{"text":"a"}\n'.repeat(40_000);
  for (const before of ['', GET]) {
    const { socket, until: received } = await connectUnread(context, service.port);
    socket.write(`${before}${headOf(HASH, `Content-Length: ${lines.length}`)}${lines}${CONNECT}`);
    for (let index = 0; index < 20; index += 1) await turn();
    socket.resume();
    await received('HTTP/1.1 405 ');
    socket.destroy();
  }
  assert.deepEqual(service.resets(), []);
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

const SLOW: readonly [label: string, before: string, body: string][] = [
  ['Content-Length', postHead(HASH, 100_000), ' '],
  ['chunks', headOf(HASH, CHUNKED).replace('x-ndjson', 'json'), '1\r\n \r\n'],
  ['headers', 'GET / HTTP/1.1\r\nHost: a\r\nX: ', 'a'],
  [
    'a request behind another',
    GET + headOf(HASH, CHUNKED).replace('x-ndjson', 'json'),
    '1\r\n \r\n',
  ],
];

test('refuses a request that arrives byte by byte, whatever the number of its pieces is', async (context) => {
  const { port } = await listen(context, { requestTimeout: 1 });
  await Promise.all(
    SLOW.flatMap(([label, before, piece]) =>
      [0, 9, 100, 10_000].map(async (count) => {
        // More tiny chunks than that are reset at once.
        if (label !== 'Content-Length' && count > 100) return;
        const { socket, closed, until: received } = await connect(context, port);
        socket.write(before + piece.repeat(count));
        // One more piece at a time, until the service ends the connection: no piece extends the time.
        const timer = setInterval(() => void (socket.writable && socket.write(piece)), 100);
        socket.on('close', () => clearInterval(timer));
        await received((text) => text.includes('HTTP/1.1 408 '));
        await closed;
      }),
    ),
  );
});

test('answers a request that is complete when its time is over, but has not been read yet', async (context) => {
  const service = await listen(context, { requestTimeout: 1 });
  const parts: readonly [string, string][] = [
    [GET.slice(0, 10), GET.slice(10)],
    [`${postHead(HASH, 12)}{"te`, 'xt":"z"}'],
    [
      `${headOf(HASH, CHUNKED).replace('x-ndjson', 'json')}4\r\n{"te\r\n`,
      `8\r\nxt":"z"}\r\n${LAST_CHUNK}`,
    ],
  ];
  for (const [first, rest] of parts) {
    const peer = accepted(service.server);
    const { socket, until: received } = await connect(context, service.port);
    const begun = await peer;
    socket.write(first);
    await until('the first part', () => begun.bytesRead === first.length, turn);
    // The timers of node:http run before it reads the sockets: after a pause, the rest waits in the kernel.
    socket.write(rest);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);
    await received((text) => text.includes('HTTP/1.1 200 '));
    socket.destroy();
  }
  assert.deepEqual(
    service.lines.filter(({ msg }) => msg === 'refused'),
    [],
  );
});

test('sends no second answer to a request whose body arrives too slowly after the first', async (context) => {
  const { port, lines } = await listen(context, { requestTimeout: 1 });
  const client = await connect(context, port);
  client.socket.write(`${postHead('/nothing', 100)}{`);
  await client.closed;
  assert.match(client.received, /^HTTP\/1\.1 404 /);
  assert.equal(client.received.split('HTTP/1.1 ').length, 2);
  assert.deepEqual(
    lines.filter(({ msg }) => msg === 'refused' || msg === 'reset'),
    [],
  );
});

test('begins no request that has been refused since its response got the socket', async (context) => {
  const { port, lines } = await listen(context);
  const { closed, socket, until: holds } = await connect(context, port);
  // The chunk is malformed: the parser refuses the request in the read in which it waits.
  socket.write(`${GET}${headOf(HASH, CHUNKED).replace('x-ndjson', 'json')}zz\r\n`);
  await holds((text) => text.includes('HTTP/1.1 400 '));
  await closed;
  const ends = lines
    .filter(({ msg }) => msg === 'request' || msg === 'refused')
    .map(({ msg, status }) => [msg, status]);
  assert.deepEqual(ends, [
    ['request', 200],
    ['refused', 400],
  ]);
});

test('refuses a malformed request of a client that has half-closed, after the answers before it', async (context) => {
  const service = await listen(context);
  const lines = '{"text":"a"}\n'.repeat(2_000);
  for (const before of [
    GET.repeat(5),
    `${headOf(HASH, `Content-Length: ${lines.length}`)}${lines}`,
  ]) {
    const socket = net.connect({ port: service.port, host: '127.0.0.1', allowHalfOpen: true });
    const received = collect(socket);
    socket.on('end', () => socket.end());
    socket.end(`${before}garbage\r\n\r\n`);
    assert.match(await received, /HTTP\/1\.1 200 [^]*HTTP\/1\.1 400 /);
  }
  await quiet(service);
});

test('resets a connection with many tiny chunks, which would take long to parse', async (context) => {
  const service = await listen(context);
  for (const [size, isReset] of [
    [1, true],
    [3, true],
    [4, false],
  ] as const) {
    const chunk = `${size}\r\n${' '.repeat(size)}\r\n`;
    const { socket, closed, until: received } = await connect(context, service.port);
    socket.write(
      headOf(HASH, CHUNKED).replace('x-ndjson', 'json') + chunk.repeat(5_000) + LAST_CHUNK,
    );
    if (isReset) await closed;
    else await received((text) => text.startsWith('HTTP/1.1 400 '));
  }
  assert.deepEqual(service.resets(), ['tiny chunks', 'tiny chunks']);
});

test('ends a connection after CONNECT when the process ends', async (context) => {
  const { drain, port } = await listenWithDrain(context);
  const { socket } = await connect(context, port);
  socket.pause();
  socket.write(post(HASH, JSON.stringify({ text: 'a'.repeat(900_000) })) + CONNECT);
  await turn();
  // Otherwise, it would end after IDLE_TIMEOUT.
  await within('the end of draining', drain(900));
});

test('answers bodies in tokens of five bytes, each a chunk, alone and behind other requests', async (context) => {
  const service = await listen(context);
  const text = JSON.stringify({ text: 'a'.repeat(300_000) });
  const income = `{"income":30000000${' '.repeat(16_300)}}`;
  const chunked = (path: string, body: string): string =>
    headOf(path, CHUNKED).replace('x-ndjson', 'json')
    + body.replace(/[^]{1,5}/g, (token) => `${token.length}\r\n${token}\r\n`)
    + LAST_CHUNK;
  for (const before of ['', GET.repeat(3)]) {
    for (const [path, body] of [
      [HASH, text],
      [TAX, income],
    ] as const) {
      const answers = await collectAll(service.port, before + chunked(path, body) + CLOSE);
      assert.equal(answers.split('HTTP/1.1 200 OK').length, before === '' ? 3 : 6);
    }
  }
  await quiet(service);
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
  assert.deepEqual(
    lines.filter(({ msg }) => msg === 'request').map(({ path, status }) => [path, status]),
    [
      [HASH, 200],
      [HASH, 200],
      ['/healthz', 200],
      [HASH, 200],
    ],
  );
});

test('answers as many pipelined requests as may wait, and resets a connection with more', async (context) => {
  const service = await listen(context);
  for (const request of [GET, post(HASH, '{"text":"a"}'), GET.replace('GET', 'HEAD')]) {
    const most = request.repeat(MAXIMUM_WAITING) + CLOSE;
    const isHead = request.startsWith('HEAD');
    const text = await collectAll(service.port, most);
    assert.equal(
      text.split('HTTP/1.1 200 OK').length,
      MAXIMUM_WAITING + 2,
      isHead ? 'HEAD' : request,
    );
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

test('reads no more of a connection whose client reads no answers, and goes on afterwards', async (context) => {
  const { port, server, resets } = await listen(context);
  const socket = accepted(server);
  const client = await connect(context, port);
  const peer = await socket;
  client.socket.pause();
  // node:http reads a part of a large body until its turn, so that as many as the client likes may follow.
  const request = post(HASH, JSON.stringify({ text: 'a'.repeat(100_000) }));
  const count = 200;
  for (let sent = 0; sent < count; sent += 1) client.socket.write(request);
  client.socket.write(CLOSE);
  await until('answers that wait for the client', () => peer.writableLength > 0, turn);
  const before = peer.bytesRead;
  for (let index = 0; index < 100; index += 1) await turn();
  assert.ok(peer.bytesRead - before <= 2 * READ_SIZE && peer.bytesRead < count * request.length);
  client.socket.resume();
  await client.closed;
  assert.deepEqual(resets(), []);
  assert.equal(client.received.split('HTTP/1.1 200 OK').length, count + 2);
});

test('sends an answer that ends the connection, whatever follows its request', async (context) => {
  const service = await listen(context);
  // No connection is closed because of LINGER_TIME.
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const waiting = post(HASH, JSON.stringify({ text: 'a'.repeat(20_000) }));
  const last: readonly [request: string, status: number][] = [
    [CLOSE, 200],
    [GET.replace('1.1', '1.0'), 200],
    [GET.replace('\r\n\r\n', '\r\nHost: b\r\n\r\n'), 400],
    [GET.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n'), 200],
    [headOf('/nothing', CHUNKED).replace('x-ndjson', 'json') + LAST_CHUNK, 404],
    // node:http has stopped reading when it hands over the socket.
    [GET + waiting + CONNECT, 405],
  ];
  for (const [request, status] of last) {
    for (const after of [GET.repeat(100), 'x'.repeat(300_000)]) {
      const client = await connect(context, service.port, true);
      client.socket.write(request + after);
      await once(client.socket, 'end');
      await written(client.socket, after);
      client.socket.end();
      assert.equal(await within('the close of a connection', client.closed), 'end', request);
      assert.match(
        client.received,
        new RegExp(`HTTP/1\\.1 ${status} [^\r]*\r\n(?:[^\r]+\r\n)+\r\n[^\r]*$`),
      );
    }
  }
  assert.deepEqual(service.resets(), []);
});

test('sends 413 to a client that ends the connection, before its body has arrived', async (context) => {
  const { port } = await listen(context);
  const close = postHead(TAX, 20_000, 'Connection: close');
  for (const head of [close, postHead(TAX, 20_000).replace('HTTP/1.1', 'HTTP/1.0')]) {
    const { closed, received, socket, until: holds } = await connect(context, port, true);
    socket.write(head);
    await holds((text) => text.startsWith('HTTP/1.1 413 '));
    await written(socket, ' '.repeat(20_000));
    socket.end();
    assert.equal(await within('the close of a connection', closed), 'end', head + received);
  }
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
    ['garbage\r\n\r\n', 400],
    [CONNECT, 405],
    [`${headOf(HASH, CHUNKED).replace('x-ndjson', 'json')}zz\r\n`, 400],
    [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(HEADER_LIMIT)}\r\n\r\n`, 431],
  ];
  for (const [request, status] of broken) {
    for (const count of [0, 1, 5, MAXIMUM_WAITING - 1]) {
      const responses = await exchange(service.port, good.repeat(count) + request);
      assert.deepEqual(
        responses.map((response) => response.status),
        [...Array(count).fill(200), status],
      );
    }
  }
  await quiet(service);
});
