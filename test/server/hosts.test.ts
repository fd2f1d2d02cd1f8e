/** Programs that mount the service, and give an answer of their own: their processes go on. */
import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import http, { type IncomingMessage, ServerResponse } from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { Duplex, PassThrough, Readable } from 'node:stream';
import { test, type TestContext } from 'node:test';
import { createHandler, createServer, type Handler, type LineReceiver } from '../../src/index.ts';
import { CLOSE, GET, post, postHead, serve, statusesOf } from '../helpers/fixture.ts';
import type { Line } from '../helpers/recording.ts';
import {
  chunkedHead,
  chunkOf,
  CHUNKED,
  connect,
  FILLER,
  HASH,
  headOf,
  isWhole,
  LAST_CHUNK,
  LEAST_BUFFER,
} from '../helpers/streams.ts';
import { once, turn, until, within } from '../helpers/until.ts';

/** A handler whose timers end with the test, its log function, and the lines that it has logged so far. */
function logging(context: TestContext): {
  handler: Handler;
  receive: LineReceiver;
  lines: Line[];
} {
  const lines: Line[] = [];
  const receive = (line: string): void => void lines.push(JSON.parse(line) as Line);
  const handler = createHandler({ log: 'requests', metrics: 'on' }, receive);
  context.after(() => handler.close());
  return { handler, receive, lines };
}

/** Requests in two parts: the host may give its answer between the parts. */
const REQUESTS: readonly (readonly [label: string, first: string, rest: string])[] = [
  ['without a body', GET, ''],
  ['JSON with a length', `${postHead(HASH, 12)}{"te`, 'xt":"a"}'],
  ['JSON in chunks', `${chunkedHead(HASH)}4\r\n{"te\r\n`, `8\r\nxt":"a"}\r\n${LAST_CHUNK}`],
  ['bulk with a length', `${headOf(HASH, 'Content-Length: 26')}{"text":"a"}\n`, '{"text":"b"}\n'],
  [
    'bulk in chunks',
    headOf(HASH, CHUNKED) + String(chunkOf('{"text":"a"}\n')),
    String(chunkOf('{"text":"b"}\n')) + LAST_CHUNK,
  ],
];

/** A host, which may wait for the rest of the request before its next step. */
type Host = (
  handler: Handler,
  request: IncomingMessage,
  response: ServerResponse,
  hasRest: Promise<unknown>,
) => void;

const HOSTS: readonly (readonly [label: string, host: Host, statuses: readonly number[]])[] = [
  [
    'has ended its answer',
    (handler, request, response) => {
      response.end('host');
      handler(request, response);
    },
    [499],
  ],
  [
    'has sent its answer',
    (handler, request, response) => {
      response.end('host', () => setImmediate(handler, request, response));
    },
    [499],
  ],
  [
    'has begun its answer',
    (handler, request, response, hasRest) => {
      response.write('ho');
      handler(request, response);
      void hasRest.then(() => response.end('st'));
    },
    [499],
  ],
  [
    'has closed the connection',
    (handler, request, response) => {
      response.destroy();
      handler(request, response);
    },
    [499],
  ],
  [
    'answers when the service writes the head',
    (handler, request, response) => {
      const { writeHead } = response;
      response.writeHead = () => {
        response.writeHead = writeHead;
        return response.end('host');
      };
      handler(request, response);
    },
    [499],
  ],
  [
    'calls the listener twice',
    (handler, request, response) => {
      handler(request, response);
      handler(request, response);
    },
    [200, 499],
  ],
];

for (const [label, host, statuses] of HOSTS) {
  test(`counts a request as left by its client if the host ${label}`, async (context) => {
    for (const [kind, first, rest] of REQUESTS) {
      const { handler, lines } = logging(context);
      let sendRest = (): void => undefined;
      const hasRest = new Promise<void>((resolve) => (sendRest = resolve));
      const server = http.createServer((request, response) => {
        if (lines.length > 0 || request.url === '/metrics') handler(request, response);
        else host(handler, request, response, hasRest);
      });
      const port = await serve(context, server);
      const { socket } = await connect(context, port);
      socket.write(first);
      await once(server, 'request');
      socket.write(rest);
      sendRest();
      const seen = (): unknown[] => lines.flatMap(({ status }) => status ?? []).sort();
      await until(`${statuses} for a request ${kind}`, () => seen().length >= statuses.length);
      assert.deepEqual(seen(), statuses, kind);
      socket.destroy();
      assert.deepEqual(await statusesOf(port, post(HASH, '{"text":"a"}') + CLOSE), [200, 200]);
      await until('no request in flight', () => isQuiet(port));
      assert.ok(
        lines.every(({ level }) => level === 'info'),
        kind,
      );
    }
  });
}

