import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/operations/operations.ts';
import { Connection } from '../../src/server/connection.ts';
import { DRAIN_GRACE } from '../../src/server/limits.ts';
import type { Work } from '../../src/server/scheduler.ts';
import {
  assertHeaders,
  collect,
  errorCode,
  faulty,
  type Fixture,
  GET,
  listen,
  post,
  postHead,
  responsesIn,
  statusesIn,
} from '../helpers/fixture.ts';
import { connect } from '../helpers/client.ts';
import { listenRecorded, recording, resetsIn } from '../helpers/recording.ts';
import { once, turn, until, within, written } from '../helpers/until.ts';

const HASH = '/api/v1/hash';
/** Hours, in milliseconds: a deadline that only a test that hangs reaches. */
const FAR = 36_000_000;
/** Milliseconds of a pause of the process, longer than those after which draining closes idle connections. */
const PAUSE: number = DRAIN_GRACE + 200;

/** Waits until the server accepts no connection. */
function stopped(server: http.Server): Promise<void> {
  return until('the end of listening', () => !server.listening, turn);
}

test('closes idle and silent connections before the deadline of draining', async (context) => {
  const { port, drain } = await listen(context);
  const idle = await connect(port);
  const idleBytes = collect(idle);
  idle.write(GET);
  await once(idle, 'data');
  const silent = collect(await connect(port));
  await drain(FAR);
  assert.deepEqual(statusesIn(await idleBytes), [200]);
  assert.equal(await silent, '');
});

test('answers with Connection: close, is not ready, and accepts no connection while draining', async (context) => {
  const { server, port, drain, app } = await listen(context);
  const busy = await connect(port);
  const bytes = collect(busy);
  busy.write(`${postHead(HASH, 15)}{"te`);
  const other = await connect(port);
  const otherBytes = collect(other);
  other.write(GET);
  await once(other, 'data');

  const drained = drain(FAR);
  assert.equal(app.isDraining, true);
  other.write(GET.replace('/healthz', '/readyz'));
  const [, ready] = responsesIn(await otherBytes);
  assert.equal(ready?.status, 503);
  assertHeaders(ready?.headers, { connection: 'close', 'retry-after': '1' });
  assert.equal(errorCode(ready?.body ?? '{}'), 'overloaded');
  await stopped(server);

  busy.write('xt":"late"}');
  const [answer] = responsesIn(await bytes);
  assert.equal(answer?.status, 200);
  assertHeaders(answer?.headers, { connection: 'close' });
  assert.match(answer?.body ?? '', /"input":"late"/);
  await drained;
});

test('answers a request that arrived during a pause of the process while draining', async (context) => {
  const { server, port, drain } = await listen(context);
  const client = await connect(port);
  const bytes = collect(client);
  client.write(GET);
  await once(client, 'data');
  const drained = drain(FAR);
  await stopped(server);
  // The request waits in the kernel beyond the time after which idle connections are closed.
  client.write(GET);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
  assert.deepEqual(statusesIn(await bytes), [200, 200]);
  await drained;
});

test('answers 503 at the deadline to a request without its whole body, and closes others in silence', async (context) => {
  const { observers, lines } = recording(context);
  const { port, drain } = await listen(context, {}, { observers });
  const stuck = await connect(port);
  const bytes = collect(stuck);
  stuck.write(postHead(HASH, 20));
  const beginning = await connect(port);
  let failure: unknown;
  beginning.on('error', (error) => (failure = error));
  const nothing = collect(beginning);
  beginning.write('GET /healthz HT');
  await drain(900);
  const [answer] = responsesIn(await bytes);
  assert.equal(answer?.status, 503);
  assert.equal(errorCode(answer?.body ?? '{}'), 'overloaded');
  assert.equal(await nothing, '');
  assert.equal(failure, undefined);
  assert.deepEqual(
    lines.map(({ msg, status }) => [msg, status]),
    [['refused', 503]],
  );
});

/** An operation whose answer is larger than the buffers of a connection. */
const long: Operation = {
  ...faulty,
  path: '/long',
  run: () => JSON.stringify('a'.repeat(20_000_000)),
};

/** Requests a long answer on a connection that is not read, and waits until the service has answered. */
async function requestUnread({ port, server }: Fixture): Promise<net.Socket> {
  const client = (await connect(port)).pause();
  client.write(`${postHead(long.path, 2)}{}`);
  const [, response] = (await once(server, 'request')) as [unknown, http.ServerResponse];
  await until('an answer', () => response.writableEnded, turn);
  return client;
}

test('sends a slow client its whole answer while draining, and closes an idle connection', async (context) => {
  const fixture = await listen(context, { operations: [long] });
  const idle = await connect(fixture.port);
  const idleBytes = collect(idle);
  idle.write(GET);
  await once(idle, 'data');
  const client = await requestUnread(fixture);
  const drained = fixture.drain(FAR);
  // The other client does not read yet.
  assert.deepEqual(statusesIn(await idleBytes), [200]);
  const received: Buffer[] = [];
  client.on('data', (chunk) => {
    received.push(chunk);
    client.pause();
    // The whole answer takes longer than DRAIN_GRACE.
    void sleep(1).then(() => client.resume());
  });
  client.resume();
  await once(client, 'close');
  await drained;
  const [answer] = responsesIn(Buffer.concat(received).toString('latin1'));
  assert.equal(answer?.status, 200);
  assert.equal(answer.body.length, Number(answer.headers['content-length']));
});

