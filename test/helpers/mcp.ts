/** Messages of the Model Context Protocol, and services that answer them. */
import assert from 'node:assert/strict';
import http from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { createServer, type Settings } from '../../src/index.ts';
import { run } from './command.ts';
import { serve } from './fixture.ts';
import { once, within } from './until.ts';

/** The revisions with a handshake, and the one without. */
export const EARLIER = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'];
export const REVISION = '2026-07-28';

/** A member of an answer, as deep as a test reads it. */
export type Json = { readonly [name: string]: Json } & readonly Json[] & string;

/** The answer to a message. */
export interface McpAnswer {
  readonly status: number | undefined;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
  /** The body as a message; undefined if it is empty. */
  readonly message: Json | undefined;
}

/** The `_meta` of a request without a handshake. */
export function metaOf(revision = REVISION): object {
  return {
    'io.modelcontextprotocol/protocolVersion': revision,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
}

/** The headers that repeat a message. */
export function headersOf(
  method: string,
  name?: string,
  revision = REVISION,
): Record<string, string> {
  return {
    'MCP-Protocol-Version': revision,
    'Mcp-Method': method,
    ...(name !== undefined && { 'Mcp-Name': name }),
  };
}

/** Starts a service, and resolves to the URL of its /mcp. */
export async function listenMcp(
  test: TestContext,
  settings: Settings = {},
  receive?: (line: string) => void,
): Promise<string> {
  const server = createServer({ taxPeriod: '2026-08', ...settings }, receive);
  return `http://127.0.0.1:${await serve(test, server)}/mcp`;
}

/** Posts a message, or a body as it is. */
export async function post(
  url: string,
  message: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<McpAnswer> {
  const body = typeof message === 'string' ? message : JSON.stringify(message);
  const request = http.request(url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      ...(headers['Transfer-Encoding'] === undefined && {
        'Content-Length': Buffer.byteLength(body),
      }),
      ...headers,
    },
    agent: false,
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  const received = await within('an answer', text(response));
  return {
    status: response.statusCode,
    headers: response.headers,
    body: received,
    message: received === '' ? undefined : (JSON.parse(received) as Json),
  };
}

/** Sends requests to a service in one of the ways, and resolves to their answers. */
export type Send = (method: string, params?: object) => Promise<Json>;

/** The ways in which a client reaches the service: each revision, over HTTP and over standard input and output. */
export async function waysTo(test: TestContext): Promise<ReadonlyMap<string, Send>> {
  const url = await listenMcp(test);
  const ask = messagesTo(test);
  const ways = new Map<string, Send>();
  for (const revision of EARLIER) {
    const headers = { 'MCP-Protocol-Version': revision };
    ways.set(`${revision} over HTTP`, async (method, params) => {
      const answer = await post(url, { jsonrpc: '2.0', id: 1, method, params }, headers);
      return answer.message!;
    });
  }
  ways.set('a handshake over stdio', (method, params) => ask({ method, params }));
  ways.set(`${REVISION} over HTTP`, async (method, params = {}) => {
    const { name } = params as { name?: string };
    const whole = { ...params, _meta: metaOf() };
    const message = { jsonrpc: '2.0', id: 1, method, params: whole };
    return (await post(url, message, headersOf(method, name))).message!;
  });
  ways.set(`${REVISION} over stdio`, (method, params) =>
    ask({ method, params: { ...params, _meta: metaOf() } }),
  );
  return ways;
}

/** Starts the command `mcp`, and returns a function that sends it a request, and resolves to the response. */
export function messagesTo(test: TestContext): (request: object) => Promise<Json> {
  const command = run(test, ['mcp', '--tax-period=2026-08']);
  let id = 0;
  return async (request) => {
    id += 1;
    command.child.stdin!.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...request })}\n`);
    while (command.lines.length < id) await once(command.child.stdout!, 'data');
    const response = JSON.parse(command.lines[id - 1]!) as Json;
    assert.equal(response['id'], id);
    return response;
  };
}
