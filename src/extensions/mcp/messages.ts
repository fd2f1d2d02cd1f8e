/**
 * The messages of the Model Context Protocol, which are those of JSON-RPC 2.0. No message depends on an earlier one:
 * since the revision 2026-07-28, each request names its revision; before, a handshake did, from which nothing follows.
 *
 * | message | status over HTTP | answer |
 * |---|---|---|
 * | request | 200 | the result, which may be the refusal of a calculation, or an error of its parameters |
 * | request for an unknown method | 404; before 2026-07-28 200, because a 404 would end a session | error |
 * | notification | 202 | none |
 * | anything else, or a wrong header or revision | 400, or 413 if it is too long | error |
 * | request that meets a fault of the service | 500 | error |
 */
import { quotedShort, shortened } from '../../contract/escape.ts';
import { Failure, FAILURES } from '../../contract/failure.ts';
import { parseObject } from '../../contract/json.ts';
import { JSON_TYPE } from '../../contract/media-types.ts';
import { answerOf, lazy, textAnswer, type TextAnswer } from '../../service/answer.ts';
import { type Body, textOf } from '../../service/body.ts';
import type { RequestHead } from '../../service/request.ts';
import type { ServiceOptions } from '../../service/service.ts';
import {
  callTool,
  describeTool,
  INSTRUCTIONS,
  type RpcResult,
  type Tools,
  toolsOf,
} from './tools.ts';

type Members = Readonly<Record<string, unknown>>;

/** A message and, if it has arrived over HTTP, the headers of its request. */
export interface RpcMessage {
  readonly body: Body;
  readonly headers?: RequestHead['headers'];
}

/** A message with its content. */
interface RpcRequest {
  readonly headers: RpcMessage['headers'];
  readonly text: string;
  readonly method: string;
  readonly params: Members;
}

type Methods = Readonly<Record<string, (request: RpcRequest) => RpcResult>>;

/** Maximum bytes of a message over HTTP. It bounds the work that precedes the limit of a call. */
export const MESSAGE_LIMIT = 64 * 1024;

/** The revision without a handshake, and those before it, the latest first. */
const REVISION = '2026-07-28';
const EARLIER = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const SUPPORTED = [REVISION, ...EARLIER];
/** The names in `_meta` that every request without a handshake has. */
const META_REVISION = 'io.modelcontextprotocol/protocolVersion';
const META_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
/** The tools change with the version of the service only; clients may keep them for an hour. */
const CACHING = { ttlMs: 3_600_000, cacheScope: 'public' };
const SERVER = { capabilities: { tools: {} }, instructions: INSTRUCTIONS };
/** The codes of errors: of JSON-RPC 2.0 section 5.1, and the last two of MCP. */
const SYNTAX = -32_700;
const MESSAGE = -32_600;
const METHOD = -32_601;
const PARAMETERS = -32_602;
const FAULT = -32_603;
const HEADER = -32_020;
const UNSUPPORTED_REVISION = -32_022;

/** An error of the protocol, with the status of its answer over HTTP. */
class ProtocolError extends Error {
  readonly status: number;
  /** The error object of JSON-RPC. */
  readonly errorObject: object;

  constructor(status: number, code: number, message: string, data?: object) {
    super(message);
    this.status = status;
    this.errorObject = { code, message, data };
  }
}

