/**
 * Who is paid: the persons, with the fields of a request that belong together. The source of each row is in README.md
 * under “Who is paid, and what to send”.
 */
import type { TaxRequestValue } from './contract.ts';

/** The fields that depend on the person. */
export type Personal = Partial<
  Pick<
    TaxRequestValue,
    'taxation' | 'foreigner' | 'self_deduction' | 'bhxh' | 'bhyt' | 'bhtn' | 'insurance_salary'
  >
>;

/** Values, and the first salary month (YYYY-MM) in which they hold. */
type DatedValues = readonly [from: string, values: Personal];

const ALWAYS = '2015-01';

/** The values of an employee, which another person has, too, unless the row states others. */
export const EMPLOYEE = {
  taxation: 'progressive',
  foreigner: false,
  self_deduction: true,
  bhxh: true,
  bhyt: true,
  bhtn: true,
} as const;

/** The flat tax of a resident on a contract of under three months, or without one. */
const FLAT: Personal = { taxation: 'short_term' };
/** The law asks for no insurance. */
const UNINSURED: Personal = { insurance_salary: 0 };
const FLAT_UNINSURED: Personal = { ...FLAT, ...UNINSURED };
const WITHOUT_BHTN: Personal = { bhtn: false };
const FOREIGNER: Personal = { foreigner: true };

/** The values by the key of the person, in ascending order of their months. */
export const PERSONS: Readonly<Record<string, readonly DatedValues[]>> = {
  employee: [[ALWAYS, {}]],
  probation: [[ALWAYS, FLAT_UNINSURED]],
  freelance: [[ALWAYS, FLAT_UNINSURED]],
  short_contract: [
    [ALWAYS, FLAT_UNINSURED],
    ['2018-01', { ...FLAT, bhyt: false, bhtn: false }],
    ['2025-07', { ...FLAT, bhtn: false }],
    ['2026-01', FLAT],
  ],
  second_job: [[ALWAYS, { self_deduction: false, ...UNINSURED }]],
  uninsured: [[ALWAYS, UNINSURED]],
  pensioner: [[ALWAYS, UNINSURED]],
  pension_entitled: [
    [ALWAYS, {}],
    ['2026-01', WITHOUT_BHTN],
  ],
  civil_servant: [[ALWAYS, WITHOUT_BHTN]],
  foreigner: [[ALWAYS, FOREIGNER]],
  foreigner_uninsured: [
    [ALWAYS, { ...FOREIGNER, bhxh: false, bhtn: false }],
    ['2025-07', { ...FOREIGNER, ...UNINSURED }],
  ],
  non_resident: [[ALWAYS, { taxation: 'non_resident', ...FOREIGNER, ...UNINSURED }]],
  non_resident_insured: [[ALWAYS, { taxation: 'non_resident', ...FOREIGNER }]],
};

/** The values of a person in a salary month (YYYY-MM), the newest ones without a month; none for an unknown key. */
export function personalValues(key: string, month: string): Personal {
  const rows = (Object.hasOwn(PERSONS, key) && PERSONS[key]) || [];
  const [, values = {}] = rows.findLast(([from]) => from <= month) ?? rows.at(-1) ?? [];
  return values;
}
