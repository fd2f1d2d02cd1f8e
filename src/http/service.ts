import { MIMEType } from 'node:util';
import { Failure, type FailureCode } from '../contract/failure.ts';
import { deepFreeze } from '../contract/freeze.ts';
import { parseObject } from '../contract/json.ts';
import { type About, LINES_TYPE, openApi, OPENAPI_PATH } from '../contract/openapi.ts';
import { type BodyLimits, type Context, methodOf, type Operation } from '../contract/operation.ts';
import { type Answer, document, failed, lazily, plain, preflight, success, unlessKnown } from './answer.ts';
import { type Body, decodeText, isLarger } from './body.ts';
import { answerLines, emptyTally } from './bulk.ts';
import { healthOperations } from './health.ts';
import { keepingLatest } from './latest.ts';
import type { Page } from './page.ts';

/** The part of a request that comes before its body. Header names are in lower case. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
}

/** A request whose body is wanted, up to `limit` bytes of it; a longer one is refused, also as undefined, unread. */
export interface Awaiting {
  readonly limit: number;
  readonly answer: (body: Body) => Answer;
  /** Whether there are many, each line being a body to be answered by a line. */
  readonly isBulk: boolean;
}

/** What there is to do about a request after its head. */
export type Step = Answer | Promise<Answer> | Awaiting;

/** The service as a pure function in two steps, so that what is wrong with a head is answered before its body comes. */
export interface Service {
  readonly open: (head: RequestHead) => Step;
  readonly fail: (code: FailureCode, message?: string) => Answer;
  /** The answer to a request for which there is no time. */
  readonly overloaded: Answer;
  /** The headers that let scripts of an origin read an answer. */
  readonly crossOrigin: (origin: string | undefined) => readonly string[];
  /** All paths there are. */
  readonly paths: readonly string[];
  /** Both steps at once. */
  readonly answer: (head: RequestHead, body: Uint8Array) => Answer | Promise<Answer>;
}

/** What a service is made of. */
export interface ServiceOptions extends Context {
  readonly about: About;
  readonly operations: readonly Operation[];
  readonly bodyLimits: BodyLimits;
  /** Origins whose scripts may read the answers; `*` is any. */
  readonly corsOrigins: readonly string[];
  /** What /metrics shows; without it there is no such path. */
  readonly metrics?: () => Promise<string>;
  /** What a browser is shown at /; without it, the index that programs get. */
  readonly page?: Page;
}

