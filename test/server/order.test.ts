/** The order of a connection: requests are answered one at a time, and nothing follows the last answer. */
import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import net from 'node:net';
import { test } from 'node:test';
import { DISCARDED_BODY, HEADER_LIMIT, MAXIMUM_WAITING } from '../../src/server/limits.ts';
import { CLOSE, collect, exchange, GET, post, statusesOf } from '../helpers/fixture.ts';
import { listenRecorded } from '../helpers/recording.ts';
import {
  chunkedHead,
  connect,
  connectUnread,
  HASH,
  headOf,
  isWhole,
  LAST_CHUNK,
  LONG_BULK,
  responseIn,
  TAX,
} from '../helpers/streams.ts';
import { once, turn, until, within, written } from '../helpers/until.ts';

const CONNECT = 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n';
const UPGRADE = GET.replace('\r\n\r\n', '\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n');

test('begins a request when the answer before it has been sent', async (context) => {
  const { port, lines, server } = await listenRecorded(context);
  const begun: string[] = [];
  const { socket, until } = await connect(context, port);
  const tail = post(HASH, '{"text":"z"}');
  server.on('request', ({ url }: IncomingMessage) => begun.push(String(url)));
  // The parser emits all requests at once, but the last two are answered after the end of the bulk request.
  socket.write(`${headOf(HASH, 'Content-Length: 13')}{"text":"a"}\n${tail}${GET}${tail}`);
  await until((received) => received.split('"input":"z"').length === 3);
  const paths = [HASH, HASH, '/healthz', HASH];
  assert.deepEqual(begun, paths);
  assert.deepEqual(
    lines.map(({ path, status }) => [path, status]),
    paths.map((path) => [path, 200]),
  );
});

test('answers as many pipelined requests as may wait, and resets a connection with more', async (context) => {
  const { port, resets, quiet } = await listenRecorded(context);
  const incomes = Array.from({ length: MAXIMUM_WAITING }, (_, index) => index * 1_000_000);
  const pipelined = incomes.map((income) => post(TAX, JSON.stringify({ income }))).join('');
  const answers = await exchange(port, pipelined + CLOSE);
  assert.equal(answers.length, MAXIMUM_WAITING + 1);
  for (const [index, income] of incomes.entries()) {
    assert.match(answers[index]!.body, new RegExp(`"gross_income":${income},`));
  }
  for (const request of [GET, GET.replace('GET', 'HEAD')]) {
    const text = await collectAll(port, request.repeat(MAXIMUM_WAITING) + CLOSE);
    assert.equal(text.split('HTTP/1.1 200 OK').length, MAXIMUM_WAITING + 2, request);
  }
  assert.deepEqual(resets(), []);
  const { socket, closed } = await connect(context, port);
  socket.write(GET.repeat(MAXIMUM_WAITING + 2));
  await closed;
  assert.deepEqual(resets(), ['pipelining']);
  await quiet();
});

function collectAll(port: number, request: string): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  socket.write(request);
  return collect(socket);
}

test('parses no more requests of a connection that it has reset', async (context) => {
  const { port, server, quiet } = await listenRecorded(context);
  let requests = 0;
  server.on('request', () => (requests += 1));
  const { socket, closed } = await connect(context, port);
  // As many as node:http reads at once.
  socket.write('GET / HTTP/1.1\r\nHost:\r\n\r\n'.repeat(2_500));
  await closed;
  // The first, those that may wait, and the one that is too many; the kernel may deliver the bytes in several reads.
  assert.ok(requests <= MAXIMUM_WAITING + 2, String(requests));
  await quiet();
});

