import assert from 'node:assert/strict';
import type { Server } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import type { Operation } from '../../src/contract/operation.ts';
import type { Check, ObjectCheck } from '../../src/contract/schema.ts';
import { Room } from '../../src/extensions/bulk/room.ts';
import { bulkAnswerer } from '../../src/extensions/bulk/bulk.ts';
import { documentFactory, type Gzip } from '../../src/extensions/documents/document.ts';
import { withDocuments } from '../../src/extensions/documents/documents.ts';
import { openApi } from '../../src/extensions/documents/openapi.ts';
import { pageFiles, pageOf } from '../../src/extensions/documents/page.ts';
import { WorkQueue } from '../../src/extensions/overload/queue.ts';
import { operations } from '../../src/operations/operations.ts';
import type { App } from '../../src/server/exchange.ts';
import type { ServerLimits } from '../../src/server/limits.ts';
import type { Observer } from '../../src/server/observer.ts';
import { GracefulServer } from '../../src/server/server.ts';
import { healthOperations } from '../../src/service/health.ts';
import { serviceOf, type Service, type ServiceOptions } from '../../src/service/service.ts';
import { once, turn, within, written } from './until.ts';
import { checkedAgainst } from './validator.ts';

/** A running service, which stops at the end of the test. */
export interface Fixture extends Pick<GracefulServer, 'server' | 'connections'> {
  readonly drain: (timeout: number) => Promise<void>;
  readonly url: string;
  readonly port: number;
  readonly service: Service;
  readonly app: App;
}

const anything: Check<unknown> = { schema: {}, read: (value) => value };
const anyObject: ObjectCheck<{}> = { schema: { properties: {} }, fields: {}, read: () => ({}) };

/** An operation that always throws. */
export const faulty: Operation = {
  id: 'fail',
  path: '/api/v1/faulty',
  summary: 'Fails',
  description: 'Always',
  method: 'POST',
  request: anyObject,
  result: anything,
  examples: {},
  invalidExamples: {},
  run: () => {
    throw new TypeError('the secret in /etc/passwd');
  },
};

/** The operations that accept a body. */
export const calculations: readonly Operation[] = operations.filter(
  ({ method }) => method === 'POST',
);

/** The first example request of an operation. */
export function firstExample({ examples }: Operation): object {
  return Object.values(examples)[0]!;
}

/** Changes of the options of a service. */
type Changes = Partial<ServiceOptions> & {
  readonly gzip?: Gzip;
  /** The salary month that the page contains, or an empty text; there is no page without it. */
  readonly page?: string;
};

/** Service options like those of the command, with a fixed month. */
export function serviceOptions({ gzip, page, ...changes }: Changes = {}): ServiceOptions {
  const options: ServiceOptions = {
    about: {
      title: 'Test',
      version: '0.0.0',
      description: 'A service under test',
      reviewed_through: '2026-08',
    },
    operations,
    bodyLimit: 1_048_576,
    currentPeriod: () => '2026-08',
    corsOrigins: ['*'],
    isReady: () => true,
    resources: [],
    ...changes,
  };
  const document = documentFactory(gzip);
  if (page === undefined) return withDocuments(options, document);
  const resources = [...options.resources, ...pageFiles(document)];
  const pages = pageOf(document, page);
  return withDocuments({ ...options, resources }, document, pages);
}

/** A service that checks each of its answers against its own OpenAPI document. */
export function conformingService(changes: Changes = {}): Service {
  const options = serviceOptions(changes);
  return checkedAgainst(
    openApi(options.about, [...options.operations, ...healthOperations]),
    serviceOf(options),
  );
}

/** A lag limit in milliseconds that tests of anything but load do not reach, however busy the machine is. */
const PATIENT = 60_000;

