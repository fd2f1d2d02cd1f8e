/**
 * An independent search for the reasons of other figures: every set of changes, calculated by the oracle of the tax
 * rules, with the months, the alternatives and their order written down again.
 */
import { EMPLOYEE, PERSONS, personalValues } from '../../src/tax/persons.ts';
import type { ReconcileRequest } from '../../src/reconcile/reconcile.ts';
import {
  BASE_SALARY,
  type Dated,
  EMPLOYEE_RATES,
  FAMILY_DEDUCTIONS,
  FLAT_TAX,
  FOREIGNER_RATES,
  MINIMUM_WAGE,
  PROGRESSIVE_TAX,
  REVIEWED_THROUGH,
  VOLUNTARY_PENSION_LIMIT,
} from '../../src/tax/law.ts';
import { calculateTax, type TaxRequest } from '../../src/tax/tax.ts';
import {
  bases,
  ERAS,
  expectedTax,
  type GrossCase,
  halfUp,
  mustBeStated,
  progressiveTax,
  REGIONS,
  valueAt,
} from './tax-oracle.ts';

/** The tables of the tax and of the employee's insurance. */
const TABLES = [
  PROGRESSIVE_TAX,
  FAMILY_DEDUCTIONS,
  VOLUNTARY_PENSION_LIMIT,
  ...Object.values(FLAT_TAX),
  BASE_SALARY,
  MINIMUM_WAGE,
  ...Object.values(EMPLOYEE_RATES),
  ...Object.values(FOREIGNER_RATES.employee),
];

/** The month that is `count` months after another. */
function monthFrom(month: string, count: number): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 1 + count)).toISOString().slice(0, 7);
}

const monthBefore = (month: string): string => monthFrom(month, -1);

/** A month of each law that differs from the one before it, the latest first: the last one, or the first of the newest. */
function lawsBy(tables: readonly (readonly Dated<unknown>[])[]): readonly string[] {
  const lawIn = (month: string): string =>
    JSON.stringify(tables.map((table) => valueAt(table, month)));
  const [first = '', ...later] = ERAS;
  const changes = later.filter((month) => lawIn(month) !== lawIn(monthBefore(month)));
  return [changes.at(-1) ?? first, ...changes.map(monthBefore).reverse()];
}

export const LAWS = lawsBy(TABLES);
const BRACKETS = lawsBy([PROGRESSIVE_TAX]);

/** The latest three laws that had begun by the month of the last review, and the others. */
function divided(laws: readonly string[]): readonly [likely: string[], others: string[]] {
  const unreviewed = laws.slice(1).filter((month) => month >= REVIEWED_THROUGH).length;
  const likely = laws.slice(unreviewed, unreviewed + 3);
  return [likely, laws.filter((month) => !likely.includes(month))];
}

/** A field with another value. */
export type Change = readonly [field: string, value: unknown];

/** A request and changes of its fields, by their names. */
type Case = Readonly<Record<string, unknown>>;

/** The figures of a calculation, and amounts that explain them. */
export interface Figures {
  readonly net_income: number;
  readonly tax: number;
  readonly insurance: number;
  readonly gross: number;
  /** Whether each contribution is on a whole thousand. */
  readonly isWhole: boolean;
  /** The insured salary without caps, and the union dues. */
  readonly insured: number;
  readonly dues: number;
  /** The tax if the dues reduce the taxable income. */
  readonly reducedTax: number;
  /** The tax after contributions with another total. */
  readonly taxAfter: (contributions: number) => number;
  /** The personal deduction. */
  readonly selfDeduction: number;
}

