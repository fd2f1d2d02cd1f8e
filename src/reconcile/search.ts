/**
 * Finds the assumptions under which a salary has the figures of another source. The figures match if
 * each is
 *
 * 1. the calculated one, to the đồng; or
 * 2. at most one đồng from it per contribution that is rounded, because a source may round them
 *    otherwise, or together; or,
 * 3. if all figures of the source are whole thousands, the calculated one rounded to thousands.
 *
 * The search tries no change, each change alone and the pairs, then two likely ones, and besides the
 * likely ones the salary that a stated insurance stands for. It ends with the first of these steps that
 * finds a match, and keeps the matches of the closest kind. Two changes lead to so many figures that
 * some agree with a rounded one by chance, so that the third kind needs one change or none.
 */
import { bisect } from '../contract/bisection.ts';
import { contributionsOn, insuranceBaseOf, percentageOf, taxAfter } from '../tax/assessment.ts';
import { CAP_MULTIPLE, type Insurance, type Law } from '../tax/law.ts';
import { grossOf } from '../tax/tax.ts';
import { type Assumptions, LIKELY, PAIRS, tryChanges, UNLIKELY } from './alternatives.ts';
import { lawOfMonth } from './laws.ts';

/** The figures of a source, whole đồng. */
export interface SourceFigures {
  readonly net_income: number;
  readonly tax?: number | undefined;
  readonly insurance?: number | undefined;
}

/** The calculation under assumptions. */
export type Outcome = ReturnType<typeof outcomeOf>;

/** Assumptions under which the calculation has the figures of a source. */
export interface Match extends Outcome {
  readonly assumptions: Assumptions;
  /** The first month of the earliest law with the same values and figures. */
  since: string;
}

const FIGURES = ['net_income', 'tax', 'insurance'] as const;
const INSURANCES: readonly Insurance[] = ['bhxh', 'bhyt', 'bhtn'];
const THOUSAND = 1000;
const TOLERANCE = THOUSAND / 2;
/** The least distance of two changes. */
const DISTANCE_OF_TWO = 6;
const UNITS = [1e6, 1e5, 1e4, 1e3, 100, 10, 1];
/**
 * The most that a member of the union pays, in percent of the base salary: Decision 61/QĐ-TLĐ, from
 * 2025-07; before, Decision 1908/QĐ-TLĐ of 2016 art. 23.
 */
const UNION_DUES_LIMIT = 10;

/** The smallest sets of changes with which the calculation has the figures of a source. */
export function findMatches(own: Assumptions, source: SourceFigures): readonly Match[] {
  const trial = { ...own };
  const matches = new Map<string, Match>();
  let least = Infinity;
  const compare = (): void => {
    const outcome = outcomeOf(trial);
    const distance = distanceOf(outcome, trial, source);
    if (distance === Infinity || distance > least) return;
    if (distance < least) matches.clear();
    least = distance;
    keep(matches, outcome, trial);
  };
  const attempt = (): void => attemptOne(trial, source, compare);
  // A stated insurance determines the insured salary instead.
  const isStated = source.insurance !== undefined;
  const likely = LIKELY.filter(([field]) => !isStated || field !== 'insurance_salary');
  attempt();
  tryChanges(trial, likely, 1, attempt);
  tryChanges(trial, UNLIKELY, 1, compare);
  for (const pair of PAIRS) tryChanges(trial, pair, 2, compare);
  if (least >= DISTANCE_OF_TWO) tryChanges(trial, likely, 2, attempt);
  // Some salary fits it nearly always, so that this is the least likely reason.
  const isFitted = ({ assumptions: { changes } }: Match): number =>
    Number(isStated && changes.includes('insurance_salary'));
  return [...matches.values()].sort((left, right) => isFitted(left) - isFitted(right));
}

/** Compares a trial, and the trial with the salary of a stated insurance that differs. */
function attemptOne(trial: Assumptions, source: SourceFigures, compare: () => void): void {
  const { income, law } = trial;
  const { total } = contributionsOn(insuranceBaseOf(income, trial, law), law.employeeRates);
  const { net_income, insurance = total } = source;
  const difference = Math.abs(total - insurance);
  if (difference <= TOLERANCE && mayLeave(net_income, total, trial)) compare();
  if (difference <= INSURANCES.length || !mayLeave(net_income, insurance, trial)) return;
  tryChanges(trial, [['insurance_salary', salariesFor(insurance, trial)]], 1, compare);
}

/** Whether contributions may leave about a net income, which few trials pass. */
function mayLeave(net_income: number, contributions: number, trial: Assumptions): boolean {
  const { income, law, union_dues } = trial;
  const excess =
    income - contributions - taxAfter(contributions, income, trial, law).tax - net_income;
  return excess >= -TOLERANCE && excess <= TOLERANCE + (union_dues && duesLimitOf(law));
}