/** A method of a host that has a fault. */
function fail(): never {
  throw new Error('a fault of the host');
}

/** Whether no request but that for the metrics is in progress. */
async function isQuiet(port: number): Promise<boolean> {
  const response = await fetch(`http://127.0.0.1:${port}/metrics`);
  return (await response.text()).includes('\nhttp_requests_in_flight 1\n');
}

/** When the rest of the body arrives, and when a host calls the listener for the same response. */
type Order = (
  call: () => void,
  arrive: () => Promise<void>,
  request: IncomingMessage,
) => Promise<void>;

const ORDERS: readonly (readonly [label: string, order: Order])[] = [
  [
    'after both calls',
    async (call, arrive) => {
      call();
      call();
      await arrive();
    },
  ],
  [
    'between the calls',
    async (call, arrive, request) => {
      call();
      await until('a reader of the body', () => request.listenerCount('data') > 0, turn);
      // The second call comes before the first one learns of the end of the body.
      request.prependListener('end', call);
      await arrive();
    },
  ],
  [
    'before both calls',
    async (call, arrive) => {
      await arrive();
      call();
      call();
    },
  ],
];

for (const [label, order] of ORDERS) {
  test(`gives one answer per response, and logs no error, if the body arrives ${label} of a host`, async (context) => {
    for (const [kind, first, rest] of REQUESTS.slice(1)) {
      const { handler, lines } = logging(context);
      const server = http.createServer();
      const begun = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
      const port = await serve(context, server);
      const { socket, until: received } = await connect(context, port);
      socket.write(first);
      const [request, response] = await begun;
      const arrive = async (): Promise<void> => {
        socket.write(rest);
        await until('the rest of the body', () => request.complete, turn);
      };
      await order(() => handler(request, response), arrive, request);
      await received(isWhole);
      await until('two lines', () => lines.length === 2);
      assert.deepEqual(lines.map(({ status }) => status).sort(), [200, 499], kind);
      assert.ok(
        lines.every(({ level }) => level === 'info'),
        kind,
      );
      server.on('request', handler);
      await until('no request in flight', () => isQuiet(port));
    }
  });
}

test('goes on after a method of a response that a host has replaced throws', async (context) => {
  for (const name of ['writeHead', 'end'] as const) {
    for (const [kind, first, rest] of REQUESTS) {
      const { handler, lines } = logging(context);
      const server = http.createServer((request, response) => {
        const isFirst = lines.length === 0 && request.url !== '/metrics';
        if (isFirst) Object.assign(response, { [name]: fail });
        handler(request, response);
      });
      const port = await serve(context, server);
      const client = await connect(context, port);
      client.socket.write(first + rest);
      await within('the end of the connection', client.closed);
      const isBegun = name === 'end' && kind.startsWith('bulk');
      assert.deepEqual(
        lines.map(({ msg, status, err }) => [msg, status ?? (err as Error | undefined)?.message]),
        [
          ['error', 'a fault of the host'],
          ['reset', undefined],
          ['request', isBegun ? 200 : 499],
        ],
        kind,
      );
      assert.equal(lines.at(-1)?.['aborted'], true);
      assert.deepEqual(await statusesOf(port, post(HASH, '{"text":"a"}') + CLOSE), [200, 200]);
      await until('no request in flight', () => isQuiet(port));
    }
  }
});

/** Members of which node:http itself survives that a host replaces them. */
const FAULTY_MEMBERS = [
  ...(['on', 'once', 'write', 'flushHeaders', 'getHeaderNames', 'writeContinue'] as const).map(
    (name) => ['response', name] as const,
  ),
  ...(['url', 'off', 'pause'] as const).map((name) => ['request', name] as const),
] as const;

