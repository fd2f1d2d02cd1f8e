/** The scheduler of requests: the core begins their work at once, and an extension may delay or refuse it. */

/** The work of one request. `isLate`: the request has waited too long, and the work is to refuse it. */
export type Work = (isLate: boolean) => void;

/** Decides when the work of a request begins. */
export interface Scheduler {
  /** Adds the work of a request. */
  readonly add: (work: Work) => void;
}

/** Begins all work at once. */
export const AT_ONCE: Scheduler = {
  add: (work) => work(false),
};
