/** The fields of a monthly salary and its result. */
import { missingField } from '../contract/failure.ts';
import {
  array,
  boolean,
  type Check,
  choice,
  integer,
  nullable,
  number,
  object,
  optional,
  type OptionalField,
  refine,
  string,
  type Value,
  withDefault,
} from '../contract/schema.ts';
import { FIRST_PERIOD, type Insurance } from './law.ts';

/** The purposes that the calculations do not serve. */
export const OTHER_PURPOSES =
  'Not for business, rental or investment income, shares, severance pay, benefits and refunds of '
  + 'the insurance, inflation, or other countries.';

/** The maximum of every amount in a request, đồng. */
export const MAXIMUM_AMOUNT = 1e12;

/** A whole amount of đồng. */
export function amount(description: string): Check<number> {
  return integer({ description, minimum: 0 });
}

/** A percentage. */
export function percent(description: string): Check<number> {
  return number({ description, minimum: 0, maximum: 100 });
}

/** An amount that a request states, đồng. */
export function givenAmount(description: string): Check<number> {
  const { schema, read } = number({
    description,
    minimum: 0,
    maximum: MAXIMUM_AMOUNT,
  });
  return {
    schema,
    read(value, field, problems) {
      const amount = read(value, field, problems);
      return amount === undefined ? undefined : Math.round(amount);
    },
  };
}

/**
 * Names of the fields in payroll files and other tools, in plain letters. A net income needs another `type`, and an
 * income per year another operation. Names with several meanings have no field: `base_salary` and `basic_salary` are
 * also the amount that caps the insurance (lương cơ sở), and `union_fee` is also the part of the employee (đoàn phí),
 * which is not modelled.
 */
const SYNONYMS = {
  income: [
    [
      new RegExp(
        '^(luong)?gross$|^(total|gross|monthly)?(salary|income|pay|wages?)$'
          + '|^(tong|muc)?(luong|thunhap)$',
      ),
    ],
    [
      /^(tien)?(bonus(es)?|thuong)$|^(luongthang)?13|^thirteenth/,
      'a bonus is part of it, but not of `insurance_salary`',
    ],
  ],
  type: /^(salary|income|calculation)(type|mode)$/,
  dependents: /^(so(luong)?|num(ber)?(of)?)?(nguoiphuthuoc|npt|depend[ae]nts?)(count)?$/,
  taxation: /^(is|tax)?(non)?residen(t|cy)(status)?$|^(khong)?cutru$|^(tax|pit)(method|mode)$/,
  foreigner: /^(is)?(foreign(er)?|expat)$|^nationality$|^(nguoi)?nuocngoai$|^quoctich$/,
  period: /^(salary|payroll)?month$|^pay(roll)?period$|^(ky|thang)(tinh)?(luong)?$/,
  paid_in: /^pay(ment)?date$|^paymentmonth$|^(ngay|thang)(chi)?traluong$/,
  region: /^((minimum)?wage|salary)?(region|zone)(code)?$|^vung(luong)?(toithieu)?$/,
  insurance_salary:
    /^(insur(ed|able|ance)|contract)(salary|base)$|^(muc)?luong(dong)?(bh(xh)?|baohiem|hopdong)$/,
  exempt_income: new RegExp(
    '^(tax)?(exempt|free)(income|pay|allowances?)?$|^nontaxable(income|pay|allowances?)?$'
      + '|^(meals?|lunch|overtime)(pay|allowances?)?$'
      + '|^(tien|phucap)?(an(trua|(giua)?ca)|tangca|lamthem(gio)?)$'
      + '|^(thunhap|phucap|khoan)?(duoc)?(mien|khong(tinh|chiu))thue(tncn)?$',
  ),
  self_deduction: /^(has|use)?(personal|self)(deduction|relief)$|^(tinh)?giamtrubanthan$/,
  bhxh: /^(has|pays)(socialinsurance|bhxh)$|^(co|thamgia)(bhxh|baohiemxahoi)$/,
  bhyt: /^(has|pays)(healthinsurance|bhyt)$|^(co|thamgia)(bhyt|baohiemyte)$/,
  bhtn: /^(has|pays)(unemploymentinsurance|bhtn)$|^(co|thamgia)(bhtn|baohiemthatnghiep)$/,
  union_fund: /^tradeunionfund$|^kpcd$|^kinhphicongdoan$/,
  voluntary_pension:
    /^(voluntary)?pension(fund)?$|^(life|voluntary)insurance$|^huutri(tunguyen)?$|^baohiemnhantho$/,
} as const;

