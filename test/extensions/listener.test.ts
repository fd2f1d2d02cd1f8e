/** The service on the server of another program, which may have answered, read the body, or replaced methods. */
import assert from 'node:assert/strict';
import { AsyncLocalStorage } from 'node:async_hooks';
import http, { type RequestListener, type Server, type ServerResponse } from 'node:http';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { test, type TestContext } from 'node:test';
import { LISTENER_BULK_LIMIT } from '../../src/extensions/listener/listener.ts';
import { createHandler, createServer, type HandlerSettings } from '../../src/index.ts';
import {
  CLOSE,
  errorCode,
  exchange,
  GET,
  post,
  postHead,
  sendJson,
  serve,
  statusesOf,
} from '../helpers/fixture.ts';
import type { Line } from '../helpers/recording.ts';
import {
  chunkedHead,
  chunkOf,
  CHUNKED,
  connect,
  connectUnread,
  HASH,
  headOf,
  LAST_CHUNK,
  NDJSON,
  TAX,
  TAX_LINE,
} from '../helpers/streams.ts';
import { once, turn, until, within, written } from '../helpers/until.ts';

const TEXT = '{"text":"a"}';
const LINES = `${TEXT}\n`.repeat(500);

/** A host: how a program calls the listener. */
type Host = (handler: RequestListener, ...request: Parameters<RequestListener>) => void;

interface Mounted {
  readonly server: Server;
  readonly port: number;
  readonly url: string;
  /** The lines of the log so far. */
  readonly lines: Line[];
}

/** Mounts the service on a server. */
async function mount(
  context: TestContext,
  host: Host = (handler, ...request) => handler(...request),
  settings: HandlerSettings = {},
): Promise<Mounted> {
  const lines: Line[] = [];
  const handler = createHandler(settings, (line) => void lines.push(JSON.parse(line) as Line));
  const server = http.createServer((...request) => host(handler, ...request));
  const port = await serve(context, server);
  return { server, port, url: `http://127.0.0.1:${port}`, lines };
}

/** Requests in pieces, of which the last contains the end. */
const REQUESTS: readonly (readonly [label: string, ...pieces: readonly string[]])[] = [
  ['GET', GET],
  ['OPTIONS', GET.replace('GET /healthz', `OPTIONS ${HASH}`)],
  ['the page', GET.replace('/healthz', '/').replace('\r\n\r\n', '\r\nAccept: text/html\r\n\r\n')],
  ['a file of the page', GET.replace('/healthz', '/page/page.css')],
  ['the document of the API', GET.replace('/healthz', '/openapi.json')],
  ['JSON', post(HASH, TEXT)],
  ['JSON with an id and an origin', post(HASH, TEXT, 'X-Request-Id: a-1', 'Origin: https://a.b')],
  ['JSON in two pieces', postHead(HASH, TEXT.length) + TEXT.slice(0, 5), TEXT.slice(5)],
  [
    'JSON in two chunks',
    chunkedHead(HASH) + chunkOf(TEXT.slice(0, 5)),
    chunkOf(TEXT.slice(5)) + LAST_CHUNK,
  ],
  ['an empty body', postHead(HASH, 0)],
  ['invalid JSON', post(HASH, '{', 'X-Request-Id: a-2')],
  ['a failure without an id', post(TAX, '{}')],
  ['another media type', post(HASH, TEXT).replace('application/json', 'text/csv')],
  ['another method', GET.replace('/healthz', HASH)],
  ['an unknown path', post('/nothing', TEXT)],
  ['an unknown path with a long body', post('/nothing', 'a'.repeat(200_000))],
  ['a declared body over the limit', post(TAX, 'a'.repeat(200_000))],
  [
    'a counted body over the limit',
    chunkedHead(TAX) + chunkOf('a'.repeat(100_000)),
    chunkOf('a'.repeat(100_000)) + LAST_CHUNK,
  ],
  ['a message of MCP', post('/mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}')],
];

