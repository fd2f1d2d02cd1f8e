/** The Model Context Protocol over HTTP: one message per POST, without sessions and streams. */
import type { IncomingMessage } from 'node:http';
import { Failure } from '../../contract/failure.ts';
import { failureAnswer } from '../../service/answer.ts';
import { pathOf, type RequestHead } from '../../service/request.ts';
import type {
  PostRoute,
  Resource,
  RouteResult,
  Service,
  ServiceOptions,
} from '../../service/service.ts';
import { messageAnswerer, messageLimit, refuseMessage, type ToolCall } from './messages.ts';

const PATH = '/mcp';
/** The headers of requests, for scripts of other origins. */
const ALLOWED = ['Access-Control-Allow-Headers', 'MCP-Protocol-Version, Mcp-Method, Mcp-Name'];

/** The Model Context Protocol in a service. */
export interface Mcp {
  readonly resource: Resource;
  /** A service with the resource, the answers of which also depend on the headers of a request. */
  readonly around: (service: Service) => Service;
  /** The call of a tool in a request. */
  readonly callOf: (request: IncomingMessage) => ToolCall | undefined;
}

/** Creates the Model Context Protocol for a service with these options. */
export function mcpOf(options: ServiceOptions): Mcp {
  const answer = messageAnswerer(options);
  // Of a request, observers and routes have the headers in common.
  const calls = new WeakMap<RequestHead['headers'], ToolCall>();
  const resource: Resource & PostRoute = {
    path: PATH,
    link: 'mcp',
    kind: 'post',
    limit: messageLimit(options),
    isBulk: false,
    answer: (body) => answer({ body, headers: {} }),
  };

  const routeWithHead = (route: PostRoute, { headers }: RequestHead): RouteResult => {
    if (route.isBulk) {
      const failure = new Failure('unsupported_media_type', 'Expected one message, in JSON');
      return { kind: 'answer', answer: failureAnswer(failure) };
    }
    const { origin } = headers;
    const allowed = ['*', origin];
    if (origin !== undefined && !options.corsOrigins.some((known) => allowed.includes(known))) {
      return { kind: 'answer', answer: refuseMessage(403, 'Expected an origin in CORS_ORIGIN') };
    }
    const onCall = (call: ToolCall): unknown => calls.set(headers, call);
    return { ...route, answer: (body) => answer({ body, headers, onCall }) };
  };

  return {
    resource,
    around: (service) => ({
      ...service,
      route(head) {
        const routed = service.route(head);
        if (routed.kind === 'post') {
          return routed.answer === resource.answer ? routeWithHead(routed, head) : routed;
        }
        if (head.method !== 'OPTIONS' || pathOf(head.target) !== PATH) return routed;
        const headers = [...routed.answer.headers, ...ALLOWED];
        return { kind: 'answer', answer: { ...routed.answer, headers } };
      },
    }),
    callOf: ({ headers }) => calls.get(headers),
  };
}
