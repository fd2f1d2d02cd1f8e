/** The service as a request listener on the server of another program, which keeps its connections and their limits. */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { fieldsOf, type Log } from '../../command/log.ts';
import { answerLines, BULK_ANSWER } from '../../lines/lines.ts';
import { hasBody } from '../../server/body.ts';
import { type Answer, envelopeAnswer, errorAnswer, headersOf } from '../../service/answer.ts';
import { bulkTooLarge, ByteQueue, TOO_LARGE } from '../../service/body.ts';
import { BODY_ALREADY_READ, type RequestHead, requestId } from '../../service/request.ts';
import type { PostRoute, Service } from '../../service/service.ts';

/** Maximum bytes of a bulk request to the listener, whose memory the program bounds by itself. */
export const LISTENER_BULK_LIMIT = 2 ** 20;

/**
 * Creates a request listener, which logs the faults of the service. It answers in the async context of its caller, when
 * the body has arrived: node:http would reset a connection that it closes with unread input. If the client has left, or
 * the program has begun an answer, it sends nothing.
 */
export function listenerOf(service: Service, log: Log): RequestListener {
  return (request, response) => {
    const exchange = new HostedExchange(service, log, request, response);
    exchange.answer().catch((fault: unknown) => exchange.fail(fault));
  };
}

/** A request that a program passes to the listener, and its response. */
class HostedExchange {
  private readonly service: Service;
  private readonly log: Log;
  private readonly request: IncomingMessage;
  private readonly response: ServerResponse;

  constructor(service: Service, log: Log, request: IncomingMessage, response: ServerResponse) {
    this.service = service;
    this.log = log;
    this.request = request;
    this.response = response;
  }

  /** Answers the request. Rejects if a method of the program throws, or if the client leaves a bulk answer. */
  async answer(): Promise<void> {
    const { request, service } = this;
    const routed = service.route(headOf(request));
    if (routed.kind === 'answer') {
      if (hasBody(request) && !request.readableEnded) await readBody(request, 0);
      this.send(routed.answer);
    } else if (isReadOrDecoded(request)) {
      this.send(errorAnswer(new Error(BODY_ALREADY_READ)));
    } else if (routed.isBulk) {
      await this.answerBulk(routed);
    } else {
      const bytes = await readBody(request, routed.limit);
      this.send(routed.answer(bytes.size > routed.limit ? TOO_LARGE : bytes.takeAll()));
    }
  }

  /** Logs a fault, and ends the answer, which would be incomplete. */
  fail(fault: unknown): void {
    const hasLeft = (fault as NodeJS.ErrnoException).code === 'ERR_STREAM_PREMATURE_CLOSE';
    if (!hasLeft) this.report(fault, requestId(this.request));
    this.response.destroy();
  }

  private async answerBulk(route: PostRoute): Promise<void> {
    const { request, response } = this;
    const bytes = await readBody(request, LISTENER_BULK_LIMIT);
    if (bytes.size > LISTENER_BULK_LIMIT) {
      this.send(envelopeAnswer(bulkTooLarge(LISTENER_BULK_LIMIT)));
      return;
    }
    const id = requestId(request);
    if (!this.begin(BULK_ANSWER, undefined, id)) return;
    const onFault = (fault: unknown, line: number): void => this.report(fault, id, line);
    await pipeline(answerLines(route, bytes.take(), onFault), response);
  }

  private send(answer: Answer): void {
    const { request, response } = this;
    const { status, body, fault } = answer;
    const id = requestId(request) ?? (status === 200 ? undefined : crypto.randomUUID());
    if (!this.begin(answer, Buffer.byteLength(body), id)) return;
    if (fault !== undefined) this.report(fault, id);
    response.end(request.method === 'HEAD' ? undefined : body);
  }

  /** Begins an answer, unless another has begun or the client has left. Returns whether it has begun. */
  private begin(answer: Answer, size: number | undefined, id: string | undefined): boolean {
    const { request, response, service } = this;
    if (response.headersSent || response.destroyed) return false;
    setHeaders(response, headersOf(answer, size, service.crossOrigin(request.headers.origin), id));
    response.writeHead(answer.status);
    return true;
  }

  private report(fault: unknown, id: string | undefined, line?: number): void {
    const place = line === undefined ? { id } : { id, line };
    this.log.line('error', 'error', { ...place, ...fieldsOf(fault) });
  }
}

/**
 * Express and Connect remove the path of a mounted listener from `url`, and keep it in `originalUrl`. The target that
 * the client has sent is then a header with its name in HTTP/2, which no client of HTTP/1.1 can send.
 */
function headOf(request: IncomingMessage): RequestHead {
  const { method = '', url = '', headers } = request;
  const original: unknown = Reflect.get(request, 'originalUrl');
  const isMounted = typeof original === 'string' && original !== url;
  return { method, target: url, headers: isMounted ? { ...headers, ':path': original } : headers };
}

/** Whether the program reads the body by itself, or decodes it, so that the bytes of the client cannot be restored. */
function isReadOrDecoded(request: IncomingMessage): boolean {
  const { readableDidRead, readableEnded, readableEncoding } = request;
  const isRead = readableDidRead || readableEnded || request.listenerCount('readable') > 0;
  return isRead || readableEncoding !== null;
}

/**
 * Reads a body to its end, and keeps no more of it once it has more than `limit` bytes. If the client leaves before the
 * end, nobody can receive the answer to its part.
 */
async function readBody(request: IncomingMessage, limit: number): Promise<ByteQueue> {
  const bytes = new ByteQueue(limit);
  // The listeners run in the context of the connection, and whatever awaits the body in that of the program.
  await new Promise<void>((resolve) => {
    request.on('data', (chunk: Buffer) => bytes.add(chunk));
    request.on('end', resolve).on('close', resolve).resume();
  });
  return bytes;
}

/** Sets headers in place of those that the program has set. A name may occur more than once, such as Vary. */
function setHeaders(response: ServerResponse, headers: readonly string[]): void {
  for (let index = 0; index < headers.length; index += 2) response.removeHeader(headers[index]!);
  for (let index = 0; index < headers.length; index += 2) {
    response.appendHeader(headers[index]!, headers[index + 1]!);
  }
}
