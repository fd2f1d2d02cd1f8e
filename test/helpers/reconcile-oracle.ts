/**
 * An independent search for the reasons of other figures: every set of changes, calculated by the oracle of the tax
 * rules, with the months, the alternatives and their order written down again.
 */
import type { ReconcileRequest } from '../../src/reconcile/reconcile.ts';
import {
  BASE_SALARY,
  type Dated,
  EMPLOYEE_RATES,
  FAMILY_DEDUCTIONS,
  FLAT_TAX,
  FOREIGNER_RATES,
  type Insurance,
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

/** The latest four laws that had begun by the month of the last review, and the others. */
function divided(laws: readonly string[]): readonly [likely: string[], others: string[]] {
  const unreviewed = laws.slice(1).filter((month) => month >= REVIEWED_THROUGH).length;
  const likely = laws.slice(unreviewed, unreviewed + 4);
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
  /** The number of contributions that are rounded. */
  readonly roundings: number;
  /** The insured salary without caps, and the union dues. */
  readonly insured: number;
  readonly dues: number;
}

const FIGURES = ['net_income', 'tax', 'insurance'] as const;
const INSURANCES: readonly Insurance[] = ['bhxh', 'bhyt', 'bhtn'];

/** Further pairs of changes that are tried. */
export const PAIRS: readonly (readonly [Change, Change])[] = [
  [
    ['taxation', 'short_term'],
    ['insurance_salary', 0],
  ],
  [
    ['taxation', 'non_resident'],
    ['insurance_salary', 0],
  ],
  [
    ['self_deduction', false],
    ['insurance_salary', 0],
  ],
  [
    ['type', 'cost'],
    ['union_fund', false],
  ],
];

/** The changes that are tried two at once, and those that are tried alone. */
export function changesTo(given: Case): { readonly likely: Change[]; readonly alone: Change[] } {
  const [likely, others] = divided(LAWS);
  const all: readonly (readonly [string, readonly unknown[], boolean])[] = [
    ['period', likely, true],
    ['period', others, false],
    ['brackets', BRACKETS, true],
    ['region', [1, 2, 3, 4], true],
    ['dependents', [0, 1, 2], true],
    ['dependents', [3, 4, 5, 6], false],
    ['insurance_salary', ['minimum_wage', 0, 'gross_income'], true],
    ['exempt_income', [1_200_000, 730_000], true],
    ['union_dues', [0.5, 1], true],
    ['self_deduction', [false], false],
    ['bhtn', [false], false],
    ['foreigner', [true], false],
    ['taxation', ['short_term', 'non_resident'], false],
    ['net_income', ['before_tax'], false],
    ['type', ['net', 'cost'], false],
  ];
  const paidIn = String(given['paid_in'] ?? given['period']);
  const own = BRACKETS.findLast((month) => month >= paidIn) ?? BRACKETS[0];
  const changes = (isLikely: boolean): Change[] =>
    all
      .filter(([, , isOften]) => isOften === isLikely)
      .flatMap(([field, values]) => values.map((value): Change => [field, value]))
      .filter(([field]) => !(field === 'insurance_salary' && given['stated'] !== undefined))
      .filter(([field, value]) => !(field === 'brackets' && value === own));
  return { likely: changes(true), alone: changes(false) };
}

/** The figures of a case, or undefined if it is impossible. */
export function figuresOf(given: Case): Figures | undefined {
  const { type = 'gross', union_dues = 0, net_income, brackets, ...fields } = given;
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
  const tax =
    brackets === undefined || !isProgressive
      ? result.tax
      : Number(progressiveTax(BigInt(taxable_income), valueAt(PROGRESSIVE_TAX, String(brackets))));
  const left = income - insurance.total - tax;
  if (left < 0) return undefined;
  const base = bases(of);
  const thousandths = BigInt(Number(union_dues) * 10);
  const dues = halfUp(base['bhxh'] * thousandths, 1000n);
  const limit = BigInt(valueAt(BASE_SALARY, period)) / 10n;
  const paid = Number(dues < limit ? dues : limit);
  const rates = of.foreigner === true ? FOREIGNER_RATES.employee : EMPLOYEE_RATES;
  const rounded = INSURANCES.filter((name) => {
    const rate = BigInt((valueAt(rates[name], period) * 10).toFixed());
    return (base[name] * rate) % 1000n !== 0n;
  });
  return {
    net_income: left - paid + (net_income === 'before_tax' ? tax : 0),
    tax,
    insurance: insurance.total,
    roundings: rounded.length,
    insured: of.insurance_salary ?? income - (of.exempt_income ?? 0),
    dues: paid,
  };
}

const insuredSalaries = new Map<string, readonly [low: number, high: number]>();

/** The salaries on which the contributions of a case have a total; none if the first is above the last. */
function salariesFor(total: number, given: Case): readonly [low: number, high: number] {
  const { period, region = 1, foreigner = false, bhxh = true, bhyt = true, bhtn = true } = given;
  const key = [total, period, region, foreigner, bhxh, bhyt, bhtn].join();
  const known = insuredSalaries.get(key);
  if (known !== undefined) return known;
  const totalOn = (insurance_salary: number): number =>
    figuresOf({
      ...{ income: 1e12, period, region, foreigner, bhxh, bhyt, bhtn },
      ...{ insurance_salary, dependents: 0 },
    })!.insurance;
  // The first salary whose contributions have at least a total.
  const firstWith = (least: number): number => {
    let [low, high] = [-1, 1e9];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (totalOn(middle) >= least) high = middle;
      else low = middle;
    }
    return high;
  };
  const found = [firstWith(total), firstWith(total + 1) - 1] as const;
  insuredSalaries.set(key, found);
  return found;
}

