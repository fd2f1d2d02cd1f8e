/** The service on the Request and Response of the Fetch standard. */
import { randomUUID } from 'node:crypto';
import { type Answer, headersOf } from './answer.ts';
import { isRequestId } from './observer.ts';
import type { Awaiting, RequestHead, Service } from './service.ts';

/** Answers one request; it never rejects. */
export type FetchHandler = (request: Request) => Promise<Response>;

/** Makes the function that answers requests; a fault of the service goes to console.error. */
export function createFetchHandler(service: Service): FetchHandler {
  return async (request) => {
    const head: RequestHead = {
      method: request.method,
      target: request.url,
      headers: Object.fromEntries(request.headers),
    };
    const step = service.open(head);
    const answer = await ('limit' in step ? answerTo(request, step, service) : step);
    const headers = new Headers();
    const pairs = headersOf(answer, service.crossOrigin(request.headers.get('origin') ?? undefined));
    for (let index = 0; index < pairs.length; index += 2) headers.append(pairs[index]!, pairs[index + 1]!);
    const given = request.headers.get('x-request-id') ?? '';
    if (isRequestId(given)) headers.set('X-Request-Id', given);
    if (answer.fault !== undefined) {
      const id = isRequestId(given) ? given : randomUUID();
      headers.set('X-Request-Id', id);
      console.error(id, answer.fault);
    }
    const isEmpty = answer.type === undefined || request.method === 'HEAD';
    return new Response(isEmpty ? null : answer.body, { status: answer.status, headers });
  };
}

async function answerTo(request: Request, { limit, answer }: Awaiting, service: Service): Promise<Answer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of request.body ?? []) {
      size += chunk.length;
      if (size > limit) return answer(undefined);
      chunks.push(chunk);
    }
  } catch {
    return service.fail('bad_request', 'Expected a whole body');
  }
  return answer(Buffer.concat(chunks));
}
