/** Bulk requests over a connection. */
import assert from 'node:assert/strict';
import http from 'node:http';
import type { Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Operation } from '../../src/contract/operation.ts';
import { Room } from '../../src/extensions/bulk/room.ts';
import { exposition } from '../../src/extensions/metrics/metrics.ts';
import { operations } from '../../src/operations/operations.ts';
import { IDLE_TIMEOUT } from '../../src/server/limits.ts';
import { serviceOf } from '../../src/service/service.ts';
import { replaceClock } from '../helpers/clock.ts';
import { assertConstantMemory, residentMemory, run } from '../helpers/command.ts';
import {
  assertHeaders,
  faulty,
  GET,
  listen,
  sendJson,
  serve,
  serviceOptions,
} from '../helpers/fixture.ts';
import {
  answeredLines,
  beginBulk,
  chunkOf,
  CHUNKED,
  connect,
  endingOf,
  HASH,
  headOf,
  isWhole,
  LAST_CHUNK,
  LONG_BULK,
  NDJSON,
  oracle,
  outline,
  responseIn,
  TAX,
  TAX_LINE,
} from '../helpers/streams.ts';
import { isThorough } from '../helpers/repository.ts';
import { once, turn, until, within } from '../helpers/until.ts';
import { type Line, listenRecorded, type Recorded } from '../helpers/recording.ts';

/** Lines of the bulk request that stands for one of any length, and of each block that is sent of it. */
const MANY_LINES = isThorough ? 100_000 : 30_000;
const BLOCK_LINES = 1_000;
/** Lines between two readings of the memory. */
const SAMPLED_LINES = MANY_LINES / 20;
/** Bounds of the heap, as in the Dockerfile, so that it does not grow before it is collected. */
const SMALL_HEAP = ['--max-semi-space-size=4', '--heap-growing-percent=50'];
/** Lines of requests through a proxy. */
const COUNTS = isThorough ? [2_000, 10_000, 116_000] : [2_000, 10_000];
const INTERIM = 'HTTP/1.1 100 Continue\r\n\r\n';
/** Hours, in milliseconds: a deadline that only a test that hangs reaches. */
const FAR = 36_000_000;

const onLinux = { skip: process.platform === 'linux' ? false : 'needs procfs' };

interface Observed extends Recorded {
  /** Resolves to the line of the next request that ends. */
  readonly ended: () => Promise<Line>;
}

/** Starts a service, and records its requests. */
async function observed(
  context: TestContext,
  ...given: readonly [changes?: Parameters<typeof listen>[1], parts?: Parameters<typeof listen>[2]]
): Promise<Observed> {
  const waiting: ((line: Line) => void)[] = [];
  const [changes, parts] = given;
  const recorded = await listenRecorded(context, changes, parts, {}, (line) => {
    for (const wake of waiting.splice(0)) wake(line);
  });
  return {
    ...recorded,
    ended: () => within('the end of a request', new Promise((resolve) => waiting.push(resolve))),
  };
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

test('sends type, caching, CORS and request id, but no length, with a bulk answer', async (context) => {
  const { url } = await listen(context, { corsOrigins: ['https://a.example'] });
  const headers = { ...NDJSON, 'x-request-id': 'payroll-8', origin: 'https://a.example' };
  const response = await sendJson(url + HASH, '{"text":"a"}\n{}\n', headers);
  assert.equal(response.status, 200);
  assertHeaders(response.headers, {
    'content-type': 'application/x-ndjson; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'access-control-allow-origin': 'https://a.example',
    'x-request-id': 'payroll-8',
    'content-length': undefined,
  });
  assert.deepEqual(outline(await response.text()), ['success', 'validation_failed 2']);
});

test('answers every line over HTTP/1.0, with Connection: close, and after the client half-closes', async (context) => {
  const { port, service } = await listen(context);
  const body = Buffer.from(`${TAX_LINE}\nno\n`.repeat(300));
  const expected = await oracle(service, TAX, body);
  const heads = [
    headOf(TAX, `Content-Length: ${body.length}`, 'Connection: close'),
    headOf(TAX, `Content-Length: ${body.length}`).replace('HTTP/1.1', 'HTTP/1.0'),
    headOf(TAX, `Content-Length: ${body.length}`, 'Connection: keep-alive').replace(
      'HTTP/1.1',
      'HTTP/1.0',
    ),
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
      assert.equal(
        /\r\nTransfer-Encoding: chunked/.test(answer.head),
        !head.includes('HTTP/1.0'),
        head,
      );
      assert.ok(answer.isWhole && answer.body === expected, head);
    }
  }
});

/**
 * A proxy that discards what arrives of a request after the answer has begun. Servers in Go discard up to 256 KiB, and
 * Perl's LWP sends no more.
 */