/** Starts a server on a free port of loopback, which it resolves to. The server is closed at the end of the test. */
export async function serve(test: TestContext, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  test.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** The number of open connections of a server. */
export function connectionsOf(server: Server): Promise<number> {
  return promisify(server.getConnections.bind(server))();
}

/** The parts of a process besides its service. */
interface Parts {
  readonly scheduler: App['scheduler'] & Observer;
  readonly observers: App['observers'];
  /** The room for the bodies of bulk requests. */
  readonly room: Room;
  readonly limits: Partial<ServerLimits>;
}

/** Starts a service on a free port of loopback. */
export async function listen(
  test: TestContext,
  changes: Changes = {},
  {
    limits = {},
    room = new Room(2 ** 28, 2 ** 25),
    observers = [],
    scheduler = new WorkQueue(PATIENT),
    ...parts
  }: Partial<Parts> = {},
): Promise<Fixture> {
  const service = conformingService({ isReady: () => !app.isDraining, ...changes });
  const app: App = {
    service,
    observers: [scheduler, ...observers],
    scheduler,
    answerBulk: bulkAnswerer(room),
    isDraining: false,
    ...parts,
  };
  const defaults: ServerLimits = {
    requestTimeout: 3_600_000,
    maxConnections: 10_000,
  };
  const graceful = new GracefulServer(app, { ...defaults, ...limits });
  const { connections, server } = graceful;
  // The limit of 10 s is that of a connection's first request, too, which a test may send late.
  server.headersTimeout = limits.requestTimeout ?? defaults.requestTimeout;
  const port = await serve(test, server);
  return {
    server,
    connections,
    drain: (timeout) => graceful.drain(timeout),
    url: `http://127.0.0.1:${port}`,
    port,
    service,
    app,
  };
}

/** A response as received on the socket. */
export interface RawResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Asserts headers by their names in lower case; undefined stands for an absent header. A failure shows the names. */
export function assertHeaders(
  headers: Headers | RawResponse['headers'] | undefined,
  expected: Readonly<Record<string, string | undefined>>,
): void {
  const all: RawResponse['headers'] =
    headers instanceof Headers ? Object.fromEntries(headers) : (headers ?? {});
  const actual = Object.fromEntries(Object.keys(expected).map((name) => [name, all[name]]));
  assert.deepEqual(actual, expected);
}

/** Sends parts, each after the kernel has taken the previous part, and collects the responses until the close. */
export async function exchange(
  port: number,
  ...parts: readonly (string | Buffer)[]
): Promise<RawResponse[]> {
  const socket = net.connect({ port, host: '127.0.0.1', noDelay: true });
  const received = collect(socket);
  await once(socket, 'connect');
  for (const part of parts) {
    if (socket.destroyed) break;
    await written(socket, part);
    await turn();
  }
  return responsesIn(await received);
}

/** All bytes of a socket until it closes, as a Latin-1 string. */
export function collect(socket: Socket): Promise<string> {
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => undefined);
  return within(
    'the close of a connection',
    new Promise((resolve) => {
      socket.on('close', () => resolve(Buffer.concat(chunks).toString('latin1')));
    }),
  );
}

/** Splits a byte stream into responses by their Content-Length; those without it (1xx and 204) have no body. */
export function responsesIn(bytes: string): RawResponse[] {
  const responses: RawResponse[] = [];
  for (let rest = bytes; rest !== ''; ) {
    const end = rest.indexOf('\r\n\r\n');
    const [first = '', ...lines] = rest.slice(0, end).split('\r\n');
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)?.[1]);
    if (end === -1 || Number.isNaN(status)) throw new Error(`not a response: ${rest.slice(0, 80)}`);
    const headers = Object.fromEntries(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const length = Number(headers['content-length'] ?? 0);
    responses.push({
      status,
      headers,
      body: Buffer.from(rest.slice(end + 4, end + 4 + length), 'latin1').toString(),
    });
    rest = rest.slice(end + 4 + length);
  }
  return responses;
}

/** The statuses of the responses in a byte stream. */
export function statusesIn(bytes: string): number[] {
  return responsesIn(bytes).map(({ status }) => status);
}

/** Sends parts like `exchange`, and returns the statuses of the responses. */
export async function statusesOf(
  port: number,
  ...parts: readonly (string | Buffer)[]
): Promise<number[]> {
  return (await exchange(port, ...parts)).map(({ status }) => status);
}

/** A request without a body, and one that ends the connection. */
export const GET = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n';
export const CLOSE = GET.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');

/** Sends a POST request with a JSON body to a URL. */
export const sendJson = (
  url: string,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });

/** The header section of a POST request with a JSON body of the given length. */
export function postHead(path: string, length: number, ...headers: readonly string[]): string {
  return [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...headers,
    '\r\n',
  ].join('\r\n');
}

/** A POST request with a JSON body. */
export function post(path: string, body: string, ...headers: readonly string[]): string {
  return postHead(path, Buffer.byteLength(body), ...headers) + body;
}

/** The error code of an error envelope; undefined if the members are not exactly those of an envelope. */
export function errorCode(body: string | Uint8Array): string | undefined {
  const envelope = JSON.parse(String(body)) as {
    status?: unknown;
    error?: Record<string, unknown>;
  };
  const keys = Object.keys(envelope.error ?? {}).join();
  const isEnvelope =
    Object.keys(envelope).join().replace(/^id,/, '') === 'status,error'
    && envelope.status === 'error'
    && (keys === 'code,message' || keys === 'code,message,details')
    && typeof envelope.error?.['message'] === 'string'
    && envelope.error['message'] !== '';
  return isEnvelope ? String(envelope.error?.['code']) : undefined;
}