/** The changes that are tried also two at once, by their rows, and those that are tried alone, each list in its order. */
export function changesTo(given: Case): {
  readonly likely: Change[];
  readonly persons: readonly (readonly Change[])[];
  readonly alone: readonly (readonly Change[])[];
} {
  const [laws, otherLaws] = divided(LAWS);
  const rows: readonly (readonly [string, readonly unknown[]])[] = [
    ['insurance_salary', isSalaryImplied(given) ? [] : ['minimum_wage', 0, 'gross_income']],
    ['exempt_income', [1_200_000, 730_000]],
    ['dependents', [0, 1, 2]],
    ['period', laws],
    ['brackets', BRACKETS],
  ];
  const each = (field: string, values: readonly unknown[]): Change[] =>
    values.map((value) => [field, value]);
  const { period, paid_in = period } = given;
  const own = BRACKETS.findLast((month) => month >= String(paid_in)) ?? (period && BRACKETS[0]);
  const likely = rows
    .flatMap(([field, values]) => each(field, values))
    .filter(([field, value]) => !(field === 'brackets' && value === own));
  const one = (field: string, values: readonly unknown[]): readonly (readonly Change[])[] =>
    each(field, values).map((change) => [change]);
  const persons = [...personsFor(given), ...one('taxation', ['short_term', 'non_resident'])];
  const alone: readonly (readonly Change[])[] = [
    ...persons,
    ...one('dependents', [3, 4, 5, 6]),
    ...one('period', otherLaws),
    ...one('region', REGIONS),
    ...REGIONS.map((region): readonly Change[] => [
      ['region', region],
      ['insurance_salary', 'minimum_wage'],
    ]),
    ...one('self_deduction', [false]),
    ...one('net_income', ['before_tax']),
    ...one('type', ['net', 'cost']),
  ];
  return { likely, persons, alone };
}

/** A stated insurance implies the insured salary, unless it is stated, too. */
function isSalaryImplied({ stated, insurance_salary }: Case): boolean {
  return stated !== undefined && insurance_salary === undefined;
}

/** The values of each person. One who is insured has the stated salary, if it is not 0. */
function personsFor({ insurance_salary, period }: Case): readonly (readonly Change[])[] {
  const insured = { insurance_salary: insurance_salary === 0 ? undefined : insurance_salary };
  return Object.keys(PERSONS).map((key) =>
    Object.entries({ ...EMPLOYEE, ...insured, ...personalValues(key, String(period)) }),
  );
}

/** The figures of a case, or undefined if it is impossible. */
export function figuresOf(given: Case): Figures | undefined {
  const { type = 'gross', union_dues = 0, net_income, brackets, outside = 0, ...fields } = given;
  const { insurance_salary: insured } = fields;
  const { period, region = 1 } = fields as unknown as GrossCase;
  const salary =
    insured === 'minimum_wage'
      ? { insurance_salary: valueAt(MINIMUM_WAGE, period)[region] }
      : insured === 'gross_income' || insured === undefined
        ? { insurance_salary: undefined }
        : {};
  const request = { dependents: 0, region: 1, ...fields, ...salary } as unknown as GrossCase;
  let income = request.income;
  if (type !== 'gross') {
    try {
      income = calculateTax({ ...request, type } as unknown as TaxRequest).gross_income;
    } catch {
      return undefined;
    }
  }
  const of: GrossCase = { ...request, income };
  if ((of.exempt_income ?? 0) > income) return undefined;
  const { insurance, taxable_income, ...result } = expectedTax(of);
  const isProgressive = (of.taxation ?? 'progressive') === 'progressive';
  const month = String(brackets ?? of.paid_in ?? period);
  const taxOn = (taxable: number): number =>
    isProgressive
      ? Number(progressiveTax(BigInt(taxable), valueAt(PROGRESSIVE_TAX, month)))
      : result.tax;
  const base = bases(of);
  const thousandths = BigInt(Number(union_dues) * 10);
  const dues = halfUp(base['bhxh'] * thousandths, 1000n);
  const limit = BigInt(valueAt(BASE_SALARY, period)) / 10n;
  const paid = Number(dues < limit ? dues : limit);
  const tax = taxOn(taxable_income);
  const { exempt_income = 0, voluntary_pension = 0, deductions } = result;
  const taxable = income - exempt_income - insurance.total - deductions.total - voluntary_pension;
  const left = income - insurance.total - tax;
  if (left < 0) return undefined;
  return {
    net_income: left - paid + (net_income === 'before_tax' ? tax : 0) + Number(outside),
    tax,
    insurance: insurance.total,
    gross: income,
    selfDeduction: result.deductions.self,
    isWhole: Object.values(base).every((amount) => amount % 1000n === 0n),
    insured: of.insurance_salary ?? income - (of.exempt_income ?? 0),
    dues: paid,
    reducedTax: taxOn(Math.max(0, taxable_income - paid)),
    taxAfter: (contributions) => taxOn(Math.max(0, taxable + insurance.total - contributions)),
  };
}

