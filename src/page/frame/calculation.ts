/** The calculation of answers in the page. */
import { Failure, type Problem } from '../../contract/failure.ts';
import { periodAt } from '../../tax/period.ts';

/** A request as an object, whose members the calculation checks. */
export type Request = Readonly<Record<string, unknown>>;

/** The path of an operation of the service, and its calculation. */
export interface Calculation<Result> {
  readonly path: string;
  readonly calculate: (request: never) => Result;
}

/** The outcome of a request: its result, or the problems for which it is refused. */
export interface Reply<Result> {
  readonly data?: Result;
  readonly problems: readonly Problem[];
}

/**
 * The month whose law applies to a request without a month, YYYY-MM: that of TAX_PERIOD, which the service writes into
 * the document, or the current one.
 */
export function currentPeriod(): string {
  const element = globalThis.document?.querySelector<HTMLMetaElement>('meta[name=tax-period]');
  return element?.content || periodAt();
}

/** The outcome of a request, which the page calculates as the service does. */
export function replyTo<Result>(
  { calculate }: Pick<Calculation<Result>, 'calculate'>,
  request: Request,
): Reply<Result> {
  try {
    return { data: calculate(request as never), problems: [] };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { problems: error.details ?? [] };
  }
}
