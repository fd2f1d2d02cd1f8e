/**
 * The bounds on the memory that clients can make a process hold: 60 clients send 64 KiB after 64 KiB to every route, and
 * read the answers, one byte at a time, or not at all. `CHECKS=100 node --test dist/test/load/soak.js` runs longer.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/operations/operations.ts';
import { run } from '../helpers/command.ts';
import { exchange, firstExample, post } from '../helpers/fixture.ts';
import { readText } from '../helpers/repository.ts';
import { once, written } from '../helpers/until.ts';

const onLinux = { skip: process.platform === 'linux' ? false : 'needs procfs' };
const CLIENTS = 60;
/** Bytes that node:http reads at once. */
const READ_SIZE = 64 * 1024;
/** Health checks during each flood, after which the clients leave. */
const CHECKS = Number(process.env['CHECKS'] ?? 3);
/** Bytes that each client sends to a route, if the service reads them. */
const SENT = CHECKS * READ_SIZE;
/** Megabytes of resident memory; an idle service has 55. */
const MAXIMUM_MEMORY = 256;

const get = (target: string): string => `GET ${target} HTTP/1.1\r\nHost:\r\n\r\n`;
const CLOSE = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

function chunkedRequest(path: string, type: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: ${type}\r\nTransfer-Encoding: chunked\r\n\r\n`;
}

/** A request that is repeated to fill a read, or chunks that are repeated behind a head. */
interface Flood {
  readonly name: string;
  readonly head?: string;
  readonly repeated: string;
  /** How many times SENT and CHECKS the flood has; 1 without it. */
  readonly times?: number;
}

function floodsOf(operation: Operation): Flood[] {
  const { method, path } = operation;
  if (method === 'GET') return [{ name: path, repeated: get(path) }];
  const body = JSON.stringify(firstExample(operation));
  const bulk = post(path, `${body}\n`).replace('application/json', 'application/x-ndjson');
  return [
    { name: path, repeated: post(path, body) },
    { name: `bulk ${path}`, repeated: bulk },
  ];
}

const GREATEST_PLAN = '{"principal":1,"annual_rate":8.123456,"years":100,"timeline":"monthly"}';
const LARGE_TEXT = JSON.stringify({ text: 'đ'.repeat(20_000) });
/** A call whose answer has the text four times. */
const LONGEST_CALL = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'hashText', arguments: { text: 'a'.repeat(65_000) } },
});
/** Its answer takes 3.4 MB as text in memory, and 2.4 MB as bytes. */
const LARGEST_TEXT = JSON.stringify({ text: '\u4e00'.repeat(340_000) });
const LINE = '{"income":30000000}\n';
const INCOMPLETE_BULK =
  'POST /api/v1/tax/calculate HTTP/1.1\r\nHost: a\r\n'
  + 'Content-Type: application/x-ndjson\r\nContent-Length: 33000000\r\n\r\n';
const FLOODS: readonly Flood[] = [
  ...['/', '/openapi.json', '/metrics', '/readyz', '/nothing', '/page/style.css'].map((path) => ({
    name: path,
    repeated: get(path),
  })),
  ...operations.flatMap(floodsOf),
  { name: '100 years by month', repeated: post('/api/v1/interest/calculate', GREATEST_PLAN) },
  { name: 'large texts', repeated: post('/api/v1/hash', LARGE_TEXT) },
  {
    name: 'chunks of a byte',
    head: chunkedRequest('/api/v1/hash', 'application/json'),
    repeated: '1\r\n \r\n',
  },
  {
    name: 'bulk, chunks of a byte',
    head: chunkedRequest('/api/v1/hash', 'application/x-ndjson'),
    repeated: '1\r\n \r\n',
  },
  { name: '/mcp', repeated: post('/mcp', LONGEST_CALL), times: 20 },
  { name: '/mcp, over its limit', repeated: post('/mcp', LARGEST_TEXT) },
  { name: 'largest texts', repeated: post('/api/v1/hash', LARGEST_TEXT), times: 100 },
  {
    name: 'bulk, incomplete',
    head: INCOMPLETE_BULK,
    repeated: LINE,
    times: 100,
  },
  {
    name: 'bulk, incomplete, in chunks',
    head: chunkedRequest('/api/v1/tax/calculate', 'application/x-ndjson'),
    repeated: `${(100 * LINE.length).toString(16)}\r\n${LINE.repeat(100)}\r\n`,
    times: 100,
  },
  { name: 'headers without end', head: 'GET / HTTP/1.1\r\n', repeated: 'a: b\r\n' },
];

/** The clients read everything, nothing, or a byte at a time, in turn. */
const READERS: readonly ((socket: net.Socket) => void)[] = [
  (socket) => void socket.resume(),
  (socket) => void socket.pause(),
  (socket) => {
    const timer = setInterval(() => socket.read(1), 100).unref();
    socket.pause().on('close', () => clearInterval(timer));
  },
];

const manifest = JSON.parse(readText('package.json')) as { scripts: { start: string } };

/** Peak resident memory of a process in megabytes. */
const peakMemory = (pid: number | undefined): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;

/** Sends a flood until the service closes the connection or has read enough, or until enough checks have been made. */
async function send(
  { head = '', repeated, times = 1 }: Flood,
  client: number,
  port: number,
  isOver: () => boolean,
): Promise<void> {
  const socket = net.connect({ port, host: '127.0.0.1' });
  const closed = new Promise<void>((resolve) =>
    socket.on('error', () => undefined).on('close', () => resolve()),
  );
  READERS[client % READERS.length]!(socket);
  await Promise.race([once(socket, 'connect').catch(() => undefined), closed]);
  const data = Buffer.from(repeated.repeat(Math.max(1, Math.floor(READ_SIZE / repeated.length))));
  socket.write(head);
  for (let sent = 0; sent < times * SENT && !socket.destroyed && !isOver(); sent += data.length) {
    const taken = written(socket, data);
    while (
      !isOver()
      && (await Promise.race([taken.then(() => false), closed.then(() => false), sleep(50, true)]))
    );
  }
  socket.destroy();
  await closed;
}

for (const flood of FLOODS) {
  const title = `holds at most ${MAXIMUM_MEMORY} MB for ${CLIENTS} clients of ${flood.name}`;
  test(title, onLinux, async (context) => {
    // The option of npm start and the recipes: with the defaults of Node 24, up to 200 MB of garbage wait to be collected.
    const [, ...recommended] = manifest.scripts.start.split(' ').slice(0, -1);
    // Garbage is collected sooner than by default, because the bound is on the memory that clients make the process hold.
    const options = [...recommended, '--heap-growing-percent=50'];
    const service = run(context, ['--port=0', '--metrics=on'], {}, options);
    const { port } = await service.ready();
    let checks = 0;
    const isOver = (): boolean => checks >= (flood.times ?? 1) * CHECKS;
    const clients = Array.from({ length: CLIENTS }, (_, client) =>
      send(flood, client, port, isOver),
    );
    const all = Promise.all(clients).then(() => true);
    // A health check on a connection of its own is answered while the flood goes on.
    while (!(await Promise.race([all, sleep(10, false)]))) {
      const [response] = await exchange(port, CLOSE);
      assert.equal(response?.status, 200);
      checks += 1;
    }
    const peak = Math.round(peakMemory(service.child.pid));
    assert.ok(peak < MAXIMUM_MEMORY, `${peak} MB`);
    context.diagnostic(`${peak} MB`);
  });
}
