/** The list of who is paid: it sends the requests that the document of the law shows, in every month. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PERSONS as PERSONAL_VALUES } from '../../src/tax/persons.ts';
import { calculateTax } from '../../src/tax/tax.ts';
import { Document } from '../helpers/markdown.ts';
import { scripts } from '../helpers/page-scripts.ts';
import { PERSONS, persons } from '../helpers/persons.ts';

const PERIOD = '2026-08';
const INSURANCES = ['bhxh', 'bhyt', 'bhtn'] as const;
const document = new Document('src/tax/README.md');

/** The key of the list for each person of the document. */
const KEYS: Readonly<Record<string, string>> = {
  'employee on a contract of three months or more': 'employee',
  'on probation, by a clause of the labour contract': 'employee',
  'on probation, by a contract of its own': 'probation',
  'on a contract of one to under three months': 'short_contract',
  'casual worker or freelancer': 'freelance',
  'the same, with a commitment to owe no tax': 'freelance',
  'former employee, for other work after the contract': 'freelance',
  'leaver, the last salary paid after the contract': 'short_contract',
  'on a second contract': 'second_job',
  'civil servant (công chức)': 'civil_servant',
  'salaried manager without a labour contract': 'employee',
  'pensioner at work': 'pensioner',
  'entitled to a pension, but not drawing it': 'pension_entitled',
  'foreigner on a contract of 12 months or more': 'foreigner',
  'foreigner outside the insurance': 'foreigner_uninsured',
  'non-resident': 'non_resident',
  'non-resident, 12 months or more': 'non_resident_insured',
  'part-timer paid less than the reference level': 'uninsured',
  'employee with 14 or more unpaid working days': 'uninsured',
  'hired, leaving or unpaid for 1 to 13 working days': 'employee',
  'on a paid stoppage (ngừng việc)': 'employee',
  'on sick leave for 14 or more working days': 'uninsured',
  'on maternity leave for birth or adoption': 'uninsured',
  'employee with a bonus': 'employee',
  'employee with meals in money': 'employee',
};

/** The members of a key as a request has them. */
const membersOf = (key: string, month: string): object =>
  Object.fromEntries(
    Object.entries(scripts.membersOf(key, month)).map(([name, value]) => [
      name,
      /^(?:\d+|true|false)$/.test(value) ? (JSON.parse(value) as unknown) : value,
    ]),
  );

test('the list has every person of the document, and no others', () => {
  const names = persons.map(({ name }) => name);
  assert.deepEqual(names.sort(), Object.keys(KEYS).sort());
  assert.deepEqual([...new Set(Object.values(KEYS))].sort(), [...scripts.WHO].sort());
});

for (const { name, request } of persons) {
  test(`the list gives the result of the document: ${name}`, () => {
    const { income, exempt_income = 0, insurance_salary = 0, period } = request;
    const listed = {
      ...{ income, exempt_income, period },
      ...(insurance_salary > 0 && { insurance_salary }),
      ...membersOf(KEYS[name] ?? '', PERIOD),
    };
    const expected = { exempt_income: 0, ...calculateTax(request) };
    assert.deepEqual({ ...expected, ...calculateTax(listed) }, expected);
  });
}

/** Whether an insurance is due in a month, by a cell of the table of changes. */
function isDue(cell: string, month: string): boolean {
  if (cell === 'always' || cell === 'never') return cell === 'always';
  const [, word, bound = ''] = /^(from|until) (\d{4}-\d\d)$/.exec(cell) ?? [];
  assert.ok(word !== undefined, cell);
  return word === 'from' ? month >= bound : month <= bound;
}

test('the list follows the changes of the insurance', () => {
  const changes = document.table(PERSONS, 1);
  for (const person of [
    'on a contract of one to under three months',
    'entitled to a pension',
    'foreigner outside the insurance',
  ]) {
    const [, ...cells] = changes.find(([one]) => one === person) ?? assert.fail(person);
    const key = KEYS[person] ?? 'pension_entitled';
    for (let index = 0; index < 12 * 13; index += 1) {
      const month = `${2015 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`;
      const { insurance } = calculateTax({
        ...{ income: 20_000_000, insurance_salary: 20_000_000, period: month },
        ...membersOf(key, month),
      });
      INSURANCES.forEach((name, at) => {
        const due = isDue(cells[at] ?? '', month);
        assert.equal(insurance[name] > 0, due, `${person}, ${name}, ${month}`);
      });
    }
  }
});

test('the months of every row ascend from the first month of the law', () => {
  for (const [key, rows] of Object.entries(PERSONAL_VALUES)) {
    const months = rows.map(([from]) => from);
    assert.deepEqual(months, [...new Set(months)].sort(), key);
    assert.equal(months[0], '2015-01', key);
    assert.deepEqual(membersOf(key, ''), rows.at(-1)?.[1], 'the newest without a month');
  }
  assert.deepEqual(scripts.membersOf('toString', PERIOD), {});
});

test('every row has a label and an explanation', () => {
  for (const key of scripts.WHO) {
    assert.ok(`who.${key}` in scripts.TEXTS && `why.${key}` in scripts.TEXTS, key);
  }
});

test('a label with a term of months names the labour contract, because another one is taxed at 10%', () => {
  const labels = scripts.WHO.flatMap((key) => scripts.TEXTS[`who.${key}`] ?? []);
  const terms = labels.filter((label) => /\d \S* ?(?:months|tháng)/.test(label));
  assert.equal(terms.length > 10, true);
  for (const label of terms) assert.match(label, /labour contract|HĐLĐ/i);
});
