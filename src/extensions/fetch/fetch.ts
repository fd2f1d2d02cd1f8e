/** The service as a function from Request to Response (Fetch standard). */
import { failureOf } from '../../contract/failure.ts';
import { answerLines, BULK_ANSWER } from '../../lines/lines.ts';
import { type Answer, errorAnswer, headersOf, envelopeAnswer } from '../../service/answer.ts';
import { ByteQueue, encode } from '../../service/body.ts';
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
    if (routed.kind === 'post' && routed.isStream && !isRead(request)) {
      const onFault = (fault: unknown, line: number): void => console.error(id, line, fault);
      const reader = request.body?.getReader();
      const answers = answerLines(routed, chunksOf(reader), onFault);
      const bulkHeaders = headersOf(BULK_ANSWER, undefined, crossOrigin, id);
      return new Response(streamOf(answers, reader), { headers: pairsOf(bulkHeaders) });
    }
    const answer = await (routed.kind === 'post' ? answerSingle(request, routed) : routed.answer);
    const { status, contentType, body, fault } = answer;
    const answerId = id ?? (status === 200 ? undefined : crypto.randomUUID());
    if (fault !== undefined) console.error(answerId, fault);
    const bytes = typeof body === 'string' ? encode(body) : body;
    const answerHeaders = headersOf(answer, bytes.length, crossOrigin, answerId);
    const isEmpty = contentType === undefined || method === 'HEAD';
    return new Response(isEmpty ? null : bytes, { status, headers: pairsOf(answerHeaders) });
  };
}

function pairsOf(headers: readonly string[]): [string, string][] {
  return headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]!]] : []));
}

/** Whether the program has read the body, or has taken a reader for it. */
function isRead({ bodyUsed, body }: Request): boolean {
  return bodyUsed || body?.locked === true;
}

async function answerSingle(request: Request, { limit, answer }: PostRoute): Promise<Answer> {
  if (isRead(request)) return errorAnswer(new Error(BODY_ALREADY_READ));
  const bytes = new ByteQueue();
  const reader = request.body?.getReader();
  try {
    for await (const chunk of chunksOf(reader)) {
      bytes.add(chunk);
      if (bytes.size <= limit) continue;
      await reader?.cancel();
      break;
    }
  } catch {
    return envelopeAnswer(failureOf('bad_request', 'Expected a complete body'));
  }
  return answer(bytes.takeAll());
}

function streamOf(
  answers: AsyncIterable<Uint8Array>,
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): ReadableStream<Uint8Array> {
  // Workers with an old compatibility date have no constructor of ReadableStream.
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  void writeAll(answers, writable.getWriter(), reader);
  return readable;
}

/** Writes the answers. If the client cancels them, cancels the body, which may have lines that are yet to be sent. */
async function writeAll(
  answers: AsyncIterable<Uint8Array>,
  writer: WritableStreamDefaultWriter<Uint8Array>,
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): Promise<void> {
  writer.closed.catch((reason: unknown) => reader?.cancel(reason)).catch(() => undefined);
  try {
    for await (const part of answers) await writer.write(part);
    await writer.close();
  } catch (reason) {
    await writer.abort(reason).catch(() => undefined);
  }
}

/** The chunks of a body; not every runtime can iterate over a ReadableStream. */
async function* chunksOf(
  reader: ReadableStreamDefaultReader<Uint8Array> | undefined,
): AsyncGenerator<Uint8Array> {
  for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
    yield next.value;
  }
}