const JSON_TYPE = 'application/json';
/** The methods of all paths together. */
export const METHODS = 'GET, HEAD, POST, OPTIONS';
/** Scheme and authority of a target in absolute-form, without userinfo (RFC 9110 section 4.2.4). */
const ORIGIN = /^https?:\/\/(?:[\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(?::\d*)?(?=[/?]|$)/i;

/** What a path has for each method. */
interface Route {
  readonly allow: string;
  readonly get?: (head: RequestHead) => Answer | Promise<Answer>;
  readonly post?: Awaiting;
}

/** Makes the function from request to answer. It throws nothing, and no request changes what another gets. */
export function createService(options: ServiceOptions): Service {
  const routes = routesOf(options);
  const open = (head: RequestHead): Step => route(routes, head);
  return {
    open,
    fail: (code, message) => failed(new Failure(code, message)),
    overloaded: deepFreeze(failed(new Failure('overloaded', 'The service has too much to do'))),
    crossOrigin: crossOrigin(options.corsOrigins),
    paths: deepFreeze([...routes.keys()]),
    answer(head, bytes) {
      const step = open(head);
      if (!('limit' in step)) return step;
      const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      return step.isBulk ? answerAll(step, body) : step.answer(body);
    },
  };
}

function crossOrigin(origins: readonly string[]): Service['crossOrigin'] {
  const any = deepFreeze(['Access-Control-Allow-Origin', '*']);
  if (origins.includes('*')) return () => any;
  if (origins.length === 0) return () => [];
  return (origin) => (origin !== undefined && origins.includes(origin)
    ? ['Access-Control-Allow-Origin', origin, 'Vary', 'Origin']
    : ['Vary', 'Origin']);
}

function routesOf(options: ServiceOptions): ReadonlyMap<string, Route> {
  const { about, metrics, page } = options;
  const operations = [...options.operations, ...healthOperations];
  const get = (answer: Route['get'] & {}): Route => ({ allow: 'GET, HEAD, OPTIONS', get: answer });
  const index = lazily(() => document(success(JSON.stringify({
    name: about.title,
    version: about.version,
    operations: operations.map((operation) =>
      ({ method: methodOf(operation), path: operation.path, summary: operation.summary })),
    links: { openapi: OPENAPI_PATH },
  })), ['Vary', 'Accept']));
  return new Map([
    ...[...page ?? []].map(([path, file]) => [path, get(file)] as const),
    // In place of the page's own, which only browsers get.
    ['/', get(({ headers }) => {
      const isBrowser = String(headers['accept'] ?? '').includes('text/html');
      return (isBrowser ? page?.get('/') : undefined)?.() ?? index();
    })],
    [OPENAPI_PATH, get(lazily(() => document(plain(JSON_TYPE, JSON.stringify(openApi(about, operations))))))],
    ...(metrics === undefined ? [] : [['/metrics', get(async () => plain('text/plain', await metrics()))] as const]),
    ...operations.map((operation) => [operation.path, operation.takes === 'query' || operation.takes === 'nothing'
      ? get((head) => consult(operation, head, options))
      : { allow: 'POST, OPTIONS', post: awaiting(operation, options.bodyLimits[operation.takes], options) }] as const),
  ]);
}

function awaiting(operation: Operation, limit: number, context: Context): Awaiting {
  const tooLarge = deepFreeze(failed(new Failure('body_too_large', `Expected a body of up to ${limit} bytes`)));
  return {
    limit,
    isBulk: false,
    answer: (body) => (body === undefined || isLarger(body, limit) ? tooLarge
      : attempt(() => success(operation.run(parseObject(decodeText(body)), context)))),
  };
}

/** Answers all lines of a body. */
async function answerAll({ limit, answer }: Awaiting, body: Buffer): Promise<Answer> {
  const all: Buffer[] = [];
  let fault: unknown;
  const answers = answerLines([body], limit, answer, emptyTally(), (known) => (fault = known));
  for await (const some of answers) all.push(some);
  return { ...plain(LINES_TYPE, Buffer.concat(all).toString()), fault };
}

/** Answers a GET of an operation: what it takes is in the query, and what never changes may be kept. */
function consult(operation: Operation, { target }: RequestHead, context: Context): Answer {
  if (operation.takes === 'nothing') return success(operation.run({}, context));
  const query = new URLSearchParams(target.slice((target.indexOf('?') + 1) || target.length));
  const values = [...new Set(query.keys())].map((name) => [name, query.getAll(name)] as const);
  // A name that is given twice stays a list, which no field takes.
  const request = Object.fromEntries(values.map(([name, all]) => [name, all.length === 1 ? all[0] : all]));
  return document(success(operation.run(request, context)));
}

function attempt<T>(answer: () => T): T | Answer {
  try {
    return answer();
  } catch (error) {
    if (error instanceof Failure) return failed(error);
    return { ...failed(new Failure('internal_error')), fault: error };
  }
}

function route(routes: ReadonlyMap<string, Route>, head: RequestHead): Step {
  const { method, target, headers } = head;
  if (target === '*' && method === 'OPTIONS') return preflight(METHODS);
  const path = pathOf(target);
  if (path === undefined) return failed(new Failure('bad_request', 'Expected a target with whole percent-escapes'));
  const found = routes.get(path);
  if (found === undefined) return failed(new Failure('not_found'));
  const { allow, get, post } = found;
  if (method === 'OPTIONS') return preflight(allow);
  // To leave out the body is for what writes the answer to HEAD.
  if (get !== undefined && (method === 'GET' || method === 'HEAD')) {
    const answer = attempt(() => get(head));
    return answer instanceof Promise ? answer : unlessKnown(answer, headers['if-none-match']);
  }
  if (post !== undefined && method === 'POST') return receive(headers, post);
  return failed(new Failure('method_not_allowed', `Expected one of ${allow}, got ${method}`), ['Allow', allow]);
}

/** The path of a request target in origin-form or absolute-form (RFC 9112 section 3.2), without query and escapes. */
export function pathOf(target: string): string | undefined {
  const local = target.startsWith('/') ? target : target.replace(ORIGIN, '');
  const query = local.indexOf('?');
  // The empty path of an absolute-form is that of the root (RFC 9110 section 4.2.3).
  const path = (query === -1 ? local : local.slice(0, query)) || (local === target ? '' : '/');
  if (!path.includes('%')) return path;
  try {
    // Escapes of reserved characters stay, for %2F is not a slash (RFC 3986 section 2.2).
    return decodeURI(path);
  } catch {
    return undefined;
  }
}

/** What the header already tells against a body, or else what is to be done with it. */
function receive(headers: RequestHead['headers'], post: Awaiting): Answer | Awaiting {
  const type = mediaType(String(headers['content-type']));
  if (type === undefined) {
    const expected = `Expected Content-Type: ${JSON_TYPE} or ${LINES_TYPE}, in UTF-8`;
    return failed(new Failure('unsupported_media_type', expected));
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && String(encoding).toLowerCase() !== 'identity') {
    return failed(new Failure('unsupported_media_type', 'Expected no Content-Encoding'));
  }
  if (type === LINES_TYPE) return { ...post, isBulk: true };
  const length = headers['content-length'];
  return length !== undefined && Number(length) > post.limit ? post.answer(undefined) : post;
}

/** The media type that a Content-Type says, if it is one that an operation takes. */
const mediaType = keepingLatest((contentType) => {
  if (contentType === JSON_TYPE) return JSON_TYPE;
  try {
    const { essence, params } = new MIMEType(contentType);
    const isTaken = essence === JSON_TYPE || essence === LINES_TYPE;
    return isTaken && (params.get('charset') ?? 'utf-8').toLowerCase() === 'utf-8' ? essence : undefined;
  } catch {
    return undefined;
  }
});
