/**
 * An independent search for the reasons of other figures: every set of changes, calculated by the oracle of the tax
 * rules, with the months and the alternatives written down again.
 */
import type { ReconcileRequest } from '../../src/extensions/reconcile/reconcile.ts';
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

/** The month before another. */
function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number - 2)).toISOString().slice(0, 7);
}

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

/** The figures of a calculation, and the number of contributions that it rounds. */
export interface Figures {
  readonly net_income: number;
  readonly tax: number;
  readonly insurance: number;
  readonly roundings: number;
}

const FIGURES = ['net_income', 'tax', 'insurance'] as const;
const INSURANCES: readonly Insurance[] = ['bhxh', 'bhyt', 'bhtn'];

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
  };
}

const insuredSalaries = new Map<string, number | undefined>();

/** Any salary on which the contributions of a case have a total. */
function salaryFor(total: number, given: Case): number | undefined {
  const { period, region = 1, foreigner = false, bhxh = true, bhyt = true, bhtn = true } = given;
  const key = [total, period, region, foreigner, bhxh, bhyt, bhtn].join();
  if (insuredSalaries.has(key)) return insuredSalaries.get(key);
  const totalOn = (insurance_salary: number): number =>
    figuresOf({
      ...{ income: 1e12, period, region, foreigner, bhxh, bhyt, bhtn },
      ...{ insurance_salary, dependents: 0 },
    })!.insurance;
  // The first salary whose contributions have at least the total.
  let [low, high] = [-1, 1e9];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (totalOn(middle) >= total) high = middle;
    else low = middle;
  }
  const found = totalOn(high) === total ? high : undefined;
  insuredSalaries.set(key, found);
  return found;
}

/** How figures match: to the đồng (0), but for roundings (1), in whole thousands (2), or not (Infinity). */
function kindOf(figures: Figures, stated: Partial<Figures>): number {
  const names = FIGURES.filter((name) => stated[name] !== undefined);
  const gaps = names.map((name) => Math.abs(figures[name] - stated[name]!));
  if (gaps.every((gap) => gap === 0)) return 0;
  const isInsuranceEqual = figures.insurance === stated.insurance;
  if (!isInsuranceEqual && gaps.every((gap) => gap <= figures.roundings)) return 1;
  const thousand = (amount: number): number => Math.floor((amount + 500) / 1000) * 1000;
  return names.every((name) => thousand(figures[name]) === stated[name]) ? 2 : Infinity;
}

/** The fields and the figures of the closest sets of changes, as one text each. */
export function expectedReasons(request: ReconcileRequest): ReadonlySet<string> {
  const { net_income, tax, insurance, ...fields } = request;
  const stated = {
    net_income,
    ...(tax !== undefined && { tax }),
    ...(insurance !== undefined && { insurance }),
  };
  const given: Case = fields;
  const found = new Map<string, number>();
  const add = (set: readonly Change[], figures: Figures | undefined): void => {
    if (figures === undefined) return;
    const kind = kindOf(figures, stated);
    if (kind === Infinity || (kind === 2 && set.length > 1)) return;
    const names = set.map(([field]) => field).sort();
    const key = [...names, ...FIGURES.map((name) => figures[name])].join();
    found.set(key, set.length < 2 ? 2 * kind + set.length : 2 * (set.length + 1) + kind);
  };
  const attempt = (set: readonly Change[], isLikely = true): void => {
    const changed = { ...given, ...Object.fromEntries(set) };
    const figures = figuresOf(changed);
    add(set, figures);
    if (insurance === undefined || figures === undefined || !isLikely) return;
    if (Math.abs(figures.insurance - insurance) <= 3) return;
    const salary = salaryFor(insurance, changed);
    const { period, region = 1 } = changed as unknown as GrossCase;
    const most = Math.max(request.income, valueAt(MINIMUM_WAGE, period)[region]);
    if (salary === undefined || salary > most) return;
    add(
      [...set, ['insurance_salary', salary]],
      figuresOf({ ...changed, insurance_salary: salary }),
    );
  };
  const { likely, alone } = changesTo({ ...given, stated: insurance });
  attempt([]);
  for (const change of likely) attempt([change]);
  for (const change of alone) attempt([change], false);
  const least = (): number => Math.min(Infinity, ...found.values());
  if (least() >= 6) {
    likely.forEach((first, at) => {
      for (const second of likely.slice(at + 1))
        if (first[0] !== second[0]) attempt([first, second]);
    });
  }
  const distance = least();
  return new Set([...found].filter(([, other]) => other === distance).map(([key]) => key));
}
