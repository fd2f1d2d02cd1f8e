/** The calculation of answers in the page. */
import { envelopeOf, Failure, type FailureContent, type Problem } from '../../contract/failure.ts';
import { idMember } from '../../contract/id.ts';
import { parseObject } from '../../contract/json.ts';
import type { Context, Operation } from '../../contract/operation.ts';
import { type Check, parse } from '../../contract/schema.ts';
import { periodAt } from '../../tax/period.ts';

/** An operation of the service, and the check of its result, which gives the result its type. */
export interface Calculation<Result> {
  readonly operation: Operation;
  readonly result: Check<Result>;
}

/** The outcome of a request; `content` is the answer of the service, byte for byte. */
export type Reply<Result> =
  | { readonly kind: 'result'; readonly data: Result; readonly content: string }
  | RefusalReply;

/** A refusal of the request, with the problems of its fields. */
export interface RefusalReply {
  readonly kind: 'refusal';
  readonly problems: readonly Problem[];
  readonly content: string;
}

const context: Context = { currentPeriod, isReady: () => true };

/**
 * The month whose law applies to a request without a month, YYYY-MM: that of TAX_PERIOD, which the
 * service writes into the document, or the current one.
 */
export function currentPeriod(): string {
  const element = globalThis.document?.querySelector<HTMLMetaElement>('meta[name=tax-period]');
  return element?.content || periodAt();
}

/** Calculates the answer to a body in the page, as the service does. */
export function calculate<Result>(
  { operation, result }: Calculation<Result>,
  body: string,
): Reply<Result> {
  let id = '';
  try {
    const request = parseObject(body);
    id = idMember(request);
    const text = operation.run(request, context);
    if (typeof text !== 'string') return refusalOf(text, id);
    const content = envelopeOf(text, id);
    return { kind: 'result', data: parse(result, JSON.parse(text)), content };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return refusalOf(error, id);
  }
}

function refusalOf(failure: FailureContent, id: string): RefusalReply {
  const content = envelopeOf(failure, id);
  return { kind: 'refusal', problems: failure.details ?? [], content };
}
