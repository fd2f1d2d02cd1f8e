import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { once, within } from './until.ts';

const HASH = '/api/v1/hash';
/**
 * The number of clients that keep a service busy. However slow the machine is, the service refuses none of their
 * requests: each waits for three others at most, for two steps of the queue's clock per request, which are at most 50 ms
 * long, and MAX_LAG is 500 ms.
 */
const CLIENTS = 4;
/** Milliseconds between two requests of a client, which leave processor time for other tests. */
const PAUSE = 5;

/** The outcome of a request: the status of the answer, or the code of the error of the connection. */
export type Outcome = number | string;

/** Sends requests over persistent connections. */
export class Client {
  private readonly address: string;
  private readonly agent = new http.Agent({ keepAlive: true });

  constructor(context: TestContext, address: string) {
    this.address = address;
    context.after(() => this.agent.destroy());
  }

  /** Sends a request, with POST if it has a body. */
  send(path: string, body?: string): Promise<Outcome> {
    const headers =
      body === undefined
        ? {}
        : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const method = body === undefined ? 'GET' : 'POST';
    return within(
      'an answer',
      new Promise((resolve) => {
        const request = http.request(
          this.address + path,
          { method, headers, agent: this.agent },
          (response) => {
            response.resume();
            response.on('end', () => resolve(response.statusCode ?? 0));
            response.on('error', () => resolve('aborted'));
          },
        );
        request.on('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message));
        request.end(body);
      }),
    );
  }

  /** Runs four clients, each of which sends its next request shortly after the previous answer. */
  async keepBusy(isOver: () => boolean, outcomes: Outcome[]): Promise<void> {
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        for (; !isOver(); await sleep(PAUSE))
          outcomes.push(await this.send(HASH, '{"text":"busy"}'));
      }),
    );
  }
}

/** Opens a connection, whose later errors are ignored. */
export async function connect(port: number): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  return socket;
}

/** Sends an ordinary request on a new connection, and waits for the answer. */
export async function normalRequest(address: string): Promise<void> {
  const headers = { 'content-type': 'application/json', connection: 'close' };
  const response = await fetch(address + HASH, { method: 'POST', headers, body: '{"text":"a"}' });
  assert.equal(response.status, 200);
  await response.text();
}

/** An answer as it was received. */
export interface Received {
  readonly status: number | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Sends a request, and returns the answer as it was received; fetch would decompress it. */
export async function receive(
  url: string,
  headers: Readonly<Record<string, string>>,
  method = 'GET',
): Promise<Received> {
  const request = http.request(url, { method, headers, agent: false }).end();
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  return {
    status: response.statusCode,
    headers: response.headers,
    body: await within('an answer', buffer(response)),
  };
}

/** Begins a request on a connection of its own, which a process has accepted and whose body is yet to be sent. */
export async function openRequest(address: string): Promise<http.ClientRequest> {
  const headers = {
    'Content-Type': 'application/json',
    'Content-Length': 12,
    Expect: '100-continue',
  };
  const request = http.request(address + HASH, { method: 'POST', agent: false, headers });
  request.flushHeaders();
  await once(request, 'continue');
  return request;
}

/** Sends the body of a request, and returns the status of its answer. */
export async function finish(request: http.ClientRequest): Promise<number | undefined> {
  request.end('{"text":"a"}');
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  await buffer(response);
  return response.statusCode;
}
