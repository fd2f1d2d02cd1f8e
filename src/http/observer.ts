import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { fieldsOf, type Log, type LogLevel } from '../log.ts';
import type { Answer } from './answer.ts';
import type { Tally } from './bulk.ts';
import { keepingLatest } from './latest.ts';
import type { Metrics } from './metrics.ts';
import type { RequestHead } from './service.ts';

/** What sees every request come and its answer go: the log and the metrics. */
export interface Observer {
  /** Milliseconds to give back with the answer. */
  readonly begin: (response: ServerResponse) => number;
  /** The id to put on the answer: the client's, or one of ours where the answer is a fault of the service. */
  readonly answered: (request: IncomingMessage, answer: Answer, size: number, begun: number) => string | undefined;
  /** A line of a stream has brought a fault of the service to light. */
  readonly faulted: (request: IncomingMessage, fault: unknown, line: number) => void;
  /** A stream has ended, whole or not. */
  readonly streamed: (request: IncomingMessage, tally: Tally, begun: number, isWhole: boolean) => void;
  /** A connection was closed at once, being one too many. */
  readonly dropped: () => void;
}

/** What an observer writes to, and what it may believe. */
export interface ObserverOptions {
  readonly log: Log;
  readonly level: LogLevel;
  readonly metrics: Metrics | undefined;
  /** Paths that count by name; all others count as one, for a client can invent any number. */
  readonly paths: readonly string[];
  /** Proxies whose X-Forwarded-For tells the client, if any. */
  readonly trusted: BlockList | undefined;
}

/** Visible ASCII, so that nothing of a client's can break a line of the log. */
const REQUEST_ID = /^[\x21-\x7e]{1,128}$/;
const SHOWN_CHARACTERS = 200;
const quoted = keepingLatest((text) => JSON.stringify(text));
/** Characters of an id that all requests of a process share: 48 random bits in two groups of a UUID. */
const ORIGIN_LENGTH = 13;

/** An observer for one process. */
export function createObserver({ log, level, metrics, paths, trusted }: ObserverOptions): Observer {
  const names = new Set(paths);
  // A UUID for each request would cost more than the rest of its line.
  const origin = randomUUID().slice(0, ORIGIN_LENGTH);
  let lastNumber = 0;
  const newId = (): string => `${origin}-${lastNumber += 1}`;
  const nameOf = (path: string): string => (names.has(path) ? path : 'other');
  const isTimed = metrics !== undefined || level === 'requests';
  const record = (
    request: IncomingMessage, id: string | undefined, begun: number, status: number, bytes: number, more = '',
  ): void => {
    const milliseconds = performance.now() - begun;
    const path = pathOf(request);
    metrics?.count(nameOf(path), status, milliseconds / 1000);
    if (level !== 'requests') return;
    const client = clientOf(request, trusted);
    // Put together by hand, and quoted where it needs no escape: JSON.stringify of an object takes five times as long.
    log.write(() => `"event":"request","id":${id === undefined ? `"${newId()}"` : JSON.stringify(id)},`
      + `"client":${quoted(client)},"method":"${request.method}",`
      + `"path":${names.has(path) ? `"${path}"` : JSON.stringify(path.slice(0, SHOWN_CHARACTERS))},`
      + `"status":${status},"bytes":${bytes},"ms":${milliseconds.toFixed(3)}${more}`);
  };
  return {
    begin(response) {
      if (metrics !== undefined) {
        metrics.inFlight += 1;
        response.on('close', () => (metrics.inFlight -= 1));
      }
      // Asked now, Node tells it even when the connection has gone.
      if (level === 'requests') void response.socket?.remoteAddress;
      return isTimed ? performance.now() : 0;
    },
    answered(request, { status, fault }, size, begun) {
      const id = requestId(request) ?? (fault === undefined ? undefined : newId());
      if (fault !== undefined) log.line('error', { id, ...fieldsOf(fault) });
      if (isTimed) record(request, id, begun, status, request.method === 'HEAD' ? 0 : size);
      return id;
    },
    faulted: (request, fault, line) => log.line('error', { id: requestId(request), line, ...fieldsOf(fault) }),
    streamed(request, { succeeded, failed, bytes }, begun, isWhole) {
      metrics?.countLines(nameOf(pathOf(request)), succeeded, failed);
      const more = `,"lines":${succeeded + failed},"failed":${failed}${isWhole ? '' : ',"aborted":true'}`;
      if (isTimed) record(request, requestId(request), begun, 200, bytes, more);
    },
    dropped() {
      if (metrics !== undefined) metrics.refused += 1;
    },
  };
}

/** The client's X-Request-Id, where it can be echoed and logged as it is. */
export function requestId({ headers }: Pick<RequestHead, 'headers'>): string | undefined {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : undefined;
}

function pathOf({ url = '' }: IncomingMessage): string {
  const query = url.indexOf('?');
  return query === -1 ? url : url.slice(0, query);
}

/** The address that a request comes from: the nearest one in X-Forwarded-For that no trusted proxy has. */
function clientOf({ socket, headers }: IncomingMessage, trusted: BlockList | undefined): string {
  if (trusted === undefined) return socket.remoteAddress ?? '';
  const forwarded = String(headers['x-forwarded-for'] ?? '').split(',');
  let client = socket.remoteAddress ?? '';
  for (let next = client; isIP(next) !== 0; next = forwarded.pop()?.trim() ?? '') {
    client = next;
    if (!trusted.check(client, isIP(client) === 6 ? 'ipv6' : 'ipv4')) break;
  }
  return client;
}
