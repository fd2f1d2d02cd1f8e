/**
 * Finds the assumptions under which a salary has the figures of another source. Each figure matches
 * by itself: it is
 *
 * 1. exactly the calculated one; or
 * 2. at most one đồng per contribution above or below it, if the insured salary is not a whole
 *    thousand, because a source may round each contribution differently, or round their sum; or
 * 3. the calculated one rounded to thousands.
 *
 * With a stated tax and insurance that match, the rest of a net income that does not is an amount
 * outside of both.
 *
 * The search tries no change and each alternative alone, the likely ones also with union dues and
 * with the insured salary that a stated insurance implies; then two likely ones, unless a match is
 * likelier than theirs. It keeps the matches of the first rank. If there is none, it tries the exempt
 * income that the stated tax implies.
 */
import { bisect } from '../contract/bisection.ts';
import { contributionsOn, insuranceBaseOf, percentageOf, taxAfter } from '../tax/assessment.ts';
import type { Insurances } from '../tax/contract.ts';
import { CAP_MULTIPLE, type Law } from '../tax/law.ts';
import { grossOf } from '../tax/tax.ts';
import {
  type AlternativeRow,
  type Assumption,
  type Assumptions,
  assume,
  differing,
  likelyAlternatives,
  unlikelyAlternatives,
} from './alternatives.ts';
import { lawOfMonth } from './laws.ts';

/** The figures of a source, whole đồng. */
export interface SourceFigures {
  readonly net_income: number;
  readonly tax?: number | undefined;
  readonly insurance?: number | undefined;
}

/** The calculation under assumptions. */
export type Trial = ReturnType<typeof trialOf>;

/** Assumptions under which the calculation has the figures of a source. */
export interface Match extends Trial {
  readonly changes: readonly Assumption[];
  /** The first month of the earliest law with the same values and figures. */
  since: string;
}

/** The numbers of changes, and how the figures match, the likeliest first. */
export const RANKS = [
  '0 exact',
  '1 exact',
  '0 rounded',
  '1 rounded',
  '0 outside',
  '2 exact',
  '2 rounded',
  '1 outside',
  '3 exact',
  '3 rounded',
];
/** No pair has a likelier match. */
const BEST_OF_PAIRS = RANKS.indexOf('2 exact');
const [EXACT, NEAR, THOUSANDS, NONE] = [0, 1, 2, 3] as const;
const CONTRIBUTIONS = 3;
const THOUSAND = 1000;
/** Union dues in percent of the salary on which `bhxh` is paid, the likeliest first. */
const UNION_DUES = [0.5, 1];
/**
 * The most that a member of the union pays, in percent of the base salary: Decision 61/QĐ-TLĐ, from
 * 2025-07; before, Decision 1908/QĐ-TLĐ of 2016 art. 23.
 */
const UNION_DUES_LIMIT = 10;

/**
 * Finds the smallest sets of changes with which the calculation has the figures of a source, the
 * likeliest first. The steps are few, because each costs time.
 */
export function findMatches(
  own: Assumptions,
  source: SourceFigures,
): Generator<void, readonly Match[]> {
  return new Search(own, source).run();
}

class Search {
  private readonly matches = new Map<string, Match>();
  private readonly own: Assumptions;
  private readonly source: SourceFigures;
  private rank = RANKS.length;

  constructor(own: Assumptions, source: SourceFigures) {
    this.own = own;
    this.source = source;
  }

  *run(): Generator<void, readonly Match[]> {
    const { own, source } = this;
    const likely = likelyAlternatives(own, source.insurance !== undefined);
    const few = [own, ...likely.flat().map((one) => assume(own, one))];
    for (const assumptions of few) this.attempt(assumptions);
    yield;
    for (const one of unlikelyAlternatives(own)) this.compare(trialOf(assume(own, one)));
    yield;
    for (const assumptions of few) this.attemptImplied(assumptions);
    if (this.rank >= BEST_OF_PAIRS) {
      for (const [at, row] of likely.entries()) yield this.attemptPairs(row, likely.slice(0, at));
    }
    yield;
    if (this.matches.size === 0) this.attemptExempt();
    return [...this.matches.values()];
  }