for (const [part, name] of FAULTY_MEMBERS) {
  test(`answers, or resets the connection, if a host has replaced ${name} of a ${part}`, async (context) => {
    const { handler } = logging(context);
    const server = http.createServer((request, response) => {
      const parts = { request, response };
      if (request.url === HASH) Object.assign(parts[part], { [name]: fail });
      handler(request, response);
    });
    const port = await serve(context, server);
    const texts: readonly (readonly [string, string])[] = [
      ...REQUESTS.slice(1).map(([, first, rest]) => [first, rest] as const),
      [`${postHead(HASH, 2_000_000)}{`, 'a'],
      [`${postHead(HASH, 12, 'Expect: 100-continue')}{"te`, 'xt":"a"}'],
      [headOf(HASH, CHUNKED), String(chunkOf('{"text":"a"}\n'.repeat(20_000))) + LAST_CHUNK],
      [post(HASH, '{"text":"a"}').repeat(3), ''],
    ];
    for (const [first, rest] of texts) {
      const { socket, closed, until: received } = await connect(context, port);
      const isBegun = once(server, 'request');
      socket.write(first);
      await isBegun;
      socket.write(rest);
      await Promise.race([closed, received((text) => text.includes('HTTP/1.1 '))]);
      socket.destroy();
    }
    assert.deepEqual(await statusesOf(port, GET + CLOSE), [200, 200]);
    await until('no request in flight', () => isQuiet(port));
  });
}

test('throws nothing out of the listener if a host has frozen a part of the request', async (context) => {
  const { handler, lines } = logging(context);
  for (const [type, body] of TEST_REQUESTS) {
    for (const part of ['request', 'response', 'socket'] as const) {
      const { request, response, bytes } = withoutConnection(type, body);
      response.on('finish', () => bytes.destroy());
      bytes.resume();
      const parts = { request, response, socket: request.socket };
      Object.preventExtensions(parts[part]);
      handler(request, response);
      const seen = (): unknown[] => lines.map(({ msg }) => msg);
      await until('an end', () => seen().some((msg) => msg === 'request' || msg === 'reset'), turn);
      assert.ok(!seen().includes('reset') || seen().includes('error'), `${part}: ${type}`);
      lines.length = 0;
    }
  }
});

const FAILING_LOGS: readonly (readonly [label: string, receive: LineReceiver])[] = [
  ['throws', fail],
  // A host may pass an asynchronous function.
  ['rejects', () => Promise.reject(new Error('a fault of the host'))],
];

for (const [label, receive] of FAILING_LOGS) {
  test(`answers, and emits a warning, if the log function of a host ${label}`, async (context) => {
    const warnings: unknown[] = [];
    context.mock.method(process, 'emitWarning', (text: unknown) => void warnings.push(text));
    const settings = { log: 'requests', metrics: 'on' } as const;
    const handler = createHandler(settings, receive);
    context.after(() => handler.close());
    for (const server of [http.createServer(handler), createServer(settings, receive)]) {
      const port = await serve(context, server);
      for (const [, first, rest] of REQUESTS) {
        const client = await connect(context, port);
        client.socket.write(first + rest);
        await client.until((text) => text.startsWith('HTTP/1.1 200 ') && isWhole(text));
        client.socket.resetAndDestroy();
      }
      await until('no request in flight', () => isQuiet(port));
    }
    await until('a warning', () => warnings.length > 0);
    assert.ok(warnings.every((text) => String(text).includes('a fault of the host')));
  });
}

test('gives the room of a bulk request back if a method of a host throws', async (context) => {
  const handler = createHandler({ log: 'requests', metrics: 'on' }, () => undefined);
  context.after(() => handler.close());
  const server = http.createServer((request, response) => {
    if (request.method === 'POST') response.setTimeout = fail;
    handler(request, response);
  });
  const port = await serve(context, server);
  const client = await connect(context, port);
  client.socket.write(headOf(HASH, CHUNKED) + String(chunkOf('{"text":"a"}\n')));
  await within('the end of the connection', client.closed);
  await until('no request in flight', () => isQuiet(port));
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  assert.match(metrics, /^bulk_memory_reserved_bytes 0$/m);
});