test('closes a connection whose last request has been refused before its body', async (context) => {
  const { port, drain } = await listen(context);
  const client = await connect(port);
  const bytes = collect(client);
  client.write(postHead('/unknown', 9));
  await once(client, 'data');
  await written(client, '{"a":"b"}');
  await drain(FAR);
  assert.deepEqual(statusesIn(await bytes), [404]);
});

test('answers a request whose headers arrive slowly while draining', async (context) => {
  const { port, drain } = await listen(context);
  const client = await connect(port);
  const bytes = collect(client);
  client.write(GET);
  await once(client, 'data');
  await written(client, GET.slice(0, 10));
  const checks = context.mock.method(Connection.prototype, 'endIfIdle').mock;
  const drained = drain(FAR);
  await until('a check for idle connections', () => checks.callCount() > 0);
  client.write(GET.slice(10));
  assert.deepEqual(statusesIn(await bytes), [200, 200]);
  await drained;
});

test('answers the requests that a slow client has pipelined before the signal', async (context) => {
  const fixture = await listen(context, { operations: [long, ...operations] });
  const client = (await connect(fixture.port)).pause();
  const hash = `${postHead(HASH, 12)}{"text":"z"}`;
  client.write(`${postHead(long.path, 2)}{}${GET}${hash}`);
  const [, response] = (await once(fixture.server, 'request')) as [unknown, http.ServerResponse];
  await until('an answer', () => response.writableEnded, turn);
  const { scheduler } = fixture.app;
  const waiting: Work[] = [];
  const { mock } = context.mock.method(scheduler, 'add', (work: Work) => void waiting.push(work));
  const drained = fixture.drain(FAR);
  const bytes = collect(client.resume());
  await until('the turn of the second request', () => waiting.length > 0, turn);
  const checks = context.mock.method(Connection.prototype, 'endIfIdle').mock;
  await until('a check for idle connections', () => checks.callCount() > 0);
  mock.restore();
  for (const work of waiting) scheduler.add(work);
  const answers = responsesIn(await bytes);
  assert.deepEqual(
    answers.map(({ status, headers }) => [status, headers['connection']]),
    [
      [200, 'keep-alive'],
      [200, 'keep-alive'],
      [200, 'close'],
    ],
  );
  await drained;
});

test('resets a client that has not received its answer at the deadline, and logs the reset', async (context) => {
  const { observers, lines } = recording(context);
  const fixture = await listen(context, { operations: [long] }, { observers });
  const client = await requestUnread(fixture);
  await fixture.drain(900);
  const received = await collect(client.resume());
  assert.ok(received.length < 20_000_000);
  assert.deepEqual(resetsIn(lines), ['shutdown']);
});

test('records a request whose connection has been reset in the turn of the deadline', async (context) => {
  const { connections, lines, metrics, port, quiet } = await listenRecorded(context);
  const client = net.connect(port, '127.0.0.1').on('error', () => undefined);
  client.write(postHead(HASH, 20, 'Expect: 100-continue'));
  await once(client, 'data');
  const [connection] = connections;
  connection!.reset('idle');
  connection!.shutDown();
  await quiet();
  client.destroy();
  assert.equal(metrics.inFlight, 0);
  assert.deepEqual(
    lines.map(({ msg, status }) => [msg, status]),
    [
      ['reset', undefined],
      ['request', 499],
    ],
  );
});

test('ends a connection after CONNECT when the process ends', async (context) => {
  const { drain, port } = await listen(context);
  const client = await connect(port);
  client.pause();
  const large = JSON.stringify({ text: 'a'.repeat(900_000) });
  client.write(`${post(HASH, large)}CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n`);
  await turn();
  // Otherwise, it would end after IDLE_TIMEOUT.
  await within('the end of draining', drain(900));
  client.destroy();
});

test('drains under load over persistent connections without failing a request', async (context) => {
  const { server, port, drain } = await listen(context);
  const agent = new http.Agent({ keepAlive: true, maxSockets: 8 });
  context.after(() => agent.destroy());
  const accepted = new Set<number | undefined>();
  server.on('connection', ({ remotePort }) => accepted.add(remotePort));
  let answered = 0;
  let refused = 0;
  const failures: unknown[] = [];
  const body = JSON.stringify({ text: 'load' });
  const send = (): Promise<boolean> =>
    within(
      'an answer',
      new Promise((resolve) => {
        const options = {
          port,
          host: '127.0.0.1',
          path: HASH,
          method: 'POST',
          agent,
          headers: { 'content-type': 'application/json', 'content-length': String(body.length) },
        };
        let localPort: number | undefined;
        const request = http.request(options, (response) => {
          response.resume().on('end', () => {
            if (response.statusCode === 200) answered += 1;
            else failures.push(response.statusCode);
            resolve(true);
          });
        });
        request.on('socket', (socket) => {
          localPort = socket.localPort;
          socket.once('connect', () => (localPort = socket.localPort));
        });
        request.on('error', (error) => {
          // The listener refuses connections when it has closed, and resets those that it has not accepted before.
          if (localPort !== undefined && accepted.has(localPort)) failures.push(error);
          else refused += 1;
          resolve(false);
        });
        request.end(body);
      }),
    );
  const client = async (): Promise<void> => {
    while (await send());
  };
  const clients = Promise.all(Array.from({ length: 8 }, client));
  while (answered < 200) await once(server, 'request');
  await drain(FAR);
  await clients;
  assert.deepEqual(failures, []);
  assert.equal(refused, 8);
});
