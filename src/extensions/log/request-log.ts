/** The log of requests, and of the resets and refusals of connections. */
import type { IncomingMessage } from 'node:http';
import { type BlockList, isIP } from 'node:net';
import { fieldsOf, type Log, membersOf } from '../../command/log.ts';
import { FAILURES } from '../../contract/failure.ts';
import type { Observer, Outcome } from '../../server/observer.ts';
import { newId, requestId } from '../../service/request.ts';

export interface RequestLogOptions {
  readonly log: Log;
  /** Whether a line per request is added to those of errors. */
  readonly logsRequests: boolean;
  /** Finds the path of the service that a request names; any other path is logged as the client wrote it. */
  readonly routeOf: (request?: IncomingMessage) => string | undefined;
  /** Proxies whose X-Forwarded-For is used for the client's address, if any. */
  readonly trusted: BlockList | undefined;
}

/** Milliseconds without a refusal after which an overload is over. */
export const RECOVERY_TIME = 1_000;
/** Maximum characters of a client's text in a line. */
const MAXIMUM_TEXT = 200;
/** Scheme, userinfo and host of a target in absolute-form (RFC 9112 section 3.2.2). */
const TARGET_ORIGIN = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?[^/?#@]*(?![^/?#])/i;
/** Addresses in X-Forwarded-For that are considered: a chain of proxies is short. */
const MAXIMUM_PROXIES = 20;

/** An overload that is not over. */
interface Overload {
  refusals: number;
  readonly timer: NodeJS.Timeout;
}

/** The observer that logs, and the function that ends its timers. */
type RequestLog = Observer & { readonly stop: () => void };

/** Creates the observer that logs. */
export function requestLog(options: RequestLogOptions): RequestLog {
  const { log, logsRequests, routeOf, trusted } = options;
  /** By the kind of the refusals. */
  const overloads = new Map<string, Overload>();
  const always: RequestLog = {
    reset(socket, reason, request) {
      const texts = {
        id: request && requestId(request),
        client: request === undefined ? socket.remoteAddress : clientOf(request, trusted),
        path: request && rawPathOf(request),
      };
      log.write(() => membersOf('warn', 'reset', { reason }) + quotedTexts(texts));
    },
    faulted(fault, id, line) {
      const place = line === undefined ? { id } : { id, line };
      log.line('error', 'error', { ...place, ...fieldsOf(fault) });
    },
    overloaded(kind) {
      const end = (): unknown => overloads.delete(kind);
      const overload = overloads.get(kind) ?? beginOverload(log, kind, end);
      overloads.set(kind, overload);
      overload.refusals += 1;
      overload.timer.refresh();
    },
    stop() {
      for (const { timer } of overloads.values()) clearTimeout(timer);
      overloads.clear();
    },
  };
  if (!logsRequests) return always;
  return {
    ...always,
    // Node keeps the address once it has been read. It could not be read after the connection has closed.
    began: ({ socket }) => void socket?.remoteAddress,
    answered(request, outcome) {
      const milliseconds = performance.now() - outcome.startedAt;
      const route = routeOf(request);
      const path = route ?? rawPathOf(request);
      const client = clientOf(request, trusted);
      log.write(() => requestLine(request, outcome, path, client, milliseconds));
    },
    refused(socket, { id, code, reason }, request) {
      const { status } = FAILURES[code];
      const head = request && { method: request.method, path: rawPathOf(request) };
      const texts = { id, client: socket.remoteAddress, ...head };
      log.write(() => membersOf('warn', 'refused', { status, code, reason }) + quotedTexts(texts));
    },
  };
}

/** Logs the beginning of an overload and, with the number of its refusals, its end. */
function beginOverload(log: Log, refusing: string, onEnd: () => unknown): Overload {
  log.line('warn', 'overloaded', { refusing });
  const end = (): void => {
    log.line('info', 'recovered', { refusing, refusals: overload.refusals });
    onEnd();
  };
  const overload: Overload = { refusals: 0, timer: setTimeout(end, RECOVERY_TIME).unref() };
  return overload;
}

/** Texts as further members of a line. That of a client may have any length and any character: it is cut and quoted. */
function quotedTexts(texts: Readonly<Record<string, string | undefined>>): string {
  let members = '';
  for (const [name, text] of Object.entries(texts)) {
    if (text !== undefined) members += `,"${name}":${JSON.stringify(text.slice(0, MAXIMUM_TEXT))}`;
  }
  return members;
}

/**
 * The members of the line of a request, concatenated because JSON.stringify of an object takes five times as long. A
 * request that was answered without an id gets an id in the log only, so that each line has one.
 */
function requestLine(
  request: IncomingMessage,
  { id, status, bytes, lines, isAborted, facts = {} }: Outcome,
  path: string,
  client: string,
  milliseconds: number,
): string {
  const counts = lines && `,"lines":${lines.succeeded + lines.failed},"failed":${lines.failed}`;
  const texts = quotedTexts({ id: id ?? newId(), client, method: request.method, path });
  return (
    `"level":"info","msg":"request"${texts},"status":${status},"bytes":${bytes},`
    + `"ms":${milliseconds.toFixed(3)}${counts ?? ''}${quotedTexts(facts)}`
    + (isAborted ? ',"aborted":true' : '')
  );
}

/**
 * The path as the client wrote it. A query, a fragment and userinfo may contain secrets. A password that is not escaped
 * may contain any character, so that nothing is logged of a target with an @ in an unexpected place.
 */
function rawPathOf({ url = '' }: IncomingMessage): string {
  const isOriginForm = url.startsWith('/') && !url.startsWith('//');
  const local = isOriginForm ? url : url.replace(TARGET_ORIGIN, '');
  if (!isOriginForm && local.includes('@')) return '';
  const [path = ''] = local.split(/[?#]/, 1);
  return path;
}

/**
 * The address of the client: that of the connection or, if it belongs to a trusted proxy, the last in X-Forwarded-For
 * that does not.
 */
function clientOf({ socket, headers }: IncomingMessage, trusted: BlockList | undefined): string {
  let client = socket.remoteAddress ?? '';
  if (trusted === undefined) return client;
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .slice(-MAXIMUM_PROXIES);
  for (let next = client; isIP(next) !== 0; next = forwarded.pop()?.trim() ?? '') {
    client = next;
    const family = isIP(client) === 6 ? 'ipv6' : 'ipv4';
    if (!trusted.check(client, family)) break;
  }
  return client;
}