/** Creates the function that answers messages of up to `limit` bytes to a service with these options. */
export function messageAnswerer(
  options: ServiceOptions,
  limit: number = MESSAGE_LIMIT,
): (message: RpcMessage) => TextAnswer {
  const tools = toolsOf(options);
  const { title, version } = options.about;
  const serverInfo = { name: 'utility-calculation-service', title, version };
  // The members of every result since REVISION.
  const common = membersIn({
    resultType: 'complete',
    _meta: { 'io.modelcontextprotocol/serverInfo': serverInfo },
  });
  const list = lazy(() => membersIn({ tools: [...tools.values()].map(describeTool) }));
  const call = (request: RpcRequest): RpcResult => callNamed(tools, request, options);
  const discovered = membersIn({ ...SERVER, ...CACHING, supportedVersions: SUPPORTED });
  const methods: Methods = {
    'server/discover': () => ({ members: discovered }),
    'tools/list': () => ({ members: `${membersIn(CACHING)},${list()}` }),
    'tools/call': call,
  };
  const earlierMethods: Methods = {
    initialize: ({ params }) => ({
      members: membersIn({ ...SERVER, serverInfo, ...agreed(params) }),
    }),
    ping: () => ({ members: '' }),
    'tools/list': () => ({ members: list() }),
    'tools/call': call,
  };

  const resultOf = (request: RpcRequest): RpcResult => {
    if (isEarlier(request)) return methodIn(earlierMethods, request, 200)(request);
    checkRevision(request);
    const result = methodIn(methods, request, 404)(request);
    return { ...result, members: `${common},${result.members}` };
  };

  return ({ body, headers }) => {
    let id: unknown;
    try {
      const text = textOf(body, limit);
      const members = readMessage(text);
      // The id of a response is one of the server, which sends no requests.
      const isResponse = 'result' in members || 'error' in members;
      if (!isResponse && isId(members['id'])) ({ id } = members);
      const request = requestIn(members, text, headers);
      return id === undefined ? ACCEPTED : resultReply(id, resultOf(request));
    } catch (error) {
      return errorReply(error, id);
    }
  };
}

function membersIn(object: object): string {
  return JSON.stringify(object).slice(1, -1);
}

/** The revision on which a handshake agrees. */
function agreed({ protocolVersion }: Members): object {
  return { protocolVersion: EARLIER.find((known) => known === protocolVersion) ?? EARLIER[0] };
}

function callNamed(tools: Tools, { params, text }: RpcRequest, options: ServiceOptions): RpcResult {
  const { name, arguments: sent } = params;
  const given = sent ?? {};
  if (typeof name !== 'string' || !isObject(given)) {
    const expected = 'Expected the name of a tool, and its arguments in an object';
    throw new ProtocolError(200, PARAMETERS, expected);
  }
  const tool = tools.get(name);
  if (tool !== undefined) return callTool(tool, given, text, options);
  const expected = `expected one of ${[...tools.keys()].join(', ')}`;
  throw new ProtocolError(200, PARAMETERS, `Unknown tool ${quotedShort(name)}; ${expected}`);
}

function methodIn(methods: Methods, { method }: RpcRequest, status: number): Methods[string] {
  const found = Object.hasOwn(methods, method) ? methods[method] : undefined;
  if (found !== undefined) return found;
  throw new ProtocolError(status, METHOD, `Unknown method: ${quotedShort(method)}`);
}

/** The answer to a notification. */
const ACCEPTED = answerOf(202, undefined, '', ['Content-Length', '0']);