/**
 * A boolean with a default. An absent flag stays absent, because adding the defaults of all flags to a request would
 * take several percent of the time of a calculation.
 */
function flag(byDefault: boolean, description: string): OptionalField<boolean> {
  const { schema, read } = boolean(description);
  return optional({ read, schema: { ...schema, default: byDefault } });
}

/** The format of a month, YYYY-MM. */
export const MONTH = /^\d{4}-(0[1-9]|1[0-2])$/;

/** The pattern of the months from FIRST_PERIOD on; the tests compare it with `coveredMonth`. */
const COVERED_MONTH = /^(201[5-9]|20[2-9]\d|2[1-9]\d{2}|[3-9]\d{3})-(0[1-9]|1[0-2])$/;

/** A month (YYYY-MM) that the law tables cover. */
export function coveredMonth(description: string): Check<string> {
  const covered = `${FIRST_PERIOD} or later`;
  const text = string({
    description: `${description} (YYYY-MM, ${covered})`,
    pattern: COVERED_MONTH.source,
  });
  const month = refine(text, 'malformed', 'a month as YYYY-MM', (value) => MONTH.test(value));
  return refine(month, 'out_of_range', covered, (value) => value >= FIRST_PERIOD);
}

/** A salary month that the law tables cover. */
export const period = coveredMonth('The salary month, which selects the law');

/** The last month whose law has been compared with the tables. */
export const reviewedThrough = string({
  description: 'Last month up to which the law has been reviewed, YYYY-MM',
  pattern: MONTH.source,
});

/** The source of a value of the law. */
export const source = {
  effective_from: string({
    title: 'FirstMonth',
    description: 'First month of the value (YYYY-MM)',
    pattern: MONTH.source,
  }),
  instrument: string({
    title: 'Instrument',
    description: 'Legal instrument that sets the value',
    minLength: 1,
  }),
};

const type = choice(
  ['gross', 'net', 'cost'],
  'Whether `income` is gross, net, or the cost: all that the employer spends',
);

const dependents = integer({
  description: 'Registered dependents, without the employee',
  minimum: 0,
  maximum: 50,
});

const taxation = choice(
  ['progressive', 'short_term', 'non_resident'],
  '`progressive`: resident with a contract of three months or more, on probation within one, civil '
    + 'servant or salaried manager; `short_term`: resident with a shorter contract, one for '
    + 'probation, none, or paid after its end: flat 10 % of payments from 5,000,000 (until '
    + '2026-06, 2,000,000); `non_resident`: in Vietnam for under 183 days both of the year and of '
    + 'the 12 months from arrival: flat 20 %. `taxation` does not change the insurance',
);

const region = choice([1, 2, 3, 4], 'Minimum-wage region of the workplace; it caps `bhtn`');