function halfDuplexProxy(port: number): http.Server {
  return http.createServer((incoming, outgoing) => {
    const { method, url: path, headers } = incoming;
    const forwarded = http.request({ port, host: '127.0.0.1', method, path, headers });
    let hasBegun = false;
    forwarded.on('response', (answer) => {
      hasBegun = true;
      outgoing.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.on('data', (piece) => void (hasBegun || forwarded.write(piece)));
    incoming.on('end', () => forwarded.end());
  });
}

test('answers all lines of a request without a length behind a proxy that is half-duplex', async (context) => {
  const { port } = await listen(context);
  const front = await serve(context, halfDuplexProxy(port));
  for (const count of COUNTS) assert.equal(await answeredLines(front, count), count);
});

async function turns(count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) await turn();
}

const leaving: readonly [label: string, isReading: boolean, leave: (socket: Socket) => void][] = [
  ['a reset while reading', true, (socket) => socket.resetAndDestroy()],
  ['a close while reading', true, (socket) => socket.destroy()],
  ['a reset while not reading', false, (socket) => socket.resetAndDestroy()],
  ['a close while not reading', false, (socket) => socket.destroy()],
];

test('stops calculating when the client disconnects', async (context) => {
  const { port, metrics, ended } = await observed(context, { operations: [counted] });
  const body = '{}\n'.repeat(20_000);
  for (const [label, isReading, leave] of leaving) {
    calls = 0;
    const { socket, until } = await connect(context, port);
    const end = ended();
    socket.write(headOf(counted.path, `Content-Length: ${body.length}`) + body);
    await until((received) => received.includes('"success"'));
    if (!isReading) socket.pause();
    leave(socket);
    const { lines, failed, aborted, client } = await end;
    assert.deepEqual([aborted, client], [true, '127.0.0.1'], label);
    await turns(20);
    const before = calls;
    // The slice of work in progress may finish after the line is logged.
    assert.ok(
      failed === 0
        && Number(lines) > 0
        && Number(lines) <= before
        && before < Number(lines) + 2_000,
      label,
    );
    await turns(100);
    assert.equal(calls, before, label);
    assert.equal(metrics.inFlight, 0, label);
  }
});

test('calculates nothing when the client resets the connection within the body', async (context) => {
  calls = 0;
  const { server, port, ended } = await observed(context, { operations: [counted] });
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const { socket } = await connect(context, port);
  const [peer] = await accepted;
  const end = ended();
  const begun = once(socket, 'data');
  socket.write(headOf(counted.path, CHUNKED, 'Expect: 100-continue'));
  await begun;
  const before = peer.bytesRead;
  socket.write(chunkOf('{}\n{}\n{'));
  await until('a part of the body', () => peer.bytesRead > before, turn);
  socket.resetAndDestroy();
  const { status, aborted, lines } = await end;
  assert.deepEqual([status, aborted, lines, calls], [499, true, undefined, 0]);
});

test('the idle timeout applies to a bulk request instead of the request timeout, which applies again afterwards', async (context) => {
  const { server, port } = await listen(context);
  const limit = (milliseconds: number): void => {
    server.headersTimeout = milliseconds;
    server.requestTimeout = milliseconds;
  };
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const connection = await connect(context, port);
  const [socket] = await accepted;
  const sendLine = async (text: string): Promise<void> => {
    const before = socket.bytesRead;
    connection.socket.write(chunkOf(`{"text":"${text}"}\n`));
    await until('a line', () => socket.bytesRead > before, turn);
    assert.equal(socket.timeout, IDLE_TIMEOUT);
  };
  connection.socket.write(headOf(HASH, CHUNKED, 'Expect: 100-continue'));
  await connection.until((received) => received === INTERIM);
  connection.received = '';
  await sendLine('before');
  // From now on node:http considers the request too slow, and reports it at its next check.
  limit(1);
  const [error] = (await once(server, 'clientError')) as [NodeJS.ErrnoException];
  assert.equal(error.code, 'ERR_HTTP_REQUEST_TIMEOUT');
  await turns(10);
  await sendLine('after');
  connection.socket.write(LAST_CHUNK);
  await connection.until(isWhole);
  assert.equal(outline(responseIn(connection.received).body).length, 2);
  limit(FAR);
  for (let round = 0; round < 2; round += 1) {
    connection.received = '';
    connection.socket.write(GET);
    await connection.until(isWhole);
  }
  // After the bulk request, the request timeout applies to the connection again.
  connection.received = '';
  const begun = once(server, 'request');
  connection.socket.write(
    'POST /api/v1/hash HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n'
      + 'Content-Length: 9\r\n\r\n{',
  );
  await begun;
  limit(1);
  assert.equal(await connection.closed, 'end');
  assert.match(connection.received, /^HTTP\/1\.1 408 /);
});

test('resets a bulk request after the idle timeout, while it is read and while its answer is not', async (context) => {
  const { server, port, resets } = await listenRecorded(context);
  for (const [request, isAnswered] of [
    [headOf(HASH, 'Content-Length: 1000').replace('HTTP/1.1', 'HTTP/1.0'), false],
    [headOf(HASH, CHUNKED), false],
    [LONG_BULK, true],
  ] as const) {
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const connection = await connect(context, port);
    const [socket] = await accepted;
    if (isAnswered) connection.socket.pause();
    connection.socket.write(request);
    await until('the idle timeout', () => socket.timeout === IDLE_TIMEOUT, turn);
    if (isAnswered) await until('an unread answer', () => socket.writableLength > 0, turn);
    socket.emit('timeout');
    assert.equal(await endingOf(connection), 'ECONNRESET');
  }
  assert.deepEqual(resets(), ['idle', 'idle', 'unread']);
});

test('resets a bulk request after an error outside its lines, and logs the error', async (context) => {
  const { port, ended, lines } = await observed(context);
  const end = ended();
  const connection = await beginBulk(context, port);
  context.mock.method(Room.prototype, 'note', () => assert.fail('a defect'), { times: 1 });
  connection.socket.resume();
  await within('the end of the connection', connection.closed);
  assert.equal(responseIn(connection.received).isWhole, false);
  const { client, aborted } = await end;
  assert.deepEqual([client, aborted], ['127.0.0.1', true]);
  const faults = lines.filter(({ msg }) => msg === 'error' || msg === 'reset');
  assert.deepEqual(
    faults.map(({ err, line, reason }) => [(err as { message?: string })?.message, line, reason]),
    [
      ['a defect', undefined, undefined],
      [undefined, undefined, 'fault'],
    ],
  );
});

test('reads and answers a bulk request while draining, and closes its connection', async (context) => {
  const { port, server, drain } = await listen(context);
  const accepted = once(server, 'request');
  const connection = await connect(context, port);
  connection.socket.write(headOf(HASH, CHUNKED));
  connection.socket.write(chunkOf('{"text":"a"}\n'));
  await accepted;
  const idle = await connect(context, port);
  const drained = drain(FAR);
  // The service closes idle connections at the end of the time for requests that were on their way.
  await idle.closed;
  connection.socket.write(chunkOf('{"text":"b"}\n'));
  connection.socket.write(chunkOf('{"text":"c"}'));
  connection.socket.write(LAST_CHUNK);
  assert.equal(await connection.closed, 'end');
  await drained;
  const { head, isWhole: isAll, body } = responseIn(connection.received);
  assert.match(head, /\r\nConnection: close/);
  assert.ok(isAll && body.includes('"input":"c"'));
});

/** Bulk requests at the end of draining, and how they end: refused while they are read, reset in their answers. */
const late: readonly [label: string, bytes: string, isAnswered: boolean][] = [
  ['HTTP/1.1', headOf(HASH, CHUNKED), false],
  ['HTTP/1.0', headOf(HASH, 'Content-Length: 1000').replace('HTTP/1.1', 'HTTP/1.0'), false],
  ['an answer', LONG_BULK, true],
  ['an answer over HTTP/1.0', LONG_BULK.replace('HTTP/1.1', 'HTTP/1.0'), true],
  [
    'an answer after another',
    headOf(HASH, 'Content-Length: 14') + '{"text":"aaa"}' + LONG_BULK,
    true,
  ],
];

test('refuses a bulk request at the end of draining, or resets it in its answer', async (context) => {
  for (const [label, bytes, isAnswered] of late) {
    const { port, server, drain, lines, resets } = await listenRecorded(context);
    const accepted = once(server, 'request');
    const connection = await connect(context, port);
    if (isAnswered) connection.socket.pause();
    connection.socket.write(bytes);
    await accepted;
    const drained = drain(500);
    await drained;
    if (isAnswered) {
      const requests = lines.filter(({ msg }) => msg === 'request');
      assert.equal(requests.at(-1)?.aborted, true, label);
      assert.equal(await endingOf(connection), 'ECONNRESET', label);
      assert.deepEqual(resets(), ['shutdown'], label);
    } else {
      assert.equal(await connection.closed, 'end', label);
      assert.match(connection.received, /^HTTP\/1\.1 503 [^]*shutting down/, label);
      assert.deepEqual(resets(), [], label);
    }
  }
});

test('answers a bulk request that begins while draining, and closes its connection', async (context) => {
  const { port, app } = await listen(context);
  app.isDraining = true;
  const connection = await connect(context, port);
  connection.socket.write(`${headOf(HASH, 'Content-Length: 12')}{"text":"a"}`);
  assert.equal(await connection.closed, 'end');
  assert.match(responseIn(connection.received).head, /\r\nConnection: close/);
});

test('answers an internal error only in its line, and logs the number of the line', async (context) => {
  let count = 0;
  const sometimes: Operation = {
    ...faulty,
    run(request, given) {
      count += 1;
      return count % 2 === 0 ? faulty.run(request, given) : '{}';
    },
  };
  const { url, lines, ended } = await observed(context, { operations: [...operations, sometimes] });
  const end = ended();
  const headers = { ...NDJSON, 'x-request-id': 'batch-1' };
  const response = await sendJson(url + sometimes.path, '{}\n\n{}\n{}\n{}\n', headers);
  const body = await response.text();
  assert.deepEqual(outline(body), ['success', 'internal_error 3', 'success', 'internal_error 5']);
  assert.doesNotMatch(body, /secret|passwd|fixture/);
  await end;
  const faults = lines.filter(({ msg }) => msg === 'error');
  const errors = faults.map(({ err }) => err as { message: string; stack: string });
  assert.deepEqual(
    faults.map(({ id, line }) => [id, line]),
    [
      ['batch-1', 3],
      ['batch-1', 5],
    ],
  );
  for (const { message, stack } of errors) {
    assert.equal(message, 'the secret in /etc/passwd');
    assert.match(stack, /fixture/);
  }
});

test('logs and counts a bulk request as one request with its lines and failed lines', async (context) => {
  const pass = replaceClock(context);
  const { server, url, metrics, ended } = await observed(context);
  // This listener runs after that of the service, which has read the clock then.
  server.on('request', () => pass(1_500));
  const end = ended();
  const headers = { ...NDJSON, 'x-request-id': 'batch-2' };
  const init = { method: 'POST', headers, body: `${TAX_LINE}\n\nno\n${TAX_LINE}` };
  const response = await fetch(`${url}${TAX}?secret`, init);
  const body = await response.text();
  assert.deepEqual(await end, {
    level: 'info',
    msg: 'request',
    id: 'batch-2',
    client: '127.0.0.1',
    method: 'POST',
    path: TAX,
    status: 200,
    bytes: Buffer.byteLength(body),
    ms: 1_500,
    lines: 3,
    failed: 1,
  });
  const text = exposition([metrics.samples()]);
  for (const sample of [
    `bulk_lines_total{route="${TAX}",outcome="success"} 2`,
    `bulk_lines_total{route="${TAX}",outcome="error"} 1`,
    `bulk_request_duration_seconds_sum{route="${TAX}"} 1.5`,
    `http_requests_total{method="POST",route="${TAX}",status="200"} 1`,
    'http_requests_in_flight 0',
  ])
    assert.ok(text.includes(`\n${sample}\n`), `${sample}\n${text}`);
});

test(
  `answers ${MANY_LINES} of 100000 lines, whose memory does not grow with the answer`,
  onLinux,
  async (context) => {
    const settings = ['--port=0', '--tax-period=2026-08'];
    const service = run(context, settings, {}, SMALL_HEAP);
    const { port } = await service.ready();
    const lines = Array.from({ length: BLOCK_LINES }, (_, index) =>
      index % 100 === 0 ? '{"income":"1"}' : `{"income":${index}00000,"detail":${index % 5 > 0}}`,
    );
    const block = Buffer.from(`${lines.join('\n')}\n`);
    const plain = serviceOf(serviceOptions());
    const expected = (await oracle(plain, TAX, block)).split('\n').slice(0, -1);
    const request = http.request({
      port,
      host: '127.0.0.1',
      path: TAX,
      method: 'POST',
      headers: NDJSON,
    });
    request.setTimeout(120_000, () =>
      request.destroy(new Error('expected within 120 s: more of the answer')),
    );
    context.after(() => request.destroy());
    for (let index = 0; index < MANY_LINES / BLOCK_LINES; index += 1) request.write(block);
    request.end();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    const samples: number[] = [];
    let count = 0;
    let rest = '';
    for await (const text of response.setEncoding('utf8') as AsyncIterable<string>) {
      const parts = (rest + text).split('\n');
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const wanted = expected[count % BLOCK_LINES]!;
        count += 1;
        if (count % SAMPLED_LINES === 0) samples.push(residentMemory(service.child));
        const isSame =
          part === wanted || part === wanted.replace(/"line":\d+\}\}$/, `"line":${count}}}`);
        if (!isSame) assert.fail(`line ${count}: ${part}`);
      }
    }
    assert.deepEqual([count, rest], [MANY_LINES, '']);
    assertConstantMemory(samples);
  },
);
