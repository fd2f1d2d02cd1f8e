/** The service on the Request and Response of the Fetch standard. */
import { randomUUID } from 'node:crypto';
import { type Answer, headersOf, headersOfLines } from './answer.ts';
import { Gathering } from './body.ts';
import { answerLines, emptyTally } from './bulk.ts';
import { BODY_IS_GONE } from './handler.ts';
import { requestId } from './observer.ts';
import type { Awaiting, Service } from './service.ts';

/** Answers one request; it never rejects. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Makes the function that answers requests; a fault of the service goes to console.error. */
export function createFetchHandler(service: Service): FetchHandler {
  return async (request) => {
    const { method, url } = request;
    const headers = Object.fromEntries(request.headers);
    const id = requestId({ headers });
    const further = [...service.crossOrigin(headers['origin'])];
    if (id !== undefined) further.push('X-Request-Id', id);
    const [target = ''] = url.split('#', 1);
    const step = service.open({ method, target, headers });
    if ('limit' in step && step.isBulk && !request.bodyUsed) {
      return new Response(stream(request, step, id), { headers: paired(headersOfLines(further)) });
    }
    const answer = await ('limit' in step ? answerTo(request, step, service) : step);
    if (answer.fault !== undefined) {
      const faultId = id ?? randomUUID();
      if (id === undefined) further.push('X-Request-Id', faultId);
      console.error(faultId, answer.fault);
    }
    const { status, type, body } = answer;
    const isEmpty = type === undefined || method === 'HEAD';
    return new Response(isEmpty ? null : body, { status, headers: paired(headersOf(answer, further)) });
  };
}

function paired(headers: readonly string[]): [string, string][] {
  return headers.flatMap((name, index) => (index % 2 === 0 ? [[name, headers[index + 1]!]] : []));
}

async function answerTo(request: Request, { limit, answer }: Awaiting, service: Service): Promise<Answer> {
  if (request.bodyUsed) return { ...service.fail('internal_error'), fault: new Error(BODY_IS_GONE) };
  const body = new Gathering(limit);
  try {
    for await (const chunk of request.body ?? []) if (!body.add(Buffer.from(chunk))) break;
  } catch {
    return service.fail('bad_request', 'Expected a whole body');
  }
  return answer(body.take());
}

function stream(request: Request, { limit, answer }: Awaiting, id: string | undefined): ReadableStream<Uint8Array> {
  const tally = emptyTally();
  const onFault = (fault: unknown, line: number): void => console.error(id, line, fault);
  const reader = request.body?.getReader();
  const answers = answerLines(reader === undefined ? [] : chunksFrom(reader), limit, answer, tally, onFault);
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await answers.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    // Not answers.return(): that would wait for the line that the client has yet to send.
    cancel: (reason) => reader?.cancel(reason),
  });
}

async function* chunksFrom(reader: ReadableStreamDefaultReader<Uint8Array>): AsyncGenerator<Uint8Array> {
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}