test('the rest of a bulk request without room is discarded, and its client receives 503', async (context) => {
  const handler = createHandler({ bulkBuffer: LEAST_BUFFER }, () => undefined);
  context.after(() => handler.close());
  const port = await serve(context, http.createServer(handler));
  for (let count = 0; count < 2; count += 1) {
    const holder = await connect(context, port);
    holder.socket.write(headOf(HASH, CHUNKED) + String(chunkOf(`${FILLER}{"text":"a"}\n`)));
    await holder.until((received) => received.includes('"md5"'));
  }
  const client = await connect(context, port);
  // Like many clients, this one sends its whole request before it reads.
  const request = headOf(HASH, 'Content-Length: 20000000') + 'a'.repeat(20_000_000);
  client.socket.pause().write(request, () => client.socket.resume());
  assert.equal(await within('the end of the connection', client.closed), 'end');
  assert.match(client.received, /^HTTP\/1\.1 503 [^]+"overloaded"/);
});

test('goes on after the end of a refusal throws, which the client has received', async (context) => {
  const { handler, lines } = logging(context);
  const server = http.createServer((request, response) => {
    if (request.method === 'POST') response.end = fail;
    handler(request, response);
  });
  const port = await serve(context, server);
  const client = await connect(context, port);
  client.socket.write(`${postHead(HASH, 2_000_000)}{`);
  await within('the end of the connection', client.closed);
  assert.match(client.received, /^HTTP\/1\.1 413 [^]+"body_too_large"/);
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['request', 'error', 'reset'],
  );
  assert.deepEqual(await statusesOf(port, CLOSE), [200]);
});

test('gives no answer after that of a host with a deadline, and answers the next request', async (context) => {
  for (const [kind, first, rest] of REQUESTS.slice(1)) {
    const { handler, lines } = logging(context);
    const server = http.createServer(handler);
    const begun = once(server, 'request') as Promise<[IncomingMessage, ServerResponse]>;
    const port = await serve(context, server);
    const client = await connect(context, port);
    client.socket.write(first);
    const [{ socket }, response] = await begun;
    await until('the first part', () => socket.bytesRead === first.length);
    response.statusCode = 503;
    response.end('late');
    client.socket.write(rest + GET);
    await client.until((received) => received.includes('late') && received.includes('"alive"'));
    const [{ status, aborted } = {}, next] = lines;
    assert.deepEqual([status, aborted], [499, true], kind);
    assert.deepEqual([next?.['status'], lines.length], [200, 2], kind);
    await until('no request in flight', () => isQuiet(port));
  }
});

/** A request as programs have that test their routes without a connection, and its response. */
function withoutConnection(
  type: string,
  body: string,
  socket: unknown = new EventEmitter(),
): { request: IncomingMessage; response: ServerResponse; bytes: PassThrough } {
  const headers = { host: 'a', 'content-type': type, 'content-length': String(body.length) };
  const head = { method: 'POST', url: HASH, httpVersion: '1.1', headers, rawHeaders: [], socket };
  const stream: unknown = Object.assign(Readable.from([Buffer.from(body)]), head);
  const request = stream as IncomingMessage;
  const response = new ServerResponse(request);
  const bytes = new PassThrough();
  response.assignSocket(bytes as never);
  return { request, response, bytes };
}

const TEST_REQUESTS = [
  ['application/json', '{"text":"a"}', 1],
  ['application/x-ndjson', '{"text":"a"}\n{"text":"b"}', 2],
  ['application/json', JSON.stringify({ text: 'a'.repeat(100_000) }), 1],
  ['text/csv', 'a'.repeat(100_000), 0],
] as const;

test('answers a request of a program that tests its routes without a connection', async (context) => {
  const { handler, lines } = logging(context);
  for (const [type, body, count] of TEST_REQUESTS) {
    for (const socket of [new EventEmitter(), {}, null]) {
      const { request, response, bytes } = withoutConnection(type, body, socket);
      let received = '';
      bytes.on('data', (chunk: Buffer) => void (received += String(chunk)));
      handler(request, response);
      await once(response, 'finish');
      const status = count === 0 ? 415 : 200;
      assert.ok(received.startsWith(`HTTP/1.1 ${status} `), type);
      assert.equal(received.split('"md5"').length, count + 1);
      const isClosed = once(response, 'close');
      bytes.destroy();
      await isClosed;
      assert.deepEqual([lines.at(-1)?.['status'], lines.at(-1)?.['client']], [status, '']);
    }
  }
});