/** The smallest insured salary in multiples of a unit whose contributions have a total. */
function salaryFor(total: number, given: Case, unit: number): number | undefined {
  const { income, period, region = 1, foreigner = false } = given as unknown as GrossCase;
  const { bhxh = true, bhyt = true, bhtn = true } = given;
  const totalOn = (insurance_salary: number): number =>
    figuresOf({
      ...{ income: 1e12, period, region, foreigner, bhxh, bhyt, bhtn },
      ...{ insurance_salary, dependents: 0 },
    })!.insurance;
  const most = Math.max(income, 20 * valueAt(BASE_SALARY, period));
  const passes = (count: number): boolean => totalOn(unit * count) >= total;
  const salary = unit * leastAmount(Math.floor(most / unit), passes);
  return totalOn(salary) === total ? salary : undefined;
}

/** The smallest amount up to another that passes, or else the last. */
function leastAmount(most: number, passes: (amount: number) => boolean): number {
  let [low, high] = [-1, most];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (passes(middle)) high = middle;
    else low = middle;
  }
  return high;
}

type Kind = 'exact' | 'near' | 'thousands' | 'none';

/** The worst of kinds. */
const worstOf = (kinds: readonly Kind[]): Kind =>
  (['none', 'thousands', 'near', 'exact'] as const).find((kind) => kinds.includes(kind))!;

/** How a figure matches by itself, with at most `near` đồng for the roundings of the contributions. */
function kindOf(calculated: number, stated: number | undefined, near: number): Kind {
  const gap = Math.abs(calculated - (stated ?? calculated));
  if (gap === 0) return 'exact';
  if (gap <= near) return 'near';
  return Math.floor((calculated + 500) / 1000) * 1000 === stated ? 'thousands' : 'none';
}