test('answers as createServer does, and keeps the connection', async (context) => {
  const settings = { corsOrigin: 'https://a.b', taxPeriod: '2026-08' } as const;
  const { port, lines } = await mount(context, undefined, settings);
  const server = createServer({ ...settings, log: 'off' });
  const ours = await serve(context, server);
  for (const [label, ...pieces] of REQUESTS) {
    const [mounted = [], served = []] = await Promise.all(
      [port, ours].map(async (each) => {
        const [answer, next] = await exchange(each, ...pieces, CLOSE);
        const headers = { ...answer?.headers };
        for (const name of ['date', 'connection', 'keep-alive']) delete headers[name];
        // A request without an id gets a new one from each.
        if (!pieces[0]!.includes('X-Request-Id')) delete headers['x-request-id'];
        return [answer?.status, headers, answer?.body, next?.status];
      }),
    );
    const isOver = /over the limit|long body/.test(label);
    assert.deepEqual(mounted.slice(0, 3), served.slice(0, 3), label);
    assert.equal(mounted[3], 200, label);
    assert.ok(isOver || served[3] === 200, label);
  }
  assert.deepEqual(lines, []);
});

test('answers a refused body to a client that sends all of it first, and asks for the end', async (context) => {
  const { port } = await mount(context);
  for (const path of ['/nothing', TAX]) {
    const body = 'a'.repeat(20_000_000);
    const client = await connect(context, port);
    const request = postHead(path, body.length, 'Connection: close') + body;
    client.socket.pause().write(request, () => client.socket.resume());
    assert.equal(await within('the end of the connection', client.closed), 'end', path);
    assert.match(client.received, /^HTTP\/1\.1 4(?:04|13) [^]+"(?:not_found|body_too_large)"/);
  }
});

test('refuses a bulk request over its limit', async (context) => {
  const { url, lines } = await mount(context);
  const whole = `${TEXT}\n`.padEnd(LISTENER_BULK_LIMIT, '\n');
  const ask = async (text: string): Promise<[number, string]> => {
    const answer = await sendJson(url + HASH, text, NDJSON);
    return [answer.status, await answer.text()];
  };
  assert.equal((await ask(whole))[0], 200);
  const [refused, text] = await ask(`${whole}\n`);
  assert.deepEqual([refused, errorCode(text)], [413, 'body_too_large']);
  assert.ok(text.includes(`up to ${LISTENER_BULK_LIMIT} bytes`));
  assert.deepEqual(lines, []);
});

test('holds little of a bulk answer that its client does not read', async (context) => {
  let response: ServerResponse | undefined;
  const { port } = await mount(context, (handler, request, given) => {
    response = given;
    handler(request, given);
  });
  const body = `${TAX_LINE}\n`.repeat(50_000);
  const client = await connectUnread(context, port);
  client.socket.write(headOf(TAX, `Content-Length: ${body.length}`) + body);
  await until('an answer that waits', () => response?.writableNeedDrain === true);
  assert.ok(response!.writableLength < 1_000_000);
  client.socket.resume();
  await client.until('\r\n0\r\n\r\n');
});

test('does all work of a request in the async context of its caller', async (context) => {
  const contexts = new AsyncLocalStorage<ServerResponse | 'log'>();
  const foreign: string[] = [];
  let count = 0;
  const handler = createHandler({}, () => {
    if (contexts.getStore() === undefined) foreign.push('a line of the log');
  });
  const server = http.createServer((request, response) => {
    for (const name of ['writeHead', 'write', 'end'] as const) {
      const method = response[name] as (...values: unknown[]) => unknown;
      const noted = (...values: unknown[]): unknown => {
        if (contexts.getStore() !== response) foreign.push(name);
        if (name === 'end') count += 1;
        return method.apply(response, values);
      };
      Object.assign(response, { [name]: noted });
    }
    // A third of the bodies has been read before, which is a line of the log.
    const run = (): void => contexts.run(response, () => handler(request, response));
    if (request.headers['x-read'] === undefined) run();
    else request.on('end', run).resume();
  });
  const port = await serve(context, server);
  const bulk = headOf(HASH, `Content-Length: ${LINES.length}`);
  const requests: readonly (readonly string[])[] = [
    ...REQUESTS.map(([, ...pieces]) => pieces),
    [bulk + LINES.slice(0, 100), LINES.slice(100)],
    [post(HASH, TEXT, 'X-Read: 1')],
  ];
  const sockets = await Promise.all(
    Array.from({ length: 5 }, async () => (await connect(context, port)).socket),
  );
  let sent = 0;
  for (let round = 0; round < 3; round += 1) {
    for (const pieces of requests) {
      for (const piece of pieces) {
        for (const socket of sockets) await written(socket, piece);
        await turn();
      }
      sent += sockets.length;
      await until('the end of the requests', () => count === sent, turn);
    }
  }
  assert.ok(sent >= 300);
  assert.deepEqual(foreign, []);
});

