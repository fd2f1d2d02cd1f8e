/**
 * Finds the assumptions under which a salary has the figures of another source. The figures match if
 * each is
 *
 * 1. the calculated one, to the đồng; or
 * 2. at most one đồng from it per contribution that is rounded, because a source may round them
 *    otherwise, or together; or,
 * 3. if all figures of the source are whole thousands, the calculated one rounded to thousands.
 *
 * The search tries no change and each change alone, then two likely changes, and then, if the
 * source states the insurance, which determines the insured salary, two besides that salary. It
 * ends with the first of these steps that finds a match, and returns the matches of the closest
 * kind. Two changes lead to so many figures that some agree with a rounded one by chance, so that
 * the third kind needs one change or none.
 */
import { bisect } from '../../contract/bisection.ts';
import { insuranceBaseOf } from '../../tax/assessment.ts';
import { CAP_MULTIPLE, type Insurance, type Law } from '../../tax/law.ts';
import { alternativesTo, type Assumptions, type Field, type Row } from './alternatives.ts';
import {
  contributionsUnder,
  duesLimitOf,
  grossUnder,
  insuredSalaryOf,
  type Outcome,
  outcomeOf,
  taxUnder,
} from './calculation.ts';
import { lawUnder } from './months.ts';

/** The figures of a source, whole đồng. */
export interface Figures {
  readonly net_income: number;
  readonly tax?: number | undefined;
  readonly insurance?: number | undefined;
}

/** Changes with which the calculation has the figures of a source. */
export interface Match {
  readonly outcome: Outcome;
  readonly changes: readonly Field[];
  readonly assumptions: Assumptions;
  readonly law: Law;
  /** The values of `period` that lead to these figures, the latest first. */
  readonly periods: string[];
}

const FIGURES = ['net_income', 'tax', 'insurance'] as const;
const INSURANCES: readonly Insurance[] = ['bhxh', 'bhyt', 'bhtn'];
const THOUSAND = 1000;
/** The least distance of two changes. */
const DISTANCE_OF_TWO = 6;
const UNITS = [1e6, 1e5, 1e4, 1e3, 100, 10, 1];

/**
 * The smallest sets of changes with which the calculation has the figures of a source. `law` is that
 * of the own assumptions, with the contributions of the employer.
 */
export function findMatches(own: Assumptions, law: Law, source: Figures): readonly Match[] {
  const { likely, unlikely } = alternativesTo(own, source.insurance !== undefined);
  const search = new Search(own, law, source);
  search.trySets(0, []);
  if (search.leastDistance > 0) search.trySets(1, [...likely, ...unlikely]);
  if (search.leastDistance >= DISTANCE_OF_TWO) search.trySets(2, likely);
  const matches = [...search.matches.values()];
  // A stated insurance fits some salary nearly always, so that this is the least likely reason.
  const isFitted = ({ changes }: Match): number =>
    Number(source.insurance !== undefined && changes.includes('insurance_salary'));
  return matches.sort((left, right) => isFitted(left) - isFitted(right));
}

/** A search through sets of changes, which it makes and undoes in one object. */
class Search {
  /** The matches of the least distance, by their fields and figures. */
  readonly matches = new Map<string, Match>();
  leastDistance = Infinity;
  readonly #source: Figures;
  readonly #isInThousands: boolean;
  readonly #trial: Assumptions;
  readonly #changes: Field[] = [];
  #law: Law;
  #stated = Number.NaN;

  constructor(own: Assumptions, law: Law, source: Figures) {
    this.#source = source;
    this.#isInThousands = FIGURES.every((name) => (source[name] ?? 0) % THOUSAND === 0);
    this.#trial = { ...own };
    this.#law = law;
  }

  /** Tries each set of `count` alternatives of different fields. */
  trySets(count: number, rows: readonly Row[], from = 0): void {
    if (count === 0) {
      this.#try();
      return;
    }
    for (let at = from; at < rows.length; at += 1) {
      const { field, values, selectsLaw } = rows[at]!;
      const { [field]: before } = this.#trial;
      const law = this.#law;
      this.#changes.push(field);
      for (const value of values) {
        this.#set(field, value);
        if (selectsLaw) this.#law = lawUnder(this.#trial);
        this.trySets(count - 1, rows, at + 1);
      }
      this.#changes.pop();
      this.#law = law;
      this.#set(field, before);
    }
  }

  /** Each value is one of those of its field. */
  #set(field: Field, value: unknown): void {
    (this.#trial as Record<Field, unknown>)[field] = value;
  }