/** The salary with the most zeros at its end, of those that a stated insurance allows. */
function salaryFor(total: number, given: Case): number | undefined {
  const { income, period, region = 1 } = given as unknown as GrossCase;
  const [low, high] = salariesFor(total, given);
  const most = Math.min(high, Math.max(income, valueAt(MINIMUM_WAGE, period)[region]));
  for (let unit = 1e6; unit >= 1; unit /= 10) {
    const salary = Math.ceil(low / unit) * unit;
    if (salary <= most) return salary;
  }
  return undefined;
}

type Kind = 'exact' | 'rounded' | 'thousands';

/** How figures match, if they do: to the đồng, but for roundings of contributions, or in whole thousands. */
function kindOf(figures: Figures, stated: Partial<Figures>): Kind | undefined {
  const names = FIGURES.filter((name) => stated[name] !== undefined);
  const gaps = names.map((name) => Math.abs(figures[name] - stated[name]!));
  if (gaps.every((gap) => gap === 0)) return 'exact';
  const isInsuranceEqual = figures.insurance === stated.insurance;
  if (!isInsuranceEqual && gaps.every((gap) => gap <= figures.roundings)) return 'rounded';
  const thousand = (amount: number): number => Math.floor((amount + 500) / 1000) * 1000;
  return names.every((name) => thousand(figures[name]) === stated[name]) ? 'thousands' : undefined;
}

/** The numbers of changes and the kinds of matches, the likeliest first. */
const LIKELIHOODS: readonly string[] = [
  '0 exact',
  '1 exact',
  '0 rounded',
  '1 rounded',
  '0 thousands',
  '1 thousands',
  '2 exact',
  '2 rounded',
  '3 exact',
  '3 rounded',
];
/** More changes than one are tried only if a match is less likely than these. */
const OF_ONE_CHANGE = LIKELIHOODS.slice(0, 6);

/** A set of changes, whose figures are those of the source. */
interface Match {
  readonly set: readonly Change[];
  readonly figures: Figures;
  readonly likelihood: number;
}

/**
 * The likeliest sets of changes in their order, each as one text with its values and figures, and the months of a law
 * from the first to the last.
 */
export function expectedReasons(request: ReconcileRequest): readonly string[] {
  const { net_income, tax, insurance, ...fields } = request;
  const given: Case = fields;
  const { likely, alone } = changesTo({ ...given, stated: insurance });
  const matches: Match[] = [];
  const add = (set: readonly Change[]): Figures | undefined => {
    const figures = figuresOf({ ...given, ...Object.fromEntries(set) });
    const kind = figures && kindOf(figures, { net_income, tax, insurance } as Partial<Figures>);
    const likelihood = LIKELIHOODS.indexOf(`${set.length} ${kind}`);
    if (figures && likelihood >= 0) matches.push({ set, figures, likelihood });
    return figures;
  };
  const attempt = (set: readonly Change[]): void => {
    const figures = add(set);
    if (insurance === undefined || figures === undefined) return;
    if (Math.abs(figures.insurance - insurance) <= 3) return;
    const salary = salaryFor(insurance, { ...given, ...Object.fromEntries(set) });
    if (salary !== undefined) add([...set, ['insurance_salary', salary]]);
  };
  attempt([]);
  for (const change of likely) attempt([change]);
  for (const change of alone) add([change]);
  for (const pair of PAIRS) add(pair);
  if (!matches.some(({ likelihood }) => likelihood < OF_ONE_CHANGE.length)) {
    likely.forEach((first, at) => {
      for (const second of likely.slice(at + 1))
        if (first[0] !== second[0]) attempt([first, second]);
    });
  }
  const isFitted = ({ set }: Match): boolean =>
    insurance !== undefined && set.some(([field]) => field === 'insurance_salary');
  const likeliest = Math.min(...matches.map(({ likelihood }) => likelihood));
  const best = matches.filter(({ likelihood }) => likelihood === likeliest);
  const all = [...best.filter((match) => !isFitted(match)), ...best.filter(isFitted)];
  const seen = all.map(({ set, figures }) =>
    outline(
      set.map(([field]) => [field, '']),
      figures,
    ),
  );
  return all
    .filter((_, at) => seen.indexOf(seen[at]!) === at)
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
