/** The scheduler of requests: the core begins their work at once, and an extension may delay or refuse it. */

/** The work of one request; if `isLate` is true, it has waited too long and should be refused. */
export type Work = (isLate: boolean) => void;

/** Decides when the work of a request begins. */
export interface Scheduler {
  /** Whether requests with large bodies should be refused, because others have waited for too long. */
  readonly isOverloaded: boolean;
  /** Adds the work of a request. */
  readonly add: (work: Work) => void;
}

/** Begins all work at once. */
export const AT_ONCE: Scheduler = {
  isOverloaded: false,
  add: (work) => work(false),
};
