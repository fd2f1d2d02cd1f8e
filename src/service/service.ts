/** Resources, and the path from a request to its answer. */
import { quotedShort, shortened } from '../contract/escape.ts';
import { type FailureCode, failureOf } from '../contract/failure.ts';
import { deepFreeze } from '../contract/freeze.ts';
import { idMember } from '../contract/id.ts';
import { parseObject } from '../contract/json.ts';
import { JSON_TYPE } from '../contract/media-types.ts';
import { type Context, type Operation, SMALL_BODY_LIMIT } from '../contract/operation.ts';
import {
  type Answer,
  type CrossOrigin,
  errorAnswer,
  lazy,
  preflight,
  envelopeAnswer,
  type TextAnswer,
} from './answer.ts';
import { type Body, textOf, TOO_LARGE } from './body.ts';
import { healthOperations } from './health.ts';
import { mediaTypeOf, METHODS, pathOf, type RequestHead } from './request.ts';

/** A POST request whose body is still to be read; a bulk request has one request of up to `limit` bytes per line. */
export interface PostRoute {
  readonly kind: 'post';
  readonly limit: number;
  readonly isBulk: boolean;
  /** Answers one request, or refuses one over the limit. */
  readonly answer: (body: Body) => TextAnswer;
}

/** The result of routing: an answer, or a request whose body is still to be read. */
export type RouteResult = { readonly kind: 'answer'; readonly answer: Answer } | PostRoute;

/** The service as a function from request to answer. It never throws, and requests do not affect each other. */
export interface Service {
  /** Routes a request, so that it can be refused because of its head before its body is read. */
  readonly route: (head: RequestHead) => RouteResult;
  /** Routes a request and answers it. The lines of a bulk request are answered one by one, with `route`. */
  readonly answer: (head: RequestHead, body: Uint8Array) => Answer;
  /** The answer to a request that is refused because of overload. */
  readonly overloaded: Answer;
  /** The CORS headers of the answers to requests from an origin. */
  readonly crossOrigin: (origin: string | undefined) => CrossOrigin;
  /** All paths of the service. */
  readonly paths: readonly string[];
}

/** The answers to GET and HEAD requests, which need no body. */
export interface GetResource {
  readonly kind: 'get';
  readonly answer: (head: RequestHead) => Answer;
}

/** The answers to POST requests, whose bodies have up to `limit` bytes. */
interface PostResource {
  readonly kind: 'post';
  readonly limit: number;
  readonly answer: (body: Body, head: RequestHead) => TextAnswer;
  /** The media type of bulk requests, if the resource accepts them besides JSON. */
  readonly bulkType?: string | undefined;
}

/** A path with its answers. */
export type Resource = (GetResource | PostResource) & {
  readonly path: string;
  /** The name of the link to the path in the index; the index has no link without it. */
  readonly link?: string;
};

/** The name, version and description of the service. */
export interface About {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** The last month up to which the law has been reviewed, YYYY-MM. */
  readonly reviewed_through: string;
}

export interface ServiceOptions extends Context {
  readonly about: About;
  readonly operations: readonly Operation[];
  /** Maximum bytes of a large body. */
  readonly bodyLimit: number;
  /** Origins whose scripts may read the answers; `*` is any origin. */
  readonly corsOrigins: readonly string[];
  /** Further resources. The last resource at a path wins. */
  readonly resources: readonly Resource[];
  /** The media type of bulk requests, which are accepted besides JSON if it is present. */
  readonly bulkType?: string;
}

/** Exposes response headers beyond those that scripts of other origins may always read. */
const EXPOSING = ['Access-Control-Expose-Headers', 'ETag, Retry-After, X-Request-Id'] as const;
const METHODS_OF: Readonly<Record<Resource['kind'], readonly string[]>> = {
  get: ['GET', 'HEAD', 'OPTIONS'],
  post: ['POST', 'OPTIONS'],
};
const OVERLOADED = 'The service is overloaded';
const NO_RESOURCE = 'There is no resource at this path';
const NOT_FOUND = `${NO_RESOURCE}; GET / lists the operations`;

/** Creates a service. */
export function serviceOf(options: ServiceOptions): Service {
  const resources = resourcesOf(options);
  const notFound = notFoundIn(resources);
  const route = (head: RequestHead): RouteResult => {
    try {
      return routeTo(resources, notFound, head);
    } catch (error) {
      return immediate(errorAnswer(error));
    }
  };
  const service: Service = {
    route,
    answer(head, body) {
      const routed = route(head);
      return routed.kind === 'post' ? routed.answer(body) : routed.answer;
    },
    overloaded: deepFreeze(envelopeAnswer(failureOf('overloaded', OVERLOADED))),
    crossOrigin: crossOrigin(options.corsOrigins),
    paths: deepFreeze([...resources.keys()]),
  };
  return Object.freeze(service);
}

function crossOrigin(origins: readonly string[]): Service['crossOrigin'] {
  const none = deepFreeze({ allowing: [], exposing: [] });
  if (origins.length === 0) return () => none;
  const any = deepFreeze({ allowing: ['Access-Control-Allow-Origin', '*'], exposing: EXPOSING });
  if (origins.includes('*')) return () => any;
  const other = deepFreeze({ allowing: ['Vary', 'Origin'], exposing: [] });
  return (origin) => {
    if (origin === undefined || !origins.includes(origin)) return other;
    const allowing = ['Access-Control-Allow-Origin', origin, ...other.allowing];
    return { allowing, exposing: EXPOSING };
  };
}