  /** The later alternatives select the law on which the earlier ones depend. */
  private attemptPairs(row: AlternativeRow, earlier: readonly AlternativeRow[]): void {
    for (const base of row.map((one) => assume(this.own, one))) {
      for (const assumptions of earlier.flat().map((one) => assume(base, one))) {
        this.attempt(assumptions);
        this.attemptImplied(assumptions);
      }
    }
  }

  private attemptImplied(assumptions: Assumptions): void {
    for (const implied of this.impliedBy(assumptions)) this.attempt(implied);
  }

  /** A stated tax implies the exempt income, unless the request states it. */
  private attemptExempt(): void {
    const { own, source } = this;
    if (!source.tax || own.exempt_income !== undefined) return;
    for (const assumptions of [own, ...this.impliedBy(own)]) {
      this.attempt(withImpliedExempt(assumptions, source.tax));
    }
  }

  /** A stated insurance implies the insured salary, unless the request states it. */
  private impliedBy(assumptions: Assumptions): readonly Assumptions[] {
    const { insurance, tax: stated, net_income } = this.source;
    if (insurance === undefined || this.own.insurance_salary !== undefined) return [];
    const { income, law, count } = assumptions;
    const { tax } = taxAfter(insurance, income, assumptions, law);
    const isTaxEqual = gapOf(tax, stated) === EXACT;
    const mayMatch = isTaxEqual && gapOf(income - insurance - tax, net_income) < NONE;
    // The tax is known before the salary. Without other changes, an amount may be outside.
    if (count > 0 && !mayMatch) return [];
    return salariesFor(insurance, assumptions).map((insurance_salary) =>
      assume(assumptions, { insurance_salary }),
    );
  }

  /** Compares the figures under assumptions, and with at most one change also those with union dues. */
  private attempt(assumptions: Assumptions): void {
    const { net_income, insurance } = this.source;
    const trial = trialOf(assumptions);
    this.compare(trial);
    const excess = trial.net_income - net_income;
    if (assumptions.count > 1 || excess < THOUSAND) return;
    if (excess > THOUSAND + duesLimitOf(assumptions.law)) return;
    for (const rate of UNION_DUES) {
      const beside = withDues(trial, rate);
      this.compare(beside);
      if (insurance === undefined) continue;
      for (const inside of withDuesInside(beside)) this.compare(inside);
    }
  }

  /** Keeps a trial whose figures match, unless others match better. */
  private compare(trial: Trial): void {
    const { gross, insurance, tax, assumptions } = trial;
    // The tax operation refuses these.
    if ((assumptions.exempt_income ?? 0) > gross || insurance + tax > gross) return;
    const kind = this.kindOf(trial);
    if (kind === 'none') return;
    const rank = RANKS.indexOf(`${assumptions.count} ${kind}`);
    if (rank < 0 || rank > this.rank) return;
    if (rank < this.rank) this.matches.clear();
    this.rank = rank;
    this.add(kind === 'outside' ? withOutside(trial, this.source) : trial);
  }

  /** How the figures of a trial match. */
  private kindOf(trial: Trial): 'exact' | 'rounded' | 'outside' | 'none' {
    const { net_income, tax, insurance } = this.source;
    // An exact insurance shows how the contributions have been rounded.
    const near = isWhole(trial.base) || insurance === trial.insurance ? 0 : CONTRIBUTIONS;
    const charges = Math.max(gapOf(trial.tax, tax, near), gapOf(trial.insurance, insurance, near));
    const worst = Math.max(charges, gapOf(trial.net_income, net_income, near));
    if (worst === EXACT) return 'exact';
    const areKnown = tax !== undefined && insurance !== undefined && charges <= NEAR;
    // Two changes lead to so many figures that some agree with a rounded one by chance.
    if (worst <= (areKnown || trial.assumptions.count < 2 ? THOUSANDS : NEAR)) return 'rounded';
    return areKnown && trial.union_dues === 0 ? 'outside' : 'none';
  }

  /** Adds the first of the matches with the same fields and figures, which is the likeliest. */
  private add(trial: Trial): void {
    const { assumptions, net_income, tax, insurance } = trial;
    const changes = differing(assumptions, this.own);
    const key = [...changes, net_income, tax, insurance].join();
    const known = this.matches.get(key);
    if (known === undefined) {
      this.matches.set(key, { ...trial, changes, since: assumptions.period });
    } else if (isOfLawBefore(assumptions, known)) {
      known.since = assumptions.period;
    }
  }
}

