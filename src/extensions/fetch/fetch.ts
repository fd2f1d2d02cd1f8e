/** The service as a function from Request to Response (Fetch standard). */
import { failureOf } from '../../contract/failure.ts';
import { answerLines, BULK_ANSWER } from '../../lines/lines.ts';
import {
  type Answer,
  type CrossOrigin,
  errorAnswer,
  headersOf,
  envelopeAnswer,
} from '../../service/answer.ts';
import { BULK_LIMIT, bulkTooLarge, ByteQueue, encode } from '../../service/body.ts';
import { BODY_ALREADY_READ, requestId } from '../../service/request.ts';
import type { PostRoute, Service } from '../../service/service.ts';

/** Answers one request; it never rejects. */
export type FetchHandler = (request: Request) => Promise<Response>;

/**
 * Creates a handler of Fetch requests below a base path, which reports faults of the service with console.error. No
 * other path has a resource.
 */
export function fetchHandlerOf(service: Service, basePath = ''): FetchHandler {
  return async (request) => {
    const { method, url } = request;
    const headers = Object.fromEntries(request.headers);
    const id = requestId({ headers });
    const crossOrigin = service.crossOrigin(headers['origin']);
    const { pathname, search } = new URL(url);
    const isBelow = pathname.startsWith(`${basePath}/`);
    const target = isBelow ? pathname.slice(basePath.length) + search : '';
    const routed = service.route({ method, target, headers });
    const send = (answer: Answer): Response => responseTo(answer, method, crossOrigin, id);
    if (routed.kind === 'answer') return send(routed.answer);
    const read = await bodyOf(request, routed);
    if (!(read instanceof ByteQueue)) return send(read);
    if (!routed.isBulk) return send(routed.answer(read.takeAll()));
    const onFault = (fault: unknown, line: number): void => console.error(id, line, fault);
    const answers = answerLines(routed, read.take(), onFault);
    const bulkHeaders = headersOf(BULK_ANSWER, undefined, crossOrigin, id);
    return new Response(streamOf(answers), { headers: pairsOf(bulkHeaders) });
  };
}

function responseTo(
  answer: Answer,
  method: string,
  crossOrigin: CrossOrigin | undefined,
  id: string | undefined,
): Response {
  const { status, contentType, body, fault } = answer;
  const answerId = id ?? (status === 200 ? undefined : crypto.randomUUID());
  if (fault !== undefined) console.error(answerId, fault);
  const bytes = typeof body === 'string' ? encode(body) : body;
  const headers = headersOf(answer, bytes.length, crossOrigin, answerId);
  const isEmpty = contentType === undefined || method === 'HEAD';
  return new Response(isEmpty ? null : bytes, { status, headers: pairsOf(headers) });
}

function pairsOf(headers: readonly string[]): [string, string][] {
  return headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]!]] : []));
}

/** Whether the program has read the body, or has taken a reader for it. */
function isRead({ bodyUsed, body }: Request): boolean {
  return bodyUsed || body?.locked === true;
}

/** The body of a request, or the answer if it cannot be read. Of a single body over its limit, returns a part. */
async function bodyOf(
  request: Request,
  { limit: singleLimit, isBulk }: PostRoute,
): Promise<ByteQueue | Answer> {
  if (isRead(request)) return errorAnswer(new Error(BODY_ALREADY_READ));
  const limit = isBulk ? BULK_LIMIT : singleLimit;
  const bytes = new ByteQueue();
  const reader = request.body?.getReader();
  try {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      bytes.add(next.value);
      if (bytes.size <= limit) continue;
      await reader?.cancel();
      return isBulk ? envelopeAnswer(bulkTooLarge(limit)) : bytes;
    }
  } catch {
    return envelopeAnswer(failureOf('bad_request', 'Expected a complete body'));
  }
  return bytes;
}

/** A stream of the answers, which are calculated as the client takes them. */
function streamOf(answers: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await answers.next();
      if (done === true) controller.close();
      else controller.enqueue(value);
    },
    async cancel() {
      await answers.return(undefined);
    },
  });
}
