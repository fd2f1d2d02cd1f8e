/**
 * Finds the assumptions under which a salary has the figures of another source. Each figure matches by itself: it is
 *
 * 1. exactly the calculated one; or
 * 2. at most one đồng per contribution above or below it, if the insured salary is not a whole thousand, because a
 *    source may round each contribution differently, or round their sum; or
 * 3. the calculated one rounded to thousands.
 *
 * With a stated tax and insurance that match, the rest of a net income that does not is an amount outside of both.
 *
 * The search tries no change and each alternative alone, the likely ones also with union dues and with the insured
 * salary that a stated insurance implies; then two likely ones, the persons with that salary, and another income,
 * unless a match is likelier than theirs. It keeps the matches of the first rank. If there is none, or the tax is 0, it
 * tries the tax-free pay that the tax implies.
 */
import { bisect } from '../contract/bisection.ts';
import { contributionsOn, insuranceBaseOf, percentageOf, taxAfter } from '../tax/assessment.ts';
import { CAP_MULTIPLE, type Law } from '../tax/law.ts';
import { grossOf } from '../tax/tax.ts';
import {
  type AlternativeRow,
  type Assumption,
  type Assumptions,
  assume,
  differing,
  insuredSalaryOf,
  likelyAlternatives,
  personsFor,
  UNLIKELY,
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
 * The most that a member of the union pays, in percent of the base salary: Decision 61/QĐ-TLĐ, from 2025-07; before,
 * Decision 1908/QĐ-TLĐ of 2016 art. 23.
 */
const UNION_DUES_LIMIT = 10;

/** The search for the smallest sets of changes with which the calculation has the figures of a source. */
export class Search {
  private readonly matches = new Map<string, Match>();
  private readonly own: Assumptions;
  private readonly source: SourceFigures;
  /** The income of the source, which is the sum of its figures; NaN if one is unknown. */
  private readonly income: number;
  private rank = RANKS.length;

  constructor(own: Assumptions, source: SourceFigures) {
    this.own = own;
    this.source = source;
    this.income = source.net_income + (source.tax ?? NaN) + (source.insurance ?? NaN);
  }

  /** Finds the matches, the likeliest first. The steps are few, because each costs time. */
  *run(): Generator<void, readonly Match[]> {
    const { own } = this;
    const likely = likelyAlternatives(own, this.source.insurance !== undefined);
    const few = [own, ...likely.flat().map((one) => assume(own, one))];
    for (const assumptions of few) this.attempt(assumptions);
    yield;
    const persons = personsFor(own).map((one) => assume(own, one));
    const unlikely = UNLIKELY.map((one) => assume(own, one));
    for (const assumptions of [...persons, ...unlikely]) this.compare(trialOf(assumptions));
    yield;
    for (const assumptions of few) this.attemptInsured(assumptions);
    if (this.rank >= BEST_OF_PAIRS) {
      for (const [at, row] of likely.entries()) yield this.attemptPairs(row, likely.slice(0, at));
      // Some salary has almost any contributions to the health insurance alone.
      for (const assumptions of persons) if (assumptions.bhxh) this.attemptInsured(assumptions);
      for (const other of this.otherPay())
        this.attemptAll([other, ...likely.flat().map((one) => assume(other, one))]);
    }
    yield;
    if (this.matches.size === 0) this.attemptInsured(own, 100);
    // A tax-free pay and an amount outside, both implied, lead to any figures.
    this.rank = Math.min(this.rank, RANKS.indexOf('1 outside') - 0.5);
    this.attemptAll(this.taxFreePay());
    return [...this.matches.values()];
  }

  /** The later alternatives select the law on which the earlier ones depend. */
  private attemptPairs(row: AlternativeRow, earlier: readonly AlternativeRow[]): void {
    for (const base of row.map((one) => assume(this.own, one)))
      this.attemptAll(earlier.flat().map((one) => assume(base, one)));
  }

  private attemptAll(list: readonly Assumptions[]): void {
    for (const assumptions of list) {
      this.attempt(assumptions);
      this.attemptInsured(assumptions);
    }
  }

  /**
   * Attempts assumptions with other insured salaries, unless the request states one: that of the answer, which is no
   * change, and the one that a stated insurance implies.
   */
  private attemptInsured(assumptions: Assumptions, unit = THOUSAND): void {
    const { own, source } = this;
    const { insurance } = source;
    if (insurance === undefined || own.insurance_salary !== undefined) return;
    // The tax is known before the salary. With two changes, no amount is outside.
    const { tax, net_income } = trialOf(assumptions, insurance);
    const isNetFar = assumptions.count > 1 && gapOf(net_income, source.net_income) === NONE;
    if (isNetFar || gapOf(tax, source.tax) === NONE) return;
    this.attempt({ ...assumptions, insurance_salary: insuredSalaryOf(own) });
    for (const insurance_salary of salariesFor(assumptions, insurance, unit))
      this.attempt(assume(assumptions, { insurance_salary }));
  }

  /**
   * The other income of a source, which counts as two changes. If it is less, the source may also subtract a voluntary
   * pension, which has the same figures: a multiple of 500,000 up to the limit that is not the pay of whole days.
   */
  private otherPay(): readonly Assumptions[] {
    const { own, income } = this;
    const less = own.income - income;
    if (!(Math.abs(less) >= THOUSAND)) return [];
    const other = { ...own, income, count: 2 };
    const isPension =
      own.voluntary_pension === undefined
      && less > 0
      && less <= own.law.voluntaryPension.value
      && less % 500_000 === 0
      && [20, 22, 24, 26].every((days) => (less * days) % own.income !== 0);
    const pension = { ...own, voluntary_pension: less, outside: -less, count: 2 };
    return isPension ? [pension, other] : [other];
  }

  /**
   * The tax-free pay that a stated tax implies, unless the request states one: the part of the income that is not
   * insured, and the least one, if possible in whole thousands. A tax of 0 has several causes, of which tax-free pay is
   * one up to the personal deduction; another tax has it if nothing else matches.
   */
  private taxFreePay(): readonly Assumptions[] {
    const { own, matches } = this;
    const { tax = NaN, insurance } = this.source;
    const withExempt = (exempt_income: number) => assume(own, { exempt_income });
    const isSought = tax > 0 ? matches.size === 0 : tax === 0;
    if (!isSought || own.exempt_income !== undefined) return [];
    const taxWith = (exempt: number) => trialOf(withExempt(exempt), insurance).tax;
    const least = bisect(0, own.income, (exempt) => taxWith(exempt) <= tax);
    const most = tax === 0 ? trialOf(own).deductions.self : own.income;
    const salaries = own.insurance_salary === undefined ? salariesFor(own, insurance) : [];
    const uninsured = salaries.map((salary) => own.income - salary);
    const whole = Math.ceil(least / THOUSAND) * THOUSAND;
    return [...uninsured, taxWith(whole) === tax ? whole : least]
      .filter((exempt) => least >= THOUSAND && exempt >= least && exempt <= most)
      .map(withExempt);
  }

  /** Compares the figures under assumptions, and with at most one change also those with union dues. */
  private attempt(assumptions: Assumptions): void {
    const trial = trialOf(assumptions);
    this.compare(trial);
    const excess = trial.net_income - this.source.net_income;
    if (assumptions.count > 1 || excess < THOUSAND) return;
    if (excess > THOUSAND + duesLimitOf(assumptions.law)) return;
    for (const rate of UNION_DUES) {
      const beside = withDues(trial, rate);
      this.compare(beside);
      if (this.source.insurance === undefined) continue;
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
    if (kind !== 'outside') return this.add(trial);
    const { net_income } = this.source;
    this.add({
      ...trial,
      net_income,
      assumptions: { ...assumptions, outside: this.income - gross },
    });
  }

  /** How the figures of a trial match. */
  private kindOf(trial: Trial) {
    const { net_income, tax, insurance } = this.source;
    // An exact insurance shows how the contributions have been rounded.
    const isRounded = Object.values(trial.base).some((amount) => amount % THOUSAND !== 0);
    const near = isRounded && insurance !== trial.insurance ? CONTRIBUTIONS : 0;
    const charges = Math.max(gapOf(trial.tax, tax, near), gapOf(trial.insurance, insurance, near));
    const worst = Math.max(charges, gapOf(trial.net_income, net_income, near));
    if (worst === EXACT) return 'exact';
    const areKnown = this.income >= 0 && charges <= NEAR;
    // Two changes lead to so many figures that some agree with a rounded one by chance.
    if (worst <= (areKnown || trial.assumptions.count < 2 ? THOUSANDS : NEAR)) return 'rounded';
    return areKnown && trial.union_dues === 0 ? 'outside' : 'none';
  }

  /** Adds the likeliest of the matches with the same fields and figures: the first, or without a tax the least pay. */
  private add(trial: Trial): void {
    const { assumptions, net_income, tax, insurance } = trial;
    const changes = differing(assumptions, this.own);
    const key = [...changes, net_income, tax, insurance].join();
    const known = this.matches.get(key);
    const isLess = tax === 0 && assumptions.exempt_income! < known?.assumptions.exempt_income!;
    if (known === undefined || isLess) {
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

/** The calculation under assumptions, without union dues, and after stated contributions if there are any. */
export function trialOf(assumptions: Assumptions, contributions?: number) {
  const { law, outside } = assumptions;
  const gross = grossOf(assumptions, law);
  const base = insuranceBaseOf(gross, assumptions, law);
  const insurance = contributions ?? contributionsOn(base, law.employeeRates).total;
  const { tax, deductions } = taxAfter(insurance, gross, assumptions, law);
  const taken = insurance + (assumptions.net_income === 'after_tax' ? tax : 0);
  const net_income = gross - taken + outside;
  return { assumptions, net_income, tax, insurance, gross, base, deductions, union_dues: 0 };
}

/** The greatest union dues. */
function duesLimitOf({ baseSalary }: Law): number {
  return percentageOf(baseSalary.value, UNION_DUES_LIMIT);
}

/** The trial with union dues, which are subtracted besides the insurance. */
function withDues(trial: Trial, rate: number): Trial {
  const assumptions = assume(trial.assumptions, { union_dues: rate });
  const { base, net_income } = trial;
  const union_dues = Math.min(percentageOf(base.bhxh, rate), duesLimitOf(assumptions.law));
  return { ...trial, assumptions, union_dues, net_income: net_income - union_dues };
}

/** The trials with union dues in the insurance, taxed or deducted from the taxable income. */
function withDuesInside(trial: Trial): readonly Trial[] {
  const { assumptions, union_dues } = trial;
  const insurance = trial.insurance + union_dues;
  return [
    { ...trial, insurance },
    { ...trialOf(assumptions, insurance), union_dues },
  ];
}

/** How a figure matches a stated one, if there is one. */
function gapOf(calculated: number, stated = calculated, near = 0): number {
  const gap = Math.abs(calculated - stated);
  if (gap === 0) return EXACT;
  if (gap <= near) return NEAR;
  return Math.round(calculated / THOUSAND) * THOUSAND === stated ? THOUSANDS : NONE;
}

/**
 * The smallest insured salary in units on which the contributions have a total, if there is one: up to the cap of
 * `bhxh` and `bhyt`, also above the income, as in a part of a month, or up to the income above that cap, where `bhtn`
 * still rises.
 */
function salariesFor(assumptions: Assumptions, total = NaN, unit = THOUSAND): readonly number[] {
  const { income, law } = assumptions;
  const totalOn = (insurance_salary: number): number => {
    const base = insuranceBaseOf(income, { ...assumptions, insurance_salary }, law);
    return contributionsOn(base, law.employeeRates).total;
  };
  const cap = CAP_MULTIPLE * law.baseSalary.value;
  const inUnits = (thousands: number): number => Math.round((thousands * THOUSAND) / unit) * unit;
  const below = total / totalOn(THOUSAND);
  const above = (total - totalOn(cap)) / (totalOn(cap + THOUSAND) - totalOn(cap));
  return [inUnits(below), cap + inUnits(above)]
    .filter((salary) => salary <= Math.max(income, cap) && totalOn(salary) === total)
    .slice(0, 1);
}