function resultReply(id: unknown, { members, facts }: RpcResult): TextAnswer {
  const body = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{${members}}}`;
  return { ...textAnswer(JSON_TYPE, body), facts };
}

function reply(status: number, members: object): TextAnswer {
  const body = JSON.stringify({ jsonrpc: '2.0', ...members });
  return { ...textAnswer(JSON_TYPE, body), status };
}

function errorReply(error: unknown, id: unknown): TextAnswer {
  if (error instanceof ProtocolError) return reply(error.status, { id, error: error.errorObject });
  if (error instanceof Failure && error.code !== 'internal_error') {
    // The parser expects simple values, so that it takes each object within a message for a mistake.
    const message = error.cause === undefined ? error.message : 'Expected a message in JSON';
    return reply(FAILURES[error.code].status, { error: { code: SYNTAX, message } });
  }
  const { message } = error instanceof Failure ? error : new Failure('internal_error');
  return { ...reply(500, { id, error: { code: FAULT, message } }), fault: error };
}

/** The refusal of a message because of the headers of its request. */
export function refuseMessage(status: number, message: string): TextAnswer {
  return errorReply(new ProtocolError(status, MESSAGE, message), undefined);
}

/** Parses a message, which inherits no members. A batch is refused: only the revision 2025-03-26 had batches. */
function readMessage(text: string): Members {
  if (text.trimStart().startsWith('[')) {
    throw new ProtocolError(400, MESSAGE, 'Expected a single message, got a batch');
  }
  return { __proto__: null, ...parseObject(text) } as unknown as Members;
}

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isId(id: unknown): boolean {
  return typeof id === 'string' || Number.isSafeInteger(id);
}

/** The request in a message. Some languages write an absent object, such as `params`, as null. */
function requestIn(
  { jsonrpc, id, method, params: sent }: Members,
  text: string,
  headers: RpcMessage['headers'],
): RpcRequest {
  const params = sent ?? {};
  const isKnown = jsonrpc === '2.0' && (id === undefined || isId(id));
  if (isKnown && typeof method === 'string' && isObject(params)) {
    return { text, method, params, headers };
  }
  const expected = 'Expected a request or a notification of JSON-RPC 2.0';
  throw new ProtocolError(400, MESSAGE, expected);
}

/**
 * Whether a request belongs to a handshake. Its method and the revision in its `_meta`, which a client takes from the
 * list of a refusal, decide before the header, in which clients name the revision on which the handshake has agreed, or
 * that on which it should.
 */
function isEarlier({ method, params, headers }: RpcRequest): boolean {
  if (method === 'server/discover') return false;
  const named = headers?.['mcp-protocol-version'];
  const { [META_REVISION]: inMeta } = metaOf(params);
  if (inMeta !== undefined) {
    return EARLIER.includes(String(inMeta)) && (named === undefined || named === inMeta);
  }
  if (named === undefined || method === 'initialize') return true;
  if (named === REVISION) return false;
  if (EARLIER.includes(String(named))) return true;
  throw unsupported(named);
}

/** Checks `_meta` and, over HTTP, the headers that repeat parts of the message for intermediaries. */
function checkRevision(request: RpcRequest): void {
  const { method, params } = request;
  const { [META_REVISION]: revision, [META_CAPABILITIES]: capabilities } = metaOf(params);
  if (typeof revision !== 'string' || !isObject(capabilities)) {
    const expected = `Expected ${META_REVISION} and ${META_CAPABILITIES} in _meta`;
    throw new ProtocolError(400, PARAMETERS, expected);
  }
  checkHeader(request, 'MCP-Protocol-Version', revision);
  if (revision !== REVISION) throw unsupported(revision);
  checkHeader(request, 'Mcp-Method', method);
  if (method === 'tools/call') checkHeader(request, 'Mcp-Name', params['name']);
}

function metaOf({ _meta: meta }: Members): Members {
  return isObject(meta) ? meta : {};
}

function unsupported(requested: unknown): ProtocolError {
  const data = { supported: SUPPORTED, requested: shortened(String(requested)) };
  return new ProtocolError(400, UNSUPPORTED_REVISION, 'Unsupported protocol version', data);
}

function checkHeader({ headers }: RpcRequest, name: string, expected: unknown): void {
  if (headers === undefined) return;
  const given = headers[name.toLowerCase()];
  if (given !== undefined && decoded(String(given)) === expected) return;
  const received = given === undefined ? 'none' : quotedShort(String(given));
  const message = `Expected ${name} to repeat the message, got ${received}`;
  throw new ProtocolError(400, HEADER, message);
}

/** The value of a header, which is in Base64 if it is not plain ASCII. Malformed Base64 stays as it is. */
function decoded(value: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1] ?? '';
  const bytes = Buffer.from(encoded, 'base64');
  return encoded !== '' && bytes.toString('base64') === encoded ? bytes.toString() : value;
}