/** Whether assumptions are those of a match, but for the law, which comes directly before its laws. */
function isOfLawBefore(earlier: Assumptions, { assumptions, since }: Match): boolean {
  return (
    lawOfMonth(earlier.period) === lawOfMonth(since) + 1
    && differing(earlier, assumptions).join() === 'period'
  );
}

/** The calculation under assumptions, without union dues. */
export function trialOf(assumptions: Assumptions) {
  const { law } = assumptions;
  const gross = grossOf(assumptions, law);
  const base = insuranceBaseOf(gross, assumptions, law);
  const insurance = contributionsOn(base, law.employeeRates).total;
  const { tax, deductions } = taxAfter(insurance, gross, assumptions, law);
  const net_income = gross - insurance - (assumptions.net_income === 'after_tax' ? tax : 0);
  return { assumptions, net_income, tax, insurance, gross, base, deductions, union_dues: 0 };
}

/** The greatest union dues. */
function duesLimitOf({ baseSalary }: Law): number {
  return percentageOf(baseSalary.value, UNION_DUES_LIMIT);
}

/** The trial with union dues, which are subtracted besides the insurance. */
function withDues(trial: Trial, rate: number): Trial {
  const assumptions = assume(trial.assumptions, { union_dues: rate });
  const dues = percentageOf(trial.base.bhxh, rate);
  const union_dues = Math.min(dues, duesLimitOf(assumptions.law));
  return { ...trial, assumptions, union_dues, net_income: trial.net_income - union_dues };
}

/** The trials with union dues in the insurance, taxed or deducted from the taxable income. */
function withDuesInside(trial: Trial): readonly Trial[] {
  const { assumptions, gross, net_income } = trial;
  const insurance = trial.insurance + trial.union_dues;
  const { tax } = taxAfter(insurance, gross, assumptions, assumptions.law);
  return [
    { ...trial, insurance },
    { ...trial, insurance, tax, net_income: net_income + trial.tax - tax },
  ];
}

/** The trial with the net income of the source, and the amount outside. */
function withOutside(trial: Trial, { net_income, tax = 0, insurance = 0 }: SourceFigures): Trial {
  const outside = net_income - (trial.gross - insurance - tax);
  return { ...trial, net_income, assumptions: { ...trial.assumptions, outside } };
}

/** Whether all contributions are on whole thousands, so that none is rounded. */
function isWhole({ bhxh, bhyt, bhtn }: Insurances): boolean {
  return (bhxh % THOUSAND) + (bhyt % THOUSAND) + (bhtn % THOUSAND) === 0;
}

/** How a figure matches a stated one, if there is one. */
function gapOf(calculated: number, stated = calculated, near = 0): number {
  const gap = Math.abs(calculated - stated);
  if (gap === 0) return EXACT;
  if (gap <= near) return NEAR;
  return Math.round(calculated / THOUSAND) * THOUSAND === stated ? THOUSANDS : NONE;
}

/**
 * The smallest insured salary in whole thousands on which the contributions have a total, if there
 * is one: up to the cap of `bhxh` and `bhyt`, also above the income, as in a part of a month, or up
 * to the income above that cap, where `bhtn` still rises.
 */
function salariesFor(total: number, assumptions: Assumptions): readonly number[] {
  const { income, law } = assumptions;
  const totalOn = (insurance_salary: number): number => {
    const base = insuranceBaseOf(income, { ...assumptions, insurance_salary }, law);
    return contributionsOn(base, law.employeeRates).total;
  };
  const cap = CAP_MULTIPLE * law.baseSalary.value;
  const below = Math.round(total / totalOn(THOUSAND));
  const above = Math.round((total - totalOn(cap)) / (totalOn(cap + THOUSAND) - totalOn(cap)));
  return [below * THOUSAND, cap + above * THOUSAND]
    .filter((salary) => salary <= Math.max(income, cap) && totalOn(salary) === total)
    .slice(0, 1);
}

/** The assumptions with the smallest exempt income in whole thousands whose tax is at most another. */
function withImpliedExempt(assumptions: Assumptions, tax: number): Assumptions {
  const withThousands = (thousands: number): Assumptions =>
    assume(assumptions, { exempt_income: thousands * THOUSAND });
  const most = Math.floor(assumptions.income / THOUSAND);
  return withThousands(
    bisect(0, most, (thousands) => trialOf(withThousands(thousands)).tax <= tax),
  );
}