/** Programs that answer before the service. */
const ANSWERING: readonly (readonly [label: string, host: Host])[] = [
  [
    'has ended its answer',
    (handler, request, response) => {
      response.end('host');
      handler(request, response);
    },
  ],
  [
    'has begun its answer',
    (handler, request, response) => {
      response.write('host');
      handler(request, response);
      setImmediate(() => response.end());
    },
  ],
  [
    'answers while the body arrives',
    (handler, request, response) => {
      handler(request, response);
      response.end('host');
    },
  ],
  [
    'has closed the connection',
    (handler, request, response) => {
      response.destroy();
      handler(request, response);
    },
  ],
];

for (const [label, host] of ANSWERING) {
  test(`sends nothing, and logs nothing, if the program ${label}`, async (context) => {
    let isFirst = true;
    const { port, lines } = await mount(context, (handler, request, response) => {
      if (!isFirst) return handler(request, response);
      isFirst = false;
      return host(handler, request, response);
    });
    const bulk = [headOf(HASH, CHUNKED) + chunkOf(LINES), LAST_CHUNK];
    const withBody = REQUESTS.filter(([, first = '']) => first.startsWith('POST'));
    for (const pieces of [...withBody.map(([, ...each]) => each), bulk]) {
      isFirst = true;
      const client = await connect(context, port);
      for (const piece of pieces) {
        await written(client.socket, piece);
        await turn();
      }
      client.socket.end(CLOSE);
      await within('the end of the connection', client.closed);
      assert.ok(!/"status"/.test(client.received.split('HTTP/1.1 ')[1] ?? ''), client.received);
    }
    assert.deepEqual(await statusesOf(port, post(HASH, TEXT) + CLOSE), [200, 200]);
    assert.deepEqual(lines, []);
  });
}

test('answers a bulk request once, although the program calls the listener twice', async (context) => {
  const { url, lines } = await mount(context, (handler, request, response) => {
    handler(request, response);
    handler(request, response);
  });
  const body = LINES.repeat(10);
  const response = await sendJson(url + HASH, body, NDJSON);
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson; charset=utf-8');
  const answers = (await response.text()).split('\n');
  assert.equal(answers.length, body.split('\n').length);
  assert.deepEqual(lines, []);
});

test('survives a program that ends a bulk answer', async (context) => {
  const { port } = await mount(context, (handler, request, response) => {
    const { write } = response;
    const writeAndEnd = (...given: readonly unknown[]): boolean => {
      Reflect.apply(write, response, given);
      response.end();
      return true;
    };
    if (request.method === 'POST') Object.assign(response, { write: writeAndEnd });
    handler(request, response);
  });
  const body = `${TAX_LINE}\n`.repeat(1_000);
  const request = headOf(TAX, `Content-Length: ${body.length}`) + body;
  const client = await connect(context, port);
  client.socket.write(request + CLOSE);
  assert.equal(await within('the end of the connection', client.closed), 'end');
  assert.deepEqual(await statusesOf(port, CLOSE), [200]);
});

test('sends nothing, and logs nothing, if the client leaves', async (context) => {
  let closed = 0;
  const { port, lines } = await mount(context, (handler, request, response) => {
    response.on('close', () => (closed += 1));
    handler(request, response);
  });
  const body = `${TAX_LINE}\n`.repeat(50_000);
  const partial = [
    postHead(HASH, TEXT.length) + TEXT.slice(0, 5),
    chunkedHead(HASH) + String(chunkOf(TEXT)),
    headOf(HASH, CHUNKED) + String(chunkOf(LINES)),
    postHead('/nothing', TEXT.length),
    // The answer has begun, and is not read.
    headOf(TAX, `Content-Length: ${body.length}`) + body,
  ];
  for (const [index, text] of partial.entries()) {
    for (const leave of ['destroy', 'resetAndDestroy'] as const) {
      const before = closed;
      const { socket } = await connectUnread(context, port);
      await written(socket, text);
      await turn();
      if (index === partial.length - 1) await once(socket.resume(), 'data');
      socket[leave]();
      await until('the end of a request', () => closed > before);
    }
  }
  assert.deepEqual(await statusesOf(port, post(HASH, TEXT) + CLOSE), [200, 200]);
  assert.deepEqual(lines, []);
});