const salary = object(
  {
    income: givenAmount(
      'Income or cost of the month, with its bonuses. With a bonus (a 13th month is one), '
        + '`insurance_salary` is the salary without it. For a civil servant, coefficient × '
        + '`base_salary`, which `detail.law` gives. For a pensioner or a foreigner outside '
        + 'insurance, with the share that the employer pays out instead of contributing',
    ),
    type: withDefault(type, 'gross'),
    dependents: withDefault(dependents, 0),
    taxation: withDefault(taxation, 'progressive'),
    foreigner: flag(
      false,
      'Whether the employee is not a Vietnamese citizen: no `bhtn`, and `bhxh` by other rules',
    ),
    period: optional(
      coveredMonth(
        'The salary month, which selects the law; by default the current month in Vietnam, so that '
          + 'answers change when a law begins',
      ),
    ),
    paid_in: optional(
      coveredMonth(
        'The month of payment, which selects the tax law; by default `period`, which it requires',
      ),
    ),
    region: withDefault(region, 1),
    insurance_salary: optional(
      givenAmount(
        'Salary on which insurance is paid, without overtime and bonuses; by default gross − '
          + '`exempt_income`. With 1 to 13 unpaid working days, as when hired or leaving, the '
          + 'full contract salary, also above the income. 0 for no insurance: casual work without '
          + 'a labour contract, probation by a contract of its own, a second contract, 14 or more '
          + 'unpaid working days, maternity leave, a pensioner at work, a foreigner on a contract '
          + 'of under 12 months or transferred within the company (until 2025-06, `bhxh`: false '
          + 'instead). Required with a `taxation` other than progressive or `self_deduction` '
          + 'false, unless `bhxh` and `bhyt` are false',
      ),
    ),
    exempt_income: optional(
      givenAmount(
        'Tax-free part of the gross income, not checked: such as overtime, pay for untaken leave '
          + '(taxed until 2025), meals in money up to 1,200,000 (until 2026-06, 730,000), '
          + 'rent paid by the employer above 15 % of the other taxed income; under `short_term`, '
          + 'all of it with a signed commitment to owe no tax for the year',
      ),
    ),
    self_deduction: flag(
      true,
      'Whether the personal deduction is used here; false if another employer uses it',
    ),
    bhxh: flag(true, 'Whether both sides pay social insurance'),
    bhyt: flag(true, 'Whether both sides pay health insurance'),
    bhtn: flag(
      true,
      'Whether both sides pay unemployment insurance; false for civil servants (công chức, not '
        + 'viên chức) and, from 2026, employees entitled to a pension',
    ),
    voluntary_pension: optional(
      givenAmount(
        'Contributions of the month to a voluntary '
          + 'or supplementary pension and, from 2026, to life insurance; those of the '
          + 'employer count if `income` includes them. Deducted up to a limit, but not from a flat '
          + 'tax; not subtracted from the net income',
      ),
    ),
    union_fund: flag(
      true,
      'Whether the cost includes the trade-union fund (2 %), which only bodies that the State '
        + 'budget pays in full do not owe; many calculators leave it out',
    ),
    detail: flag(false, 'Whether to add `detail`: the cost, the month and the law that were used'),
  },
  'A salary and what determines its insurance and tax; amounts are whole đồng (VND) per month',
  undefined,
  SYNONYMS,
);

/**
 * The request of the tax operation. A month of payment requires the salary month: the insurance would otherwise follow
 * the clock. Without the progressive tax or the personal deduction, the contract decides about the insurance, so that
 * its salary is required.
 */
export const taxRequest: typeof salary = {
  ...salary,
  read(value, path, problems) {
    const checked = salary.read(value, path, problems);
    if (checked === undefined) return undefined;
    // A field that fails its check is a member, too, but null is no value.
    const isPaid =
      'paid_in' in checked && (value as { readonly paid_in: unknown }).paid_in !== null;
    if (isPaid && !('period' in checked)) problems.push(missingField('period', ' with `paid_in`'));
    const reason = !('insurance_salary' in checked) && reasonToInsure(checked);
    if (reason) {
      const content =
        'the salary of the contract; 0 without a labour contract, or with one for probation, a '
        + 'second one, or one of a foreigner for under 12 months';
      problems.push(missingField('insurance_salary', `${reason}: ${content}`));
    }
    return checked;
  },
};

/** Why the insured salary is required, in words; undefined if it is not. */
export function reasonToInsure(
  request: Pick<Value<typeof salary>, 'taxation' | 'self_deduction' | Insurance>,
): string | undefined {
  const { taxation, self_deduction, bhxh, bhyt } = request;
  if (bhxh === false && bhyt === false) return undefined;
  if (taxation !== 'progressive' && taxation) return ` with \`taxation\` "${taxation}"`;
  return self_deduction === false ? ' with `self_deduction` false' : undefined;
}

const insurances = {
  bhxh: amount('Social insurance'),
  bhyt: amount('Health insurance'),
  bhtn: amount('Unemployment insurance'),
};

const contributions = object(
  {
    ...insurances,
    total: amount('Sum of the three'),
  },
  'Contributions of the employee, đồng',
  'Contributions',
);

const insuranceBase = object(
  insurances,
  'Salary in đồng on which each insurance is calculated, after its cap; 0 if its field is false. A '
    + 'foreigner owes no `bhtn` on it',
  'InsuranceBase',
);