  /** Tries the present changes, and with them the salary of a stated insurance that differs. */
  #try(): void {
    const trial = this.#trial;
    const { insurance: stated } = this.#source;
    const gross = grossUnder(trial, this.#law);
    const insured = insuredSalaryOf(trial, this.#law, gross);
    const insurance = contributionsUnder(trial, this.#law, insured);
    const difference = stated === undefined ? 0 : Math.abs(insurance - stated);
    const tolerance = this.#tolerance;
    if (difference <= tolerance && this.#mayMatch(gross, insurance, tolerance)) {
      this.#compare();
    }
    if (stated === undefined || difference <= INSURANCES.length) return;
    // From a net income or a budget, the insured salary determines the gross income.
    const isFixed = trial.type === 'gross';
    const isAlone = this.#changes.length === 0;
    if (!isFixed || this.#mayMatch(gross, stated, isAlone ? tolerance : 0)) {
      this.#compareInsured(stated);
    }
  }

  /** The greatest difference of figures that match. */
  get #tolerance(): number {
    return this.#isInThousands && this.#changes.length < 2 ? THOUSAND / 2 : INSURANCES.length;
  }

  /** Whether the net income may be that of the source, which few trials pass. */
  #mayMatch(gross: number, insurance: number, tolerance: number): boolean {
    const trial = this.#trial;
    const tax =
      trial.net_income === 'before_tax' ? 0 : taxUnder(trial, this.#law, gross, insurance);
    const excess = gross - insurance - tax - this.#source.net_income;
    const dues = trial.union_dues === 0 ? 0 : duesLimitOf(this.#law);
    return excess >= -tolerance && excess <= dues + tolerance;
  }

  /** Compares with the salary for which the contributions are the stated insurance. */
  #compareInsured(insurance: number): void {
    const cap = CAP_MULTIPLE * this.#law.baseSalary.value;
    const totalOn = (salary: number): number => contributionsUnder(this.#trial, this.#law, salary);
    const most = Math.max(this.#trial.income, this.#law.minimumWage.value);
    const isRight = (salary: number): boolean => salary <= most && totalOn(salary) === insurance;
    // Most laws have the same rates, and so the same salary.
    if (!isRight(this.#stated)) {
      this.#stated = salariesInsuredFor(insurance, totalOn, cap).find(isRight) ?? Number.NaN;
    }
    if (Number.isNaN(this.#stated)) return;
    const { insurance_salary } = this.#trial;
    this.#changes.push('insurance_salary');
    this.#set('insurance_salary', this.#stated);
    this.#compare();
    this.#set('insurance_salary', insurance_salary);
    this.#changes.pop();
  }

  /** Keeps the calculation of the trial if its figures match, and none matches more closely. */
  #compare(): void {
    const trial = this.#trial;
    const law = this.#law;
    const outcome = outcomeOf(trial, law);
    if (outcome === undefined) return;
    const match = { outcome, changes: this.#changes, assumptions: trial, law, periods: [] };
    const distance = distanceOf(match, this.#source);
    if (distance === Infinity || distance > this.leastDistance) return;
    if (distance < this.leastDistance) this.matches.clear();
    this.leastDistance = distance;
    this.#add(match);
  }

  /**
   * Of the values of the same fields that lead to the same figures, the likeliest are kept. The law of another month
   * of payment is no further reason beside that of another month.
   */
  #add(match: Match): void {
    const { changes, assumptions, outcome } = match;
    const reasons = changes.map((field) => (field === 'paid_in' ? 'period' : field));
    const key = [...reasons, ...FIGURES.map((name) => outcome[name])].join();
    let known = this.matches.get(key);
    if (known === undefined) {
      known = { ...match, changes: [...changes], assumptions: { ...assumptions } };
      this.matches.set(key, known);
    }
    if (changes.includes('period')) known.periods.push(assumptions.period);
  }
}

/**
 * The distance of a match: by its kind in the rule above, and then its number of changes, if they
 * are at most one; more changes are farther. Infinity if a figure does not match.
 */
function distanceOf(match: Match, source: Figures): number {
  const count = match.changes.length;
  const pairs = FIGURES.flatMap((name) => {
    const { [name]: stated } = source;
    return stated === undefined ? [] : [[stated, match.outcome[name]] as const];
  });
  const difference = Math.max(...pairs.map(([stated, own]) => Math.abs(stated - own)));
  const isRounded = pairs.every(
    ([stated, own]) => Math.round(own / THOUSAND) * THOUSAND === stated,
  );
  // A stated insurance shows how the contributions have been rounded.
  const roundings = match.outcome.insurance === source.insurance ? 0 : roundingsIn(match);
  const kind = difference === 0 ? 0 : difference <= roundings ? 1 : 2;
  if (kind === 2 && !(isRounded && count < 2)) return Infinity;
  return count < 2 ? 2 * kind + count : 2 * (count + 1) + kind;
}

/** The number of contributions that are rounded. */
function roundingsIn({ assumptions, outcome, law }: Match): number {
  const base = insuranceBaseOf(0, { ...assumptions, insurance_salary: outcome.insured }, law);
  const rounded = INSURANCES.filter((name) => {
    const thousandths = base[name] * Math.round(law.employeeRates[name].value * 10);
    return thousandths % THOUSAND !== 0;
  });
  return rounded.length;
}

/**
 * The salaries on which the contributions may have a total, the roundest first. The total rises
 * evenly, except for its roundings, up to the cap of `bhxh` and `bhyt`, and above it.
 */
function salariesInsuredFor(
  total: number,
  totalOn: (salary: number) => number,
  cap: number,
): readonly number[] {
  const start = totalOn(cap) < total ? cap : 0;
  const rise = (totalOn(start + THOUSAND) - totalOn(start)) / THOUSAND;
  const near = start + (total - totalOn(start)) / rise;
  // Three roundings change the total by less than 2 đồng.
  const [low, high] = [Math.floor(near - 2 / rise), Math.ceil(near + 2 / rise)];
  const least = bisect(low, high, (salary) => totalOn(salary) >= total);
  return UNITS.map((unit) => Math.ceil(least / unit) * unit);
}
