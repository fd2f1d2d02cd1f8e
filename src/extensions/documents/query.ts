/** Documents that answer queries: the query string is the request of an operation. */
import { validationFailure } from '../../contract/failure.ts';
import type { Context, Operation } from '../../contract/operation.ts';
import { type Answer, envelopeAnswer } from '../../service/answer.ts';
import type { Resource } from '../../service/service.ts';
import type { DocumentFactory } from './document.ts';

/** Maximum number of parameters in a query string. */
export const MAXIMUM_PARAMETERS = 20;

/** Whether a query string has the fields of a request. The result is then the same as long as the service runs. */
export function isQuery({ method, request }: Operation): boolean {
  return method === 'GET' && Object.keys(request.fields).length > 0;
}

/** The resource of an operation whose request is a query. Only the answer without a query is kept. */
export function queryResource(
  operation: Operation,
  context: Context,
  document: DocumentFactory,
): Resource {
  const answerTo = (request: object): Answer => envelopeAnswer(operation.run(request, context));
  const whole = document(() => answerTo({}));
  return {
    path: operation.path,
    kind: 'get',
    answer(head) {
      const request = queryOf(head.target);
      if (Object.keys(request).length === 0) return whole(head);
      const answer = answerTo(request);
      return answer.status === 200 ? document(() => answer)(head) : answer;
    },
  };
}

/** The parameters of the query string of a target. */
function queryOf(target: string): object {
  const start = target.indexOf('?') + 1;
  const query = start === 0 ? '' : target.slice(start);
  if (query.split('&', MAXIMUM_PARAMETERS + 1).length > MAXIMUM_PARAMETERS) {
    const message = `Expected up to ${MAXIMUM_PARAMETERS} parameters, got more`;
    throw validationFailure([{ field: '', code: 'out_of_range', message }]);
  }
  const parameters = new Map<string, string | []>();
  for (const [name, value] of new URLSearchParams(query)) {
    // Which value of a name that is given twice counts is unclear: the name gets an array, which no field accepts.
    parameters.set(name, parameters.has(name) ? [] : value);
  }
  return Object.fromEntries(parameters);
}