test('reports a method of the program that throws, ends the connection, and answers the next', async (context) => {
  const fail = (): never => {
    throw new Error('a fault of the program');
  };
  const bulk = headOf(HASH, CHUNKED) + String(chunkOf(LINES)) + LAST_CHUNK;
  for (const name of ['appendHeader', 'writeHead', 'end'] as const) {
    for (const text of [GET, post(HASH, TEXT), bulk]) {
      let isFirst = true;
      const { port, lines } = await mount(context, (handler, request, response) => {
        if (isFirst) Object.assign(response, { [name]: fail });
        isFirst = false;
        handler(request, response);
      });
      const client = await connect(context, port);
      client.socket.write(text);
      await within('the end of the connection', client.closed);
      const messages = lines.map(({ msg, err }) => [msg, (err as Error).message]);
      assert.deepEqual(messages, [['error', 'a fault of the program']], name);
      assert.deepEqual(await statusesOf(port, post(HASH, TEXT) + CLOSE), [200, 200]);
    }
  }
});

/** Programs that take the body from the service. */
const READING: readonly (readonly [label: string, host: Host])[] = [
  [
    'has read the body',
    (handler, request, response) => {
      request.on('end', () => setImmediate(handler, request, response)).resume();
    },
  ],
  [
    'has read a part of the body',
    (handler, request, response) => {
      request.once('data', () => handler(request, response));
    },
  ],
  [
    'reads the body by itself',
    (handler, request, response) =>
      handler(
        request.on('readable', () => undefined),
        response,
      ),
  ],
  ...(['utf8', 'latin1', 'base64'] as const).map((encoding): [string, Host] => [
    `decodes the body as ${encoding}`,
    (handler, request, response) => handler(request.setEncoding(encoding), response),
  ]),
];

for (const [label, host] of READING) {
  test(`answers 500 with the cause in the log if the program ${label}`, async (context) => {
    const { port, lines } = await mount(context, host);
    for (const text of [
      post(HASH, TEXT, 'X-Request-Id: a-1'),
      headOf(HASH, CHUNKED, 'X-Request-Id: a-1') + chunkOf(TEXT) + LAST_CHUNK,
    ]) {
      const client = await connect(context, port);
      client.socket.write(text);
      await client.until((received) => received.includes('"internal_error"'));
      assert.match(client.received, /^HTTP\/1\.1 500 /);
      const { level, id, err } = lines.pop() ?? {};
      assert.deepEqual([level, id, lines.length], ['error', 'a-1', 0]);
      assert.match((err as Error).message, /before any body parser/);
    }
  });
}

test('reads a body that the program has paused, and shares it with earlier listeners', async (context) => {
  let seen = '';
  const { url } = await mount(context, (handler, request, response) => {
    if (request.headers['x-pause'] !== undefined) request.pause();
    else request.on('data', (chunk: Buffer) => void (seen += String(chunk)));
    handler(request, response);
  });
  for (const name of ['x-pause', 'x-see']) {
    const answer = await sendJson(url + HASH, TEXT, { [name]: '1' });
    assert.match(await answer.text(), /"md5":"0cc175b9c0f1b6a831c399e269772661"/);
  }
  assert.equal(seen, TEXT);
});

test('without a function for the log, errors go to the console', async (context) => {
  const reported = context.mock.method(console, 'error', () => undefined);
  const handler = createHandler();
  const server = http.createServer((request, response) =>
    handler(request.setEncoding('utf8'), response),
  );
  const port = await serve(context, server);
  assert.deepEqual(await statusesOf(port, post(HASH, TEXT) + CLOSE), [500, 200]);
  const [line, ...others] = reported.mock.calls.map(({ arguments: given }) => String(given[0]));
  assert.deepEqual([(JSON.parse(line!) as Line)['level'], others], ['error', []]);
});

const FAILING_LOGS = [
  [
    'throws',
    () => {
      throw new Error('a fault of the log');
    },
  ],
  ['rejects', () => Promise.reject(new Error('a fault of the log'))],
] as const;

