import assert from 'node:assert/strict';
import http from 'node:http';
import net from 'node:net';
import type { TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';

const HASH = '/api/v1/hash';
/** The number of clients that keep a service busy. */
export const CLIENTS = 12;
/** Milliseconds between two requests of a client, which leave processor time for other tests. */
const PAUSE = 3;

/** The outcome of a request. */
export interface Outcome {
  /** The status, or the code of the error of the connection. */
  readonly status: number | string;
  /** Milliseconds. */
  readonly time: number;
}

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
    const begin = performance.now();
    const headers = body === undefined ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
    const method = body === undefined ? 'GET' : 'POST';
    return new Promise((resolve) => {
      const end = (status: number | string): void => resolve({ status, time: performance.now() - begin });
      const request = http.request(this.address + path, { method, headers, agent: this.agent }, (response) => {
        response.resume().on('end', () => end(response.statusCode ?? 0)).on('error', () => end('aborted'));
      });
      request.on('error', ({ code, message }: NodeJS.ErrnoException) => end(code ?? message)).end(body);
    });
  }

  /** Runs twelve clients, each of which sends its next request shortly after the previous answer. */
  async keepBusy(isOver: () => boolean, outcomes: Outcome[]): Promise<void> {
    await Promise.all(Array.from({ length: CLIENTS }, async () => {
      for (; !isOver(); await sleep(PAUSE)) outcomes.push(await this.send(HASH, '{"text":"busy"}'));
    }));
  }
}

/** The number of outcomes with a status or an error code. */
export const countOf = (outcomes: readonly Outcome[], status: number | string): number =>
  outcomes.filter((outcome) => outcome.status === status).length;

/** Opens a connection, whose errors are ignored. */
export async function connect(port: number): Promise<net.Socket> {
  const socket = net.connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  return socket;
}

/** The duration of one ordinary request in milliseconds. */
export async function normalRequest(address: string): Promise<number> {
  const begin = performance.now();
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(address + HASH, { method: 'POST', headers, body: '{"text":"a"}' });
  assert.equal(response.status, 200);
  await response.text();
  return performance.now() - begin;
}
