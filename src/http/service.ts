import { MIMEType } from 'node:util';
import { Failure, type FailureCode } from '../contract/failure.ts';
import { parseObject } from '../contract/json.ts';
import type { BodyLimits, Context, Operation } from '../contract/operation.ts';
import { type Answer, failed, preflight, success } from './answer.ts';
import { decodeText } from './body.ts';

/** The part of a request that comes before its body. Header names are in lower case. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A request whose body is wanted: at most `limit` bytes of it, or undefined if there are more. */
export interface Awaiting {
  readonly limit: number;
  readonly answer: (body: Buffer | undefined) => Answer;
}

/** The service as a pure function in two steps, so that what is wrong with a head is answered before its body comes. */
export interface Service {
  readonly open: (head: RequestHead) => Answer | Awaiting;
  readonly fail: (code: FailureCode, message?: string) => Answer;
  /** Both steps at once. */
  readonly answer: (head: RequestHead, body: Buffer) => Answer;
}

/** What a service is made of. */
export interface ServiceOptions extends Context {
  readonly operations: readonly Operation[];
  readonly bodyLimits: BodyLimits;
  /** Whether new work is welcome; what /readyz tells. */
  readonly isReady: () => boolean;
  /** Told of every error that is a fault of the service. */
  readonly report: (error: unknown) => void;
}

/** What a path has for each method. */
interface Route {
  readonly allow: string;
  readonly get?: () => Answer;
  readonly post?: Awaiting;
}

/** Makes the function from request to answer. It throws nothing and keeps nothing between requests. */
export function createService(options: ServiceOptions): Service {
  const routes = routesOf(options);
  const open = (head: RequestHead): Answer | Awaiting => route(routes, head);
  return {
    open,
    fail: (code, message) => failed(new Failure(code, message)),
    answer(head, body) {
      const step = open(head);
      return 'status' in step ? step : step.answer(body.length > step.limit ? undefined : body);
    },
  };
}

function routesOf(options: ServiceOptions): ReadonlyMap<string, Route> {
  const health = (get: () => Answer): Route => ({ allow: 'GET, HEAD, OPTIONS', get });
  const alive = success('{"alive":true}');
  const ready = success('{"ready":true}');
  const notReady = failed(new Failure('overloaded', 'The service is shutting down'));
  return new Map([
    ['/healthz', health(() => alive)],
    ['/readyz', health(() => (options.isReady() ? ready : notReady))],
    ...options.operations.map((operation): [string, Route] =>
      [operation.path, { allow: 'POST, OPTIONS', post: awaiting(operation, options) }]),
  ]);
}

function awaiting(operation: Operation, options: ServiceOptions): Awaiting {
  const limit = options.bodyLimits[operation.body];
  const tooLarge = failed(new Failure('body_too_large', `Expected a body of up to ${limit} bytes`));
  return {
    limit,
    answer(body) {
      if (body === undefined) return tooLarge;
      try {
        return success(operation.run(parseObject(decodeText(body)), options));
      } catch (error) {
        if (error instanceof Failure) return failed(error);
        options.report(error);
        return failed(new Failure('internal_error'));
      }
    },
  };
}

function route(routes: ReadonlyMap<string, Route>, { method, target, headers }: RequestHead): Answer | Awaiting {
  if (target === '*' && method === 'OPTIONS') return preflight('GET, HEAD, POST, OPTIONS');
  const path = pathOf(target);
  if (path === undefined) return failed(new Failure('bad_request', 'Expected a target with whole percent-escapes'));
  const found = routes.get(path);
  if (found === undefined) return failed(new Failure('not_found'));
  const { allow, get, post } = found;
  if (method === 'OPTIONS') return preflight(allow);
  if (get !== undefined && method === 'GET') return get();
  if (get !== undefined && method === 'HEAD') return { ...get(), body: '' };
  if (post !== undefined && method === 'POST') return refusal(headers, post) ?? post;
  return failed(new Failure('method_not_allowed', `Expected one of ${allow}, got ${method}`), ['Allow', allow]);
}

/** The path of a request target in origin-form or absolute-form (RFC 9112 section 3.2), without query and escapes. */
function pathOf(target: string): string | undefined {
  const local = target.startsWith('/') ? target : target.replace(/^https?:\/\/[^/?]*/i, '');
  const query = local.indexOf('?');
  const path = query === -1 ? local : local.slice(0, query);
  if (!path.includes('%')) return path;
  try {
    // Escapes of reserved characters stay, for %2F is not a slash (RFC 3986 section 2.2).
    return decodeURI(path);
  } catch {
    return undefined;
  }
}

/** What the header already tells against a body. */
function refusal(headers: RequestHead['headers'], post: Awaiting): Answer | undefined {
  if (!isJson(headers['content-type'])) {
    return failed(new Failure('unsupported_media_type', 'Expected Content-Type: application/json, in UTF-8'));
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    return failed(new Failure('unsupported_media_type', 'Expected no Content-Encoding'));
  }
  const length = headers['content-length'];
  return length !== undefined && Number(length) > post.limit ? post.answer(undefined) : undefined;
}

function isJson(contentType: RequestHead['headers'][string]): boolean {
  if (contentType === 'application/json') return true;
  try {
    const { essence, params } = new MIMEType(String(contentType));
    return essence === 'application/json' && (params.get('charset') ?? 'utf-8').toLowerCase() === 'utf-8';
  } catch {
    return false;
  }
}
