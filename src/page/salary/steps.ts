/* The steps from gross to net, and from gross to the employer cost. */
import type { TaxDetail } from '../../tax/contract.ts';
import { type Child, disclosure, element, tableRow } from '../frame/dom.ts';
import { addTexts, format, text } from '../frame/texts.ts';
import { type LawOfAnswer, lawTable } from './law.ts';
import { type DetailedResult, INSURANCES } from './salary-form.ts';

addTexts(`
story | From gross to net, đồng per month | Từ lương gross đến lương net (đồng/tháng)
employerStory | Employer cost, đồng per month | Chi phí công ty (đồng/tháng)
employer.bhxh | Social insurance with the accident fund | BHXH, gồm quỹ tai nạn lao động
notModelled | Not included: union dues (đoàn phí), housing paid by the employer, severance pay.
  | Chưa tính: đoàn phí, nhà ở do công ty trả, trợ cấp thôi việc.
partOf | {rate} of {base} | {rate} × {base}
capped | {rate} of {base}, the cap: 20 × {limit} | {rate} × {base} (mức trần: 20 × {limit})
step.self_deduction | Personal deduction | Giảm trừ bản thân
step.dependent_deduction | Deduction for dependents | Giảm trừ người phụ thuộc
notBelowZero | not below 0 | không dưới 0
belowThreshold | below {amount}, from which 10% is withheld | dưới {amount}, mức bắt đầu khấu trừ
bracket | Bracket {number} ({rate}) | Bậc {number} ({rate})
netHow | gross − insurance − tax | gross − bảo hiểm − thuế
netHowUninsured | gross − tax | gross − thuế
costHow | gross + contributions | gross + phần công ty đóng
flatTax | Withheld: {rate} | Khấu trừ {rate}
`);

type Insurance = (typeof INSURANCES)[number];

/** The steps of a salary, and their law. */
export function explanationOf(data: DetailedResult): Child[] {
  const { detail } = data;
  return [
    story(data),
    employerStory(data),
    element('p.hint', text('notModelled')),
    lawDisclosure(text('law', { month: format.month(detail.period) }), detail),
  ];
}

/** The law of an answer, which is shown on request. */
export function lawDisclosure(caption: string, detail: LawOfAnswer): HTMLElement {
  return disclosure('law', caption, () => [lawTable(caption, detail)]);
}

function story(data: DetailedResult): HTMLElement {
  const { insurance, deductions, taxable_income: taxable, tax, detail } = data;
  const { exempt_income: exempt = 0, voluntary_pension: pension = 0 } = data;
  const isFlat = lawValue(detail, 'flat_tax_rate') !== undefined;
  const netHow = text(insurance.total > 0 ? 'netHow' : 'netHowUninsured');
  return stepTable('story', [
    { name: 'grossIncome', amount: data.gross_income },
    ...INSURANCES.map((name) => ({
      name,
      amount: -insurance[name],
      how: contribution(detail, 'employee', name),
    })),
    { name: 'exempt_income', amount: -exempt },
    deductionStep(detail, 'self_deduction', deductions.self),
    deductionStep(detail, 'dependent_deduction', deductions.dependents),
    { name: 'voluntary_pension', amount: -pension },
    taxableStep(taxable, isFlat ? withheldFrom(data) : undefined),
    ...bracketSteps(detail, isFlat ? 'flatTax' : 'bracket'),
    { name: 'tax', amount: tax, kind: 'sum' },
    { name: 'netIncome', amount: data.net_income, how: netHow, kind: 'sum total' },
  ]);
}

/** The row of a deduction: the number of people or months, times the deduction for each. */
export function deductionStep(detail: LawOfAnswer, rule: string, total: number): Step {
  const each = lawValue(detail, rule) ?? total;
  const count = total / each;
  return {
    name: `step.${rule}`,
    amount: -total,
    how: count > 1 && `${format.count(count)} × ${format.count(each)}`,
  };
}

function employerStory({ gross_income: gross, detail }: DetailedResult): HTMLElement {
  const {
    employer,
    insurance_base: { bhxh },
  } = detail;
  return stepTable('employerStory', [
    { name: 'grossIncome', amount: gross },
    ...INSURANCES.map((name) => ({
      name: text(`employer.${name}`) || text(name),
      amount: employer[name],
      how: contribution(detail, 'employer', name),
    })),
    {
      name: 'union_fund',
      amount: employer.union_fund ?? 0,
      how: partOf(lawValue(detail, 'union_fund_rate'), bhxh),
    },
    {
      name: 'employerCost',
      amount: employer.cost,
      how: employer.cost > gross && text('costHow'),
      kind: 'sum total',
    },
  ]);
}

/** A row of a calculation: a name or its key, an amount, its derivation, and whether it is a sum. */
export interface Step {
  readonly name: string;
  readonly amount: number;
  readonly how?: Child;
  readonly kind?: 'sum' | 'sum total' | undefined;
}

/** Creates the table of a calculation with the key of its caption, without amounts of 0 that are no results. */
export function stepTable(caption: string, rows: readonly Step[]): HTMLElement {
  const shown = rows.filter(({ amount, kind }) => amount !== 0 || kind !== undefined);
  return element(
    'table.steps',
    element('caption', text(caption)),
    element(
      'tbody',
      shown.map(({ name, amount, how, kind }) => {
        const head = [text(name) || name, how && element('span.how', how)];
        return tableRow([head, format.count(amount)], kind);
      }),
    ),
  );
}

/** The row of the taxable income. */
export function taxableStep(taxable: number, zero = text('notBelowZero')): Step {
  const how = taxable === 0 && zero;
  return { name: 'taxableIncome', amount: taxable, how, kind: 'sum' };
}

/** Why no flat tax is withheld from a salary: the threshold, if there is one. */
function withheldFrom({ gross_income: gross, detail }: DetailedResult): string {
  const threshold = lawValue(detail, 'flat_tax_threshold') ?? 0;
  return gross < threshold ? text('belowThreshold', { amount: format.dong(threshold) }) : '';
}

/** The rows of the brackets that the taxable income reaches. */
export function bracketSteps(
  { brackets }: LawOfAnswer,
  key: 'bracket' | 'flatTax' = 'bracket',
): Step[] {
  return brackets.flatMap(({ rate, taxable_amount: part, tax }, index) => {
    const name = text(key, { number: index + 1, rate: format.percent(rate) });
    return part > 0 ? [{ name, amount: tax, how: partOf(rate, part) }] : [];
  });
}

/** The value of a rule in the law of an answer. */
function lawValue({ law }: LawOfAnswer, name: string): number | undefined {
  return law.find(({ rule }) => rule === name)?.value;
}

/** The rate of a base, which a limit may have cut to 20 times its amount. */
function partOf(rate: number | undefined, base: number, limit = 0): string {
  if (rate === undefined) return '';
  return text(base === 20 * limit ? 'capped' : 'partOf', {
    rate: format.percent(rate),
    base: format.count(base),
    limit: format.count(limit),
  });
}

/** The derivation of a contribution; '' if the insurance does not apply. */
function contribution(detail: TaxDetail, side: 'employee' | 'employer', name: Insurance): Child {
  const base = detail.insurance_base[name];
  const rate = lawValue(detail, `${side}_${name}_rate`);
  const limit = lawValue(detail, name === 'bhtn' ? 'minimum_wage' : 'base_salary');
  return partOf(rate, base, limit);
}