/** Keeps the first of the matches with the same fields and figures, which is the likeliest. */
function keep(matches: Map<string, Match>, outcome: Outcome, trial: Assumptions): void {
  const { period } = trial;
  const changes = [...trial.changes];
  const key = [...changes, ...FIGURES.map((name) => outcome[name])].join();
  const known = matches.get(key);
  if (known === undefined) {
    matches.set(key, { ...outcome, assumptions: { ...trial, changes }, since: period });
  } else if (lawOfMonth(period) === lawOfMonth(known.since) + 1 && isAlike(trial, known)) {
    known.since = period;
  }
}

/** Whether a trial has the values of a match, except for the law. */
function isAlike(trial: Assumptions, { assumptions }: Match): boolean {
  return trial.changes.every((field) => field === 'period' || trial[field] === assumptions[field]);
}

/** The calculation under assumptions. */
export function outcomeOf(trial: Assumptions) {
  const { law } = trial;
  const gross = grossOf(trial, law);
  const base = insuranceBaseOf(gross, trial, law);
  const contributions = contributionsOn(base, law.employeeRates);
  const insurance = contributions.total;
  const { tax, deductions } = taxAfter(insurance, gross, trial, law);
  const dues = trial.union_dues && percentageOf(base.bhxh, trial.union_dues);
  const union_dues = dues && Math.min(dues, duesLimitOf(law));
  const isTaxed = trial.net_income === 'after_tax';
  const net_income = gross - insurance - (isTaxed ? tax : 0) - union_dues;
  return { net_income, tax, insurance, gross, base, contributions, deductions, union_dues };
}

/** The greatest union dues. */
function duesLimitOf({ baseSalary }: Law): number {
  return percentageOf(baseSalary.value, UNION_DUES_LIMIT);
}

/**
 * The distance of a match: by its kind in the rule above, and then its number of changes, if they
 * are at most one; more changes are farther. Infinity if a figure does not match, or if a request
 * with the assumptions would be refused.
 */
function distanceOf(outcome: Outcome, trial: Assumptions, source: SourceFigures): number {
  // Nearly all are rejected here.
  if (Math.abs(outcome.net_income - source.net_income) > TOLERANCE) return Infinity;
  const { gross, tax, insurance } = outcome;
  const { exempt_income = 0, changes } = trial;
  if (exempt_income > gross || insurance + tax > gross) return Infinity;
  const isFew = changes.length < 2;
  const distance = isFew ? changes.length : (DISTANCE_OF_TWO / 2) * changes.length;
  const stated = FIGURES.filter((name) => source[name] !== undefined);
  const difference = Math.max(...stated.map((name) => Math.abs(outcome[name] - source[name]!)));
  if (difference === 0) return distance;
  // A stated insurance shows how the contributions have been rounded.
  const isOdd = insurance !== source.insurance;
  if (isOdd && difference <= roundingsIn(outcome, trial.law)) return distance + 2;
  const isRounded = stated.every(
    (name) => Math.round(outcome[name] / THOUSAND) * THOUSAND === source[name],
  );
  return isRounded && isFew ? distance + 4 : Infinity;
}

/** The number of contributions that are rounded. */
function roundingsIn({ base, contributions }: Outcome, { employeeRates }: Law): number {
  const rounded = INSURANCES.filter(
    (name) => (base[name] * employeeRates[name].value) / 100 !== contributions[name],
  );
  return rounded.length;
}

/**
 * The roundest insured salary on which the contributions have a total, if it is at most the income or
 * the minimum wage. The total rises evenly, except for its roundings, up to the cap of `bhxh` and
 * `bhyt`, and above it.
 */
function salariesFor(total: number, trial: Assumptions): readonly number[] {
  const { law, income } = trial;
  const totalOn = (insurance_salary: number): number =>
    contributionsOn(insuranceBaseOf(income, { ...trial, insurance_salary }, law), law.employeeRates)
      .total;
  const most = Math.max(income, law.minimumWage.value);
  const cap = CAP_MULTIPLE * law.baseSalary.value;
  const start = totalOn(cap) < total ? cap : 0;
  const rise = (totalOn(start + THOUSAND) - totalOn(start)) / THOUSAND;
  // Three roundings change the total by less than 2 đồng.
  const near = (difference: number): number =>
    Math.floor(start + (total - totalOn(start) + difference) / rise);
  const least = bisect(near(-2), near(2) + 1, (salary) => totalOn(salary) >= total);
  return UNITS.map((unit) => Math.ceil(least / unit) * unit)
    .filter((salary) => salary <= most && totalOn(salary) === total)
    .slice(0, 1);
}