for (const [label, receive] of FAILING_LOGS) {
  test(`answers, and emits a warning, if the function of the log ${label}`, async (context) => {
    const warned = context.mock.method(process, 'emitWarning', () => undefined);
    const handler = createHandler({}, receive);
    const hosted = http.createServer((request, response) =>
      handler(request.setEncoding('utf8'), response),
    );
    const own = createServer({ log: 'requests' }, receive);
    for (const [server, status] of [
      [hosted, 500],
      [own, 200],
    ] as const) {
      warned.mock.resetCalls();
      const port = await serve(context, server);
      assert.deepEqual(await statusesOf(port, post(HASH, TEXT) + CLOSE), [status, 200]);
      await until('a warning', () => warned.mock.callCount() > 0);
      assert.match(String(warned.mock.calls[0]!.arguments), /a fault of the log/);
    }
  });
}

test('replaces headers of the program, and calls a writeHead that middleware has replaced', async (context) => {
  const settings = { corsOrigin: 'https://a.example' };
  const { url } = await mount(
    context,
    (handler, request, response) => {
      response.setHeader('X-Host', 'a').setHeader('Cache-Control', 'max-age=5');
      response.setHeader('Content-Type', 'text/plain').setHeader('Vary', 'Cookie');
      const { writeHead } = response;
      // Like the replacement of old middleware, this one does not support headers in an array.
      response.writeHead = function (status: number) {
        response.setHeader('X-Middleware', String(response.getHeader('Content-Type')));
        return writeHead.call(response, status);
      } as typeof response.writeHead;
      handler(request, response);
    },
    settings,
  );
  for (const method of ['GET', 'HEAD']) {
    const { headers } = await fetch(`${url}/openapi.json`, { method });
    const names = ['x-host', 'x-middleware', 'cache-control', 'content-type', 'vary'];
    const type = 'application/json; charset=utf-8';
    assert.deepEqual(
      names.map((name) => headers.get(name)),
      ['a', type, 'no-cache', type, 'Accept-Encoding, Origin'],
      method,
    );
  }
});

test('can be mounted below a path of another server', async (context) => {
  const { url } = await mount(context, (handler, request, response) => {
    if (!request.url?.startsWith('/calculate/')) return void response.writeHead(404).end();
    request.url = request.url.slice('/calculate'.length);
    return handler(request, response);
  });
  const answer = await sendJson(`${url}/calculate${HASH}`, TEXT);
  assert.match(await answer.text(), /"md5":"0cc175b9c0f1b6a831c399e269772661"/);
  assert.equal((await fetch(url + HASH)).status, 404);
});

test('redirects a browser to the page with a slash, as Express mounts it', async (context) => {
  const { url } = await mount(context, (handler, request, response) => {
    // Express removes the path of the mount, and keeps the target in originalUrl.
    const { url: target = '' } = request;
    const rest = target.replace(/^\/a\/calculate\/?/, '/');
    handler(Object.assign(request, { originalUrl: target, url: rest }), response);
  });
  const cases = [
    ['/a/calculate', 'text/html', 308, './calculate/'],
    ['/a/calculate?lang=vi#x', 'text/html', 308, './calculate/?lang=vi'],
    ['/a/calculate/', 'text/html', 200, null],
    ['/a/calculate', 'application/json', 200, null],
  ] as const;
  for (const [path, accept, expected, location] of cases) {
    const init: RequestInit = { headers: { accept }, redirect: 'manual' };
    const { status, headers } = await fetch(url + path, init);
    assert.deepEqual([status, headers.get('location')], [expected, location], path);
  }
  const page = await fetch(`${url}/a/calculate`, { headers: { accept: 'text/html' } });
  assert.equal(new URL(page.url).pathname, '/a/calculate/');
  assert.match(await page.text(), /<html/);
});

test('answers requests of HTTP/2 by the compatibility API', async (context) => {
  const handler = createHandler();
  const server = http2.createServer(handler as never).listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const session = http2.connect(`http://127.0.0.1:${port}`);
  context.after(() => session.destroy());
  const cases = [
    ['GET', '/healthz', '', '', 200],
    ['HEAD', '/healthz', '', '', 200],
    ['POST', HASH, 'application/json', TEXT, 200],
    ['POST', HASH, 'application/x-ndjson', LINES, 200],
    ['POST', TAX, 'application/json', 'a'.repeat(200_000), 413],
    ['POST', '/nothing', 'application/json', 'a'.repeat(200_000), 404],
  ] as const;
  for (const [method, path, type, body, status] of cases) {
    const head = { ':method': method, ':path': path, 'content-type': type };
    const stream = session.request(head);
    if (body !== '') stream.end(body);
    const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders];
    await once(stream.resume(), 'end');
    assert.equal(headers[':status'], status, path);
  }
});