/** The numbers of changes and the kinds of matches, the likeliest first, as the API lists them. */
export const RANKS: readonly string[] = [
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

/** A set of changes, whose figures are those of the source. */
interface Match {
  readonly set: readonly Change[];
  readonly figures: Figures;
  readonly rank: number;
}

/** The changes of a set as the answer orders them. */
const FIELDS = [
  ...['income', 'type', 'period', 'brackets', 'region', 'dependents', 'taxation'],
  ...['foreigner', 'self_deduction', 'bhxh', 'bhyt', 'bhtn', 'insurance_salary'],
  ...['exempt_income', 'voluntary_pension', 'union_dues', 'net_income', 'outside'],
];

/** The values of a request that states none. */
const DEFAULTS: Case = { ...EMPLOYEE, dependents: 0, region: 1, type: 'gross' };

/** Each set of changes that matches, in the order of the search. */
class Oracle {
  readonly matches: Match[] = [];
  private readonly given: Case;
  private readonly source: Partial<Figures>;
  private readonly isKnown: boolean;
  private isOutsideTried = true;

  constructor({ net_income, tax, insurance, ...given }: ReconcileRequest) {
    this.given = given;
    this.source = { net_income, ...(tax !== undefined && { tax }) };
    if (insurance !== undefined) this.source = { ...this.source, insurance };
    this.isKnown = tax !== undefined && insurance !== undefined;
  }

  /** Adds sets of alternatives with their figures, and with union dues. */
  attempt(set: readonly Change[], count: number, withDues: boolean): void {
    const without = this.figures(set);
    this.add(set, count, without);
    const { net_income: net = 0 } = this.source;
    if (!withDues || without === undefined || without.net_income - net < 1000) return;
    for (const rate of [0.5, 1]) {
      const paying: readonly Change[] = [...set, ['union_dues', rate]];
      const figures = this.figures(paying);
      if (figures === undefined) continue;
      this.add(paying, count + 1, figures);
      if (this.source.insurance === undefined) continue;
      const { tax, net_income, reducedTax } = figures;
      const inside = { ...figures, insurance: figures.insurance + figures.dues };
      this.add(paying, count + 1, inside);
      const left = net_income + tax - reducedTax;
      this.add(paying, count + 1, { ...inside, tax: reducedTax, net_income: left });
    }
  }

  /** Attempts a set with the insured salary of the answer, and with an implied one. */
  attemptInsured(set: readonly Change[], count: number, unit = 1000): void {
    const { insurance, tax: stated, net_income } = this.source;
    const figures = this.figures(set);
    const isImplied = isSalaryImplied({ ...this.given, stated: insurance });
    if (figures === undefined || !isImplied) return;
    const tax = figures.taxAfter(insurance!);
    const net = figures.gross - insurance! - tax + Number(Object.fromEntries(set)['outside'] ?? 0);
    if (kindOf(tax, stated, 0) === 'none') return;
    if (count > 1 && kindOf(net, net_income, 0) === 'none') return;
    this.attempt([...set, ['insurance_salary', this.figures([])!.insured]], count, count < 2);
    for (const salary of this.implied(set, unit))
      this.attempt([...set, salary], count + 1, count === 0);
  }

  /** Attempts another income, and a voluntary pension that the source subtracts, if the figures may be those of one. */
  attemptOtherPay(likely: readonly Change[]): void {
    const { net_income = NaN, tax = NaN, insurance = NaN } = this.source;
    const {
      income: own,
      voluntary_pension,
      period,
      paid_in = period,
    } = this.given as never as {
      readonly income: number;
      readonly voluntary_pension?: number;
      readonly period: string;
      readonly paid_in?: string;
    };
    const income = net_income + tax + insurance;
    const less = own - income;
    if (!(less >= 1000 || less <= -1000)) return;
    const isWholeDays = [20, 22, 24, 26].some((days) => Number.isInteger((less * days) / own));
    const isPension = less > 0 && less <= valueAt(VOLUNTARY_PENSION_LIMIT, paid_in);
    const isRound = less % 500_000 === 0 && !isWholeDays && voluntary_pension === undefined;
    const pension: readonly Change[] = [
      ['voluntary_pension', less],
      ['outside', -less],
    ];
    const others: readonly (readonly Change[])[] = [
      ...(isPension && isRound ? [pension] : []),
      [['income', income]],
    ];
    for (const set of others) {
      this.attempt(set, 2, false);
      this.attemptInsured(set, 2);
      for (const change of likely) {
        this.attempt([...set, change], 3, false);
        this.attemptInsured([...set, change], 3);
      }
    }
  }

  /** The insured salary that the stated insurance implies. */
  implied(set: readonly Change[], unit = 1000): Change[] {
    const { insurance } = this.source;
    if (!isSalaryImplied({ ...this.given, stated: insurance })) return [];
    const salary = salaryFor(insurance!, { ...this.given, ...Object.fromEntries(set) }, unit);
    return salary === undefined ? [] : [['insurance_salary', salary]];
  }

  /** The tax-free pay that the stated tax implies. */
  attemptExempt(): void {
    const { tax, insurance } = this.source;
    const isSought = tax === 0 || (tax !== undefined && this.matches.length === 0);
    if (!isSought || this.given['exempt_income'] !== undefined) return;
    // An amount outside is not implied together with the tax-free pay.
    this.isOutsideTried = false;
    const { income } = this.given as unknown as GrossCase;
    const passes = (exempt_income: number): boolean => {
      const figures = this.figures([['exempt_income', exempt_income]])!;
      return (insurance === undefined ? figures.tax : figures.taxAfter(insurance)) <= tax;
    };
    const least = leastAmount(income, passes);
    if (least < 1000) return;
    const insured = this.implied([]).map(([, salary]) => income - Number(salary));
    const most = tax === 0 ? this.figures([])!.selfDeduction : income;
    const whole = 1000 * Math.ceil(least / 1000);
    const { tax: reached, taxAfter } = this.figures([['exempt_income', whole]])!;
    const isWhole = (insurance === undefined ? reached : taxAfter(insurance)) === tax;
    for (const exempt of [...insured, isWhole ? whole : least]) {
      if (exempt < least || exempt > most) continue;
      this.attempt([['exempt_income', exempt]], 1, true);
      this.attemptInsured([['exempt_income', exempt]], 1);
    }
  }

  figures(set: readonly Change[]): Figures | undefined {
    return figuresOf({ ...this.given, ...Object.fromEntries(set) });
  }

  /** Adds a set whose figures match, but for an amount outside. */
  private add(set: readonly Change[], count: number, figures: Figures | undefined): void {
    const { net_income = 0, tax, insurance } = this.source;
    if (figures === undefined || figures.insurance + figures.tax > figures.gross) return;
    const near = figures.isWhole || insurance === figures.insurance ? 0 : 3;
    const charges = worstOf([
      kindOf(figures.tax, tax, near),
      kindOf(figures.insurance, insurance, near),
    ]);
    const worst = worstOf([charges, kindOf(figures.net_income, net_income, near)]);
    const areCharges = this.isKnown && (charges === 'exact' || charges === 'near');
    const push = (kind: string, changes: readonly Change[], found: Figures): void => {
      const rank = RANKS.indexOf(`${count} ${kind}`);
      if (rank >= 0) this.matches.push({ set: changes, figures: found, rank });
    };
    if (worst === 'exact') push('exact', set, figures);
    else if (worst === 'near') push('rounded', set, figures);
    else if (worst === 'thousands' && (areCharges || count < 2)) push('rounded', set, figures);
    else if (!this.isOutsideTried) return;
    else if (areCharges && worst === 'none' && !set.some(([field]) => field === 'union_dues')) {
      const outside = net_income - (figures.gross - insurance! - tax!);
      push('outside', [...set, ['outside', outside]], { ...figures, net_income });
    }
  }

  /** The changes of a set that differ from the request, in their order. */
  differing(set: readonly Change[]): Change[] {
    const own: Case = { ...DEFAULTS, ...this.given };
    const law = lawOfMonth(String(own['period']));
    return FIELDS.flatMap((field) => {
      const [, value] = set.findLast(([name]) => name === field) ?? [field, own[field]];
      const isOwn =
        value === own[field]
        || (field === 'period' && value === law)
        || (value === 'gross_income' && own[field] === undefined)
        || (field === 'insurance_salary'
          && this.figures(set)?.insured === this.figures([])?.insured);
      return isOwn ? [] : [[field, value] as const];
    });
  }
}

/** The month of LAWS that has the law of a month. */
function lawOfMonth(month: string): string {
  return LAWS.findLast((law) => law >= month) ?? LAWS[0]!;
}

/**
 * The likeliest sets of changes in their order, each as one text with its values and figures, and the months of a law
 * from the first to the last.
 */
export function expectedReasons(request: ReconcileRequest): readonly string[] {
  const oracle = new Oracle(request);
  const { net_income: _, tax: __, insurance, ...given } = request;
  const { likely, persons, alone } = changesTo({ ...given, stated: insurance });
  const few: readonly (readonly Change[])[] = [[], ...likely.map((change) => [change])];
  for (const set of few) oracle.attempt(set, set.length, true);
  for (const set of alone) oracle.attempt(set, 1, false);
  for (const set of few) oracle.attemptInsured(set, set.length);
  if (oracle.matches.every(({ rank }) => rank >= RANKS.indexOf('2 exact'))) {
    for (const later of likely) {
      const row = likely.findIndex(([field]) => field === later[0]);
      for (const earlier of likely.slice(0, row)) {
        oracle.attempt([later, earlier], 2, false);
        oracle.attemptInsured([later, earlier], 2);
      }
    }
    // The health insurance alone implies no salary.
    for (const set of persons)
      if (({ ...given, ...Object.fromEntries(set) } as Case)['bhxh'] !== false)
        oracle.attemptInsured(set, 1);
    oracle.attemptOtherPay(likely);
  }
  if (oracle.matches.length === 0) oracle.attemptInsured([], 0, 100);
  oracle.attemptExempt();
  const rank = Math.min(...oracle.matches.map((match) => match.rank));
  const best = oracle.matches
    .filter((match) => match.rank === rank)
    .map((match) => ({ ...match, set: oracle.differing(match.set) }));
  const seen = best.map(({ set, figures }) =>
    outline(
      set.map(([field]) => [field, '']),
      figures,
    ),
  );
  const exemptIn = ({ set }: Match): number =>
    Number(new Map(set).get('exempt_income') ?? given.exempt_income);
  // Without a tax, the least tax-free pay is listed.
  const isLess = (one: Match, other: Match): boolean =>
    one.figures.tax === 0 && exemptIn(one) < exemptIn(other);
  return [...new Set(seen)]
    .map((text) => best.filter((_, at) => seen[at] === text))
    .map((alike) => alike.reduce((first, later) => (isLess(later, first) ? later : first)))
    .map((match) => outline(valuesIn(match, best, given), match.figures));
}

/** Changes and figures as one text. */
export function outline(
  set: readonly Change[],
  { net_income, tax, insurance }: Pick<Figures, 'net_income' | 'tax' | 'insurance'>,
): string {
  const values = set.map(([field, value]) => `${field} ${String(value)}`);
  return [...values, net_income, tax, insurance].join(', ');
}

/** The changes of a match with the values that the operation returns. */
function valuesIn(match: Match, matches: readonly Match[], given: Case): Change[] {
  const { figures } = match;
  const changed = { ...given, ...Object.fromEntries(match.set) };
  // These people must state their insured salary.
  const isStated = 'insurance_salary' in changed || !mustBeStated(changed);
  const set: readonly Change[] = isStated ? match.set : [...match.set, ['insurance_salary', 0]];
  return set.map(([field, value]) => {
    if (field === 'period') return [field, monthsOf(String(value), match, matches)];
    if (field === 'brackets') return [field, valueAt(PROGRESSIVE_TAX, String(value)).length];
    if (field === 'insurance_salary') return [field, figures.insured];
    return [field, field === 'union_dues' ? figures.dues : value];
  });
}

/** The months of a law and of those directly before it that match with the same values and figures. */
function monthsOf(law: string, { set, figures }: Match, matches: readonly Match[]): string {
  const inLaw = (period: string): string =>
    outline(
      set.map(([field, value]) => [field, field === 'period' ? period : value]),
      figures,
    );
  const matching = new Set(matches.map((match) => outline(match.set, match.figures)));
  const earlier = LAWS.slice(LAWS.indexOf(law) + 1);
  const other = earlier.find((period) => !matching.has(inLaw(period)));
  const first = other === undefined ? ERAS[0]! : monthFrom(other, 1);
  const last = law === LAWS[0] && law < REVIEWED_THROUGH ? REVIEWED_THROUGH : law;
  return `${first} to ${last}`;
}