test('answers a malformed request after the answers to all that wait before it', async (context) => {
  const { port, quiet } = await listenRecorded(context);
  const good = post(HASH, '{"text":"a"}');
  const broken: readonly [request: string, status: number][] = [
    ['garbage\r\n\r\n', 400],
    [CONNECT, 405],
    [`${chunkedHead(HASH)}zz\r\n`, 400],
    [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'a'.repeat(HEADER_LIMIT)}\r\n\r\n`, 431],
  ];
  for (const [request, status] of broken) {
    for (const count of [0, 1, 5, MAXIMUM_WAITING - 1]) {
      const expected = [...Array(count).fill(200), status];
      assert.deepEqual(await statusesOf(port, good.repeat(count) + request), expected);
    }
  }
  await quiet();
});

test('answers a malformed request of a client that has half-closed after the answers before it', async (context) => {
  const { port, quiet } = await listenRecorded(context);
  const lines = '{"text":"a"}\n'.repeat(2_000);
  const bulk = `${headOf(HASH, `Content-Length: ${lines.length}`)}${lines}`;
  for (const before of [GET.repeat(5), bulk]) {
    const client = await connect(context, port, true);
    client.socket.on('end', () => client.socket.end());
    client.socket.end(`${before}garbage\r\n\r\n`);
    await within('the close of a connection', client.closed);
    assert.match(client.received, /HTTP\/1\.1 200 [^]*HTTP\/1\.1 400 /);
  }
  await quiet();
});

test('refuses CONNECT after the bulk answer before it, however slowly the client reads', async (context) => {
  const { port, resets, quiet } = await listenRecorded(context);
  for (const before of ['', GET]) {
    const { socket, until } = await connectUnread(context, port);
    socket.write(before + LONG_BULK + CONNECT);
    for (let index = 0; index < 20; index += 1) await turn();
    socket.resume();
    await until('HTTP/1.1 405 ');
    socket.destroy();
  }
  assert.deepEqual(resets(), []);
  await quiet();
});

test('sends an answer that ends the connection, whatever follows its request', async (context) => {
  const { port, resets } = await listenRecorded(context);
  // No connection is closed because of LINGER_TIME.
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const waiting = post(HASH, JSON.stringify({ text: 'a'.repeat(20_000) }));
  const last: readonly [request: string, status: number][] = [
    [GET.replace('\r\n\r\n', '\r\nHost: b\r\n\r\n'), 400],
    [UPGRADE, 200],
    [chunkedHead('/nothing') + LAST_CHUNK, 404],
    // node:http has stopped reading when it hands over the socket.
    [GET + waiting + CONNECT, 405],
  ];
  for (const [request, status] of last) {
    for (const after of [GET.repeat(100), 'x'.repeat(300_000)]) {
      const client = await connect(context, port, true);
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
  assert.deepEqual(resets(), []);
});

test('closes a connection at once after the answer if its client asks for the end', async (context) => {
  const { server, port } = await listenRecorded(context);
  context.mock.timers.enable({ apis: ['setTimeout'] });
  const body = '{"text":"a"}\n';
  const bulk = `${headOf(HASH, `Content-Length: ${body.length}`, 'Connection: close')}${body}`;
  const large = post(HASH, JSON.stringify({ text: 'a'.repeat(900_000) }), 'Connection: close');
  for (const request of [CLOSE, GET.replace('1.1', '1.0'), bulk, large]) {
    const accepted = once(server, 'connection') as Promise<[net.Socket]>;
    // The client does not close its side.
    const client = await connect(context, port, true);
    const [peer] = await accepted;
    client.socket.write(request);
    await once(client.socket, 'end');
    assert.ok(/^HTTP\/1\.1 200 /.test(client.received) && isWhole(client.received));
    await until('the close of the connection', () => peer.destroyed, turn);
    client.socket.destroy();
  }
});

test('counts no request that follows an answer which ends the connection', async (context) => {
  const { port, quiet } = await listenRecorded(context);
  const body = '{"text":"a"}\n';
  const bulk = `${headOf(HASH, `Content-Length: ${body.length}`, 'Connection: keep-alive').replace('1.1', '1.0')}${body}`;
  for (const next of [bulk, UPGRADE, GET, post(TAX, '{"income":1}')]) {
    const text = await collectAll(port, bulk + next);
    assert.equal(text.split('HTTP/1.1 200 OK').length, 2);
    assert.match(responseIn(text).body, /"input":"a"/);
  }
  await quiet();
});

test('answers no request that follows a refused request on its connection', async (context) => {
  const { port } = await listenRecorded(context);
  const smuggled = `${chunkedHead(HASH, 'Content-Length: 5')}${LAST_CHUNK}${CLOSE}`;
  assert.deepEqual(await statusesOf(port, smuggled), [400]);
  const unread = `${post('/nothing', CLOSE.padEnd(DISCARDED_BODY + 1))}${CLOSE}`;
  assert.deepEqual(await statusesOf(port, unread), [404]);
});