/** A row of `brackets`. */
export const bracketRow = object(
  {
    rate: percent('Tax rate, percent'),
    from: amount('Taxable income above this amount'),
    to: nullable(amount('Taxable income up to this amount, included; null in the last bracket')),
    taxable_amount: amount('Portion of the taxable income in this bracket'),
    tax: amount('Tax on this portion'),
  },
  'A bracket, and the portion of the taxable income in it, đồng',
  'Bracket',
);

/** A row of `law`. */
export const lawRow = object(
  {
    rule: string({ description: 'Name of the rule', minLength: 1 }),
    value: optional(
      number({
        description: 'Value of the rule: đồng, percent or months; `brackets` has those of the tax',
        minimum: 0,
      }),
    ),
    ...source,
  },
  'A value of the law that was used',
  'LawRow',
);

/** The rate on the last đồng of taxable income. */
export const marginalRate = percent(
  'Rate of the highest bracket reached, percent; 0 if no income is taxable',
);

const employer = object(
  {
    ...insurances,
    bhxh: amount(
      'Social insurance, including the fund for accidents at work (0.5 %), which '
        + 'payslips show separately',
    ),
    union_fund: optional(
      amount('Trade-union fund, 0 if no social insurance is due; absent if `union_fund` is false'),
    ),
    total: amount('Sum of the contributions'),
    cost: amount('Gross income + `total`'),
  },
  'Contributions of the employer, in addition to the gross income, đồng',
  'EmployerContributions',
);

const taxDetail = object(
  {
    period,
    paid_in: optional(coveredMonth('The month of payment')),
    reviewed_through: reviewedThrough,
    region,
    insurance_base: insuranceBase,
    brackets: array(
      bracketRow,
      'The brackets in force, one for a flat tax; their amounts add up to '
        + '`taxable_income` and `tax`',
    ),
    employer,
    effective_rate: percent('Tax in percent of the gross income, rounded half up to two decimals'),
    marginal_rate: marginalRate,
    law: array(lawRow, 'The values of the law in force that concern the request'),
  },
  'How the result was calculated; only if `detail` is true',
  'TaxDetail',
);

const deductions = object(
  {
    self: amount('For the taxpayer; 0 if `self_deduction` is false'),
    dependents: amount('For all dependents'),
    total: amount('Sum of the two'),
  },
  'Statutory family deductions in đồng, without the insurance and not limited to the income; 0 '
    + 'under a flat tax',
  'Deductions',
);

/** The result of the tax operation, in whole đồng per month. */
export const taxResult = object(
  {
    gross_income: amount('Gross income'),
    insurance: contributions,
    deductions,
    exempt_income: optional(
      amount('Tax-free part of the gross income; only if the request has the field'),
    ),
    voluntary_pension: optional(
      amount(
        'The deductible part of `voluntary_pension`, 0 under a '
          + 'flat tax; only if the request has the field',
      ),
    ),
    taxable_income: amount(
      'Thu nhập tính thuế: gross income − exempt income − contributions − deductions − voluntary '
        + 'pension, never negative (thu nhập chịu thuế is before deductions); under a flat '
        + 'tax gross income − exempt income, or 0 below the threshold',
    ),
    tax: amount('Personal income tax'),
    net_income: amount('Gross income − contributions − tax'),
    detail: optional(taxDetail),
  },
  'Salary breakdown, đồng per month',
  'TaxResult',
);

/** A checked request of the tax operation, with its defaults, except those of flags. */
export type TaxRequestValue = Value<typeof taxRequest>;
/** An amount for each compulsory insurance. */
export type Insurances = Value<typeof insuranceBase>;
/** The contributions to the insurances, and their sum. */
export type Contributions = Value<typeof contributions>;
/** A salary breakdown, in whole đồng per month. */
export type TaxResult = Value<typeof taxResult>;
/** How a result was calculated. */
export type TaxDetail = Value<typeof taxDetail>;
/** A bracket of the progressive tax, and the portion of the income in it. */
export type BracketRow = Value<typeof bracketRow>;
/** A value of the law that was used. */
export type LawRow = Value<typeof lawRow>;
