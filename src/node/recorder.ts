import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type BlockList, isIP, type Socket } from 'node:net';
import { FAILURES, type FailureCode } from '../contract/failure.ts';
import type { Answer } from '../http/answer.ts';
import type { Tally } from '../http/bulk.ts';
import { pathOf, requestId } from '../http/request.ts';
import { fieldsOf, type Log, type LogVerbosity } from '../process/log.ts';
import type { Metrics } from '../process/metrics.ts';
import { cacheRemoteAddress } from './undocumented.ts';

export interface RecorderOptions {
  readonly log: Log;
  readonly verbosity: LogVerbosity;
  readonly metrics: Metrics | undefined;
  /** Paths that are counted separately; all others are counted together, because a client can invent any number. */
  readonly paths: readonly string[];
  /** Proxies whose X-Forwarded-For is used for the client's address, if any. */
  readonly trusted: BlockList | undefined;
}

const MAXIMUM_PATH_LENGTH = 200;
/** Scheme, userinfo and host of a target in absolute-form (RFC 9112 section 3.2.2). */
const ORIGIN = /^[a-z][a-z\d+.-]*:\/\/(?:[^/?#@]*@)?[^/?#@]*(?![^/?#])/i;
/** Addresses in X-Forwarded-For that are considered: a chain of proxies is short. */
const MAXIMUM_PROXIES = 20;
/** The status in log and metrics of a request whose client left before the answer: a convention of nginx. */
const CLIENT_CLOSED_REQUEST = 499;
/** The last member in the log of a request whose client left before the end of its answer. */
const ABORTED = ',"aborted":true';
/** Milliseconds without a refusal after which an overload is over. */
const RECOVERY_TIME = 1_000;
/** The name under which the metrics count all unknown paths. */
const OTHER = 'other';
/** Characters of an id that all requests of a process share: 48 random bits in two groups of a UUID. */
const ID_PREFIX_LENGTH = 13;

/** Records every request and its answer in the log and the metrics of one process. */
export class RequestRecorder {
  private readonly options: RecorderOptions;
  private readonly routes: ReadonlySet<string>;
  /** Whether the log or the metrics contain the duration of requests. */
  private readonly isTimed: boolean;
  // A UUID per request would take more time than the rest of its line in the log.
  private readonly idPrefix = randomUUID().slice(0, ID_PREFIX_LENGTH);
  private lastId = 0;
  private readonly requestOverload: Overload;
  private readonly connectionOverload: Overload;
  private readonly bulkOverload: Overload;

  constructor(options: RecorderOptions) {
    const { log, verbosity, metrics, paths } = options;
    this.options = options;
    this.routes = new Set(paths);
    this.isTimed = metrics !== undefined || verbosity === 'requests';
    this.requestOverload = new Overload(log, 'requests', (isOverloaded) => {
      if (metrics !== undefined) metrics.isOverloaded = isOverloaded;
    });
    this.connectionOverload = new Overload(log, 'connections');
    this.bulkOverload = new Overload(log, 'bulk requests');
  }

  /** Records that a request begins. Returns the current time in milliseconds, or 0 if durations are not recorded. */
  begin(response: ServerResponse): number {
    const { verbosity, metrics } = this.options;
    if (metrics !== undefined) {
      metrics.inFlight += 1;
      response.on('close', () => {
        metrics.inFlight -= 1;
      });
    }
    if (verbosity === 'requests') cacheRemoteAddress(response.socket);
    return this.isTimed ? performance.now() : 0;
  }

  /** Records an answer. Returns the id to send with it: that of the client, or a new one unless the status is 200. */
  answered(
    request: IncomingMessage,
    { status, fault }: Answer,
    size: number,
    startedAt: number,
  ): string | undefined {
    const id = requestId(request) ?? (status === 200 ? undefined : this.newId());
    if (fault !== undefined) this.options.log.line('error', 'error', { id, ...fieldsOf(fault) });
    const bytes = request.method === 'HEAD' ? 0 : size;
    this.record(request, id, startedAt, status, bytes);
    return id;
  }

  /** Records a request whose client left before it was answered. */
  abandoned(request: IncomingMessage, startedAt: number): void {
    this.record(request, requestId(request), startedAt, CLIENT_CLOSED_REQUEST, 0, ABORTED);
  }

  /** Logs a fault of the service in a bulk request, with the number of the line if the fault occurred in one. */
  faulted(request: IncomingMessage, fault: unknown, line?: number): void {
    this.options.log.line('error', 'error', { id: requestId(request), line, ...fieldsOf(fault) });
  }

  /** Logs that a connection is reset, with the reason and the request in progress, if any. */
  reset(socket: Socket, reason: string, request: IncomingMessage | undefined): void {
    const { log, trusted } = this.options;
    const head =
      request === undefined
        ? { client: socket.remoteAddress }
        : { id: requestId(request), client: clientOf(request, trusted), path: rawPathOf(request) };
    log.line('warn', 'reset', { ...head, reason });
  }

  /** Records the end of a bulk request; `isComplete` is false if it was aborted. */
  answeredBulk(
    request: IncomingMessage,
    tally: Tally,
    startedAt: number,
    isComplete: boolean,
  ): void {
    if (!this.isTimed) return;
    const { succeeded, failed, bytes } = tally;
    const milliseconds = performance.now() - startedAt;
    const route = this.routeOf(request);
    this.options.metrics?.countBulk(route, milliseconds / 1000, succeeded, failed);
    const ending = isComplete ? '' : ABORTED;
    const more = `,"lines":${succeeded + failed},"failed":${failed}${ending}`;
    this.logRequest(request, requestId(request), route, milliseconds, 200, bytes, more);
  }

  /**
   * Records a refusal that was written to the socket itself. `reason` is, for example, the code of an error of
   * node:http; `request` is present if its headers have arrived.
   */
  refused(
    socket: Socket,
    id: string,
    code: FailureCode,
    reason: string,
    request?: IncomingMessage,
  ): void {
    const { log, verbosity, metrics } = this.options;
    const { status } = FAILURES[code];
    metrics?.count(request?.method ?? OTHER, this.routeOf(request), status);
    if (verbosity !== 'requests') return;
    const head = request && { method: request.method, path: rawPathOf(request) };
    log.line('warn', 'refused', {
      id,
      client: socket.remoteAddress,
      ...head,
      status,
      code,
      reason,
    });
  }

  /** Counts a request that was refused because of overload; its answer is recorded like any other. */
  shed(): void {
    this.requestOverload.add();
  }

  /** Counts a bulk request that was refused because of a lack of room; its answer is recorded like any other. */
  lackedRoom(): void {
    this.bulkOverload.add();
  }

  /** Ends the timers. */
  stop(): void {
    this.requestOverload.stop();
    this.connectionOverload.stop();
    this.bulkOverload.stop();
  }

  /** Counts a connection that was closed because of the limit: the one that had been idle longest, or a new one. */
  connectionClosed(): void {
    const { metrics } = this.options;
    if (metrics !== undefined) metrics.closedConnections += 1;
    this.connectionOverload.add();
  }

  private record(
    request: IncomingMessage,
    id: string | undefined,
    startedAt: number,
    status: number,
    bytes: number,
    more = '',
  ): void {
    if (!this.isTimed) return;
    const milliseconds = performance.now() - startedAt;
    const route = this.routeOf(request);
    this.options.metrics?.count(request.method ?? OTHER, route, status, milliseconds / 1000);
    this.logRequest(request, id, route, milliseconds, status, bytes, more);
  }

  private logRequest(
    request: IncomingMessage,
    id: string | undefined,
    route: string,
    milliseconds: number,
    status: number,
    bytes: number,
    more: string,
  ): void {
    const { log, verbosity, trusted } = this.options;
    if (verbosity !== 'requests') return;
    const client = clientOf(request, trusted);
    const path = route === OTHER ? JSON.stringify(rawPathOf(request)) : `"${route}"`;
    // Concatenated by hand, and quoted only where needed: JSON.stringify of an object takes five times as long.
    log.write(
      () =>
        `"level":"info","msg":"request","id":${JSON.stringify(id ?? this.newId())},`
        + `"client":"${client}","method":"${request.method}","path":${path},`
        + `"status":${status},"bytes":${bytes},"ms":${milliseconds.toFixed(3)}${more}`,
    );
  }

  /** A new id for a request without one of its own. */
  newId(): string {
    this.lastId += 1;
    return `${this.idPrefix}-${this.lastId}`;
  }

  /** The path of a request if the service has it, otherwise the name for all others. */
  private routeOf(request: IncomingMessage | undefined): string {
    const path = pathOf(request?.url ?? '');
    return path !== undefined && this.routes.has(path) ? path : OTHER;
  }
}

/** Logs the beginning of refusals and, with their number, their end. */
class Overload {
  private readonly log: Log;
  private readonly refusing: string;
  private readonly onChange: (isActive: boolean) => void;
  private refusals = 0;
  private timer: NodeJS.Timeout | undefined;

  constructor(log: Log, refusing: string, onChange: (isActive: boolean) => void = () => undefined) {
    this.log = log;
    this.refusing = refusing;
    this.onChange = onChange;
  }

  add(): void {
    this.refusals += 1;
    if (this.timer !== undefined) {
      this.timer.refresh();
      return;
    }
    this.log.line('warn', 'overloaded', { refusing: this.refusing });
    this.onChange(true);
    this.timer = setTimeout(() => this.end(), RECOVERY_TIME).unref();
  }

  stop(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
  }

  private end(): void {
    this.log.line('info', 'recovered', { refusing: this.refusing, refusals: this.refusals });
    this.onChange(false);
    this.refusals = 0;
    this.timer = undefined;
  }
}

/**
 * The path as the client wrote it. A query, a fragment and userinfo may contain secrets. A password that
 * is not escaped may contain any character, so that nothing is logged of a target with an @ in an unexpected place.
 */
function rawPathOf({ url = '' }: IncomingMessage): string {
  const isOriginForm = url.startsWith('/') && !url.startsWith('//');
  const local = isOriginForm ? url : url.replace(ORIGIN, '');
  if (!isOriginForm && local.includes('@')) return '';
  const [path = ''] = local.split(/[?#]/, 1);
  return path.slice(0, MAXIMUM_PATH_LENGTH);
}

/**
 * The address of the client: that of the connection or, if it belongs to a trusted proxy, the last in X-Forwarded-For
 * that does not. An address contains no character that JSON escapes.
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