function resourcesOf(options: ServiceOptions): ReadonlyMap<string, Resource> {
  const operations = [...options.operations, ...healthOperations];
  const resources: readonly Resource[] = [
    { path: '/', kind: 'get', answer: lazy(() => deepFreeze(indexOf(options))) },
    ...operations.map((operation) => resourceOf(operation, options)),
    ...options.resources,
  ];
  return new Map(resources.map((resource) => [resource.path, resource]));
}

/** The answer with the index of the service. */
export function indexOf({ about, operations, resources }: ServiceOptions): Answer {
  const links = resources.flatMap(({ link, path }) => (link === undefined ? [] : [[link, path]]));
  const data = {
    name: about.title,
    version: about.version,
    reviewed_through: about.reviewed_through,
    operations: [...operations, ...healthOperations].map(({ method, path, summary }) => ({
      method,
      path,
      summary,
    })),
    links: Object.fromEntries(links),
  };
  return envelopeAnswer(JSON.stringify(data));
}

/** The resource of an operation. */
function resourceOf(operation: Operation, options: ServiceOptions): Resource {
  const { path, method, hasLargeBody = false } = operation;
  if (method === 'GET') {
    return { path, kind: 'get', answer: () => envelopeAnswer(operation.run({}, options)) };
  }
  const limit = hasLargeBody ? options.bodyLimit : SMALL_BODY_LIMIT;
  const answer = (body: Body): TextAnswer => answerJson(operation, body, limit, options);
  return { path, kind: 'post', limit, answer, bulkType: options.bulkType };
}

function answerJson(
  operation: Operation,
  received: Body,
  limit: number,
  context: Context,
): TextAnswer {
  let id = '';
  try {
    const request = parseObject(textOf(received, limit));
    id = idMember(request);
    return envelopeAnswer(operation.run(request, context), id);
  } catch (error) {
    return errorAnswer(error, id);
  }
}

/** Names the paths for POST that have all segments of an unknown one. */
function notFoundIn(resources: ReadonlyMap<string, Resource>): (path: string) => string {
  const posts = [...resources.values()].filter(({ kind }) => kind === 'post');
  const known = posts.map(({ path }) => path.split('/'));
  return (path) => {
    // The last segment is the least likely to be known.
    const given = path.split('/', 9).reverse();
    const meant = known
      .filter((names) => given.every((name) => names.includes(name)))
      .map((names) => names.join('/'));
    return meant.length === 0 ? NOT_FOUND : `${NO_RESOURCE}; did you mean ${meant.join(' or ')}?`;
  };
}

function routeTo(
  resources: ReadonlyMap<string, Resource>,
  notFound: (path: string) => string,
  head: RequestHead,
): RouteResult {
  const { method, target } = head;

  // 1. The server as a whole (RFC 9110 section 9.3.7)
  if (target === '*' && method === 'OPTIONS') return immediate(preflight(METHODS));

  // 2. The path
  const path = pathOf(target);
  if (path === undefined) {
    return refusal('bad_request', 'Expected a target with valid percent-encoding');
  }

  // 3. The resource
  const resource = resources.get(path);
  if (resource === undefined) return refusal('not_found', notFound(path));

  // 4. The method
  const methods = METHODS_OF[resource.kind];
  if (method === 'OPTIONS') return immediate(preflight(methods.join(', ')));
  if (!methods.includes(method)) {
    const allow = methods.join(', ');
    const message = `Expected one of ${allow}, got ${shortened(method)}`;
    return refusal('method_not_allowed', message, ['Allow', allow]);
  }
  if (resource.kind === 'get') return immediate(resource.answer(head));

  // 5. The headers of a body
  return checkBodyHeaders(head, resource);
}

function immediate(answer: Answer): RouteResult {
  return { kind: 'answer', answer };
}

function refusal(code: FailureCode, message: string, headers?: readonly string[]): RouteResult {
  return immediate(envelopeAnswer(failureOf(code, message), '', headers));
}

/** Returns the route, or the refusal of the body because of its Content-Type, Content-Encoding or Content-Length. */
function checkBodyHeaders(
  head: RequestHead,
  { limit, answer, bulkType }: PostResource,
): RouteResult {
  const { headers } = head;
  const contentType = headers['content-type'];
  const mediaType = mediaTypeOf(String(contentType));
  const isBulk = mediaType !== undefined && mediaType === bulkType;
  if (!isBulk && mediaType !== JSON_TYPE) {
    const received = contentType === undefined ? 'none' : quotedShort(String(contentType));
    const expected = bulkType === undefined ? JSON_TYPE : `${JSON_TYPE} or ${bulkType}`;
    const text = `${expected}, with charset=utf-8 or none`;
    const message = `Expected Content-Type: ${text}, got ${received}`;
    return refusal('unsupported_media_type', message);
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && String(encoding).toLowerCase() !== 'identity') {
    const message = `Expected no Content-Encoding, got ${quotedShort(String(encoding))}`;
    return refusal('unsupported_media_type', message);
  }
  const length = headers['content-length'];
  if (!isBulk && length !== undefined && Number(length) > limit) {
    return immediate(answer(TOO_LARGE, head));
  }
  return { kind: 'post', limit, isBulk, answer: (body) => answer(body, head) };
}