test('logs a whole answer as such if a mock closes the response when it ends', async (context) => {
  const { handler, lines } = logging(context);
  for (const [type, body] of TEST_REQUESTS) {
    const { request, response, bytes } = withoutConnection(type, body);
    const { end } = ServerResponse.prototype;
    response.end = (...given: readonly unknown[]) => {
      Reflect.apply(end, response, given);
      response.emit('finish');
      return response.destroy();
    };
    bytes.resume();
    handler(request, response);
    await until('a line', () => lines.length > 0, turn);
    assert.equal(lines.pop()?.['aborted'], undefined, type);
  }
});

test('answers requests of a stream that a program passes to its server in place of a socket', async (context) => {
  const { handler, receive, lines } = logging(context);
  const servers = [http.createServer(handler), createServer({ log: 'requests' }, receive)];
  for (const server of servers) {
    for (const [kind, first, rest] of REQUESTS) {
      const readable = new PassThrough();
      const writable = new PassThrough();
      let received = '';
      writable.on('data', (chunk: Buffer) => void (received += String(chunk)));
      server.emit('connection', Duplex.from({ readable, writable }));
      readable.write(first);
      await turn();
      readable.write(rest);
      await until('an answer', () => isWhole(received), turn);
      await until('a line', () => lines.length > 0, turn);
      assert.deepEqual([lines.pop()?.['status'], lines.length], [200, 0], kind);
    }
  }
});

test('closes the response of a request without a connection if a method of the host throws', async (context) => {
  const { handler, lines } = logging(context);
  for (const [type, body] of TEST_REQUESTS) {
    for (const socket of [new EventEmitter(), {}, null]) {
      const { request, response } = withoutConnection(type, body, socket);
      response.writeHead = fail;
      const isClosed = once(response, 'close');
      handler(request, response);
      await isClosed;
      assert.deepEqual(
        lines.splice(0).map(({ msg, status }) => [msg, status]),
        [
          ['error', undefined],
          ['reset', undefined],
          ['request', 499],
        ],
        type,
      );
    }
  }
});

test('goes on if a response without a connection can neither be written nor destroyed', async (context) => {
  const { handler, lines } = logging(context);
  const { request, response, bytes } = withoutConnection('application/json', '{"text":"a"}');
  response.writeHead = fail;
  Object.assign(bytes, { destroy: undefined });
  handler(request, response);
  await until('a line of the request', () => lines.at(-1)?.['msg'] === 'request', turn);
  assert.equal(lines.at(-1)?.['status'], 499);
});

test('answers each request of a session of HTTP/2', async (context) => {
  const handler = createHandler();
  // The compatibility API of http2 has requests and responses like those of node:http.
  const server = http2.createServer(handler as never).listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const session = http2.connect(`http://127.0.0.1:${port}`);
  context.after(() => session.destroy());
  for (let count = 0; count < 3; count += 1) {
    const stream = session.request({ ':path': '/healthz' });
    const [headers] = await once(stream, 'response');
    // Without a Host header, it is no request of HTTP/1.1.
    assert.equal((headers as http2.IncomingHttpHeaders)[':status'], 400);
    stream.resume().end();
  }
  handler.close();
});

test('answers 500 rather than a wrong hash if the host has set an encoding of the body', async (context) => {
  for (const encoding of ['utf8', 'latin1', 'base64'] as const) {
    for (const [kind, first, rest] of REQUESTS.slice(1)) {
      const { handler, lines } = logging(context);
      const server = http.createServer((request, response) => {
        request.setEncoding(encoding);
        handler(request, response);
      });
      const port = await serve(context, server);
      const { socket, until: received } = await connect(context, port);
      socket.write(first + rest);
      await received((text) => text.includes('"internal_error"'));
      assert.deepEqual(
        lines.map(({ msg, status }) => status ?? msg),
        ['error', 500],
        kind,
      );
      socket.destroy();
    }
  }
});
