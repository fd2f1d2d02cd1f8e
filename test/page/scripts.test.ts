/** The parts of the page that need no browser. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { compress } from '../../src/composition/app.ts';
import { createFetchHandler } from '../../src/subpaths/fetch.ts';
import { operations } from '../../src/operations/operations.ts';
import { REASONS } from '../../src/reconcile/reasons.ts';
import type { ProblemCode } from '../../src/contract/failure.ts';
import type { Answer } from '../../src/service/answer.ts';
import { serviceOf } from '../../src/service/service.ts';
import * as law from '../../src/tax/law.ts';
import { calculateTax, type TaxRequest } from '../../src/tax/tax.ts';
import { serviceOptions } from '../helpers/fixture.ts';
import {
  calculators,
  type Field,
  FOLDER,
  scriptNames,
  scripts,
  type Values,
} from '../helpers/page-scripts.ts';
import { pageFiles, readText } from '../helpers/repository.ts';
import { mustBeStated } from '../helpers/tax-oracle.ts';
import { vectors } from '../helpers/vectors.ts';

/** The most bytes and requests of the first answer. */
const [LARGEST_FIRST, MOST_FIRST] = [46_000, 4];
const [salary, growth] = [calculators['salary']!, calculators['growth']!];

/** Where a module defines its texts. */
const DEFINITIONS = /addTexts\(`\n[\s\S]*?\n`\);/;

interface Schema {
  readonly properties: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly required: readonly string[];
}

test('the first answer takes at most 46,000 bytes in four requests of a browser', () => {
  const service = serviceOf(serviceOptions({ page: '', gzip: compress }));
  const get = (target: string, codings: string): Answer => {
    const headers = { accept: 'text/html', 'accept-encoding': codings };
    const routed = service.route({ method: 'GET', target, headers });
    assert.ok(routed.kind === 'answer' && routed.answer.status === 200, target);
    return routed.answer;
  };
  for (const codings of ['gzip', 'gzip, deflate, br', 'gzip, deflate, br, zstd']) {
    for (const language of ['en', 'vi']) {
      const document = get(`/?lang=${language}`, codings);
      const textOf = ({ body }: Answer): string => gunzipSync(body).toString();
      const names = [...textOf(document).matchAll(/<(?:link|script) .*?(?:href|src)="([^"]+)"/g)];
      const others = names.map(([, name]) => get(`/${name}`, codings));
      const answers = [document, ...others];
      assert.ok(others.length === MOST_FIRST - 1, `${answers.length} requests`);
      for (const other of others) assert.doesNotMatch(textOf(other), /@import|url\(|^import /m);
      const size = answers.reduce((sum, { body }) => sum + body.length, 0);
      assert.ok(size > 10_000 && size <= LARGEST_FIRST, `${size} bytes, ${codings}`);
    }
  }
});

/** Syntax and functions that Chrome 100, Firefox 104 or Safari 15.4 lacks. */
const NEWER: Readonly<Record<string, RegExp>> = {
  'page.js': new RegExp(
    [
      String.raw`\(\?<[=!]`,
      String.raw`\bstatic \{`,
      String.raw`\.(?:to(?:Sorted|Reversed|Spliced)|findLastIndex|isWellFormed)\(`,
      'AbortSignal\\.(?:any|timeout)',
      'withResolvers',
      'fromAsync',
      'groupBy',
      'checkVisibility',
      'popover',
      'Response\\.json',
      'requestIdleCallback',
      'scheduler\\.',
      'navigation\\.',
      'setHTML',
    ].join('|'),
  ),
  'page.css':
    /light-dark|:has\(|color-mix|oklch|@layer|@scope|@starting-style|^\s*&|popover|\d(?:dvh|svh|lvh)|subgrid|@media \([^)]*[<>]/m,
};

test('the page uses nothing that browsers of 2022 lack', () => {
  const code = readText('dist/src/page/page.js') + readText('dist/src/page/more.js');
  const style = readText('dist/src/page/page.css');
  assert.doesNotMatch(code, NEWER['page.js']!);
  assert.doesNotMatch(style, NEWER['page.css']!);
  const [fallback = '', ...guarded] = style.split(/@supports \(container-type: inline-size\) \{/);
  assert.ok(guarded.length === 1 && /\.figure \{[^}]*vw/.test(fallback));
  assert.doesNotMatch(fallback, /cqi|@container/);
});

test('the build packs the files that the service sends, and no others', () => {
  const service = serviceOf(serviceOptions({ page: '' }));
  const hasFile = (name: string): boolean => {
    const routed = service.route({ method: 'GET', target: `/page/${name}`, headers: {} });
    return routed.kind === 'answer' && routed.answer.status === 200;
  };
  const built = pageFiles();
  assert.deepEqual(
    built.filter((name) => !name.startsWith('index') && !hasFile(name)),
    [],
  );
  for (const name of ['index.en.html', 'notes.txt', 'app.ts', 'tsconfig.json']) {
    assert.ok(!hasFile(name), name);
  }
  const { files } = JSON.parse(readText('package.json')) as { readonly files: readonly string[] };
  assert.deepEqual(
    files.filter((path) => path.startsWith('dist')),
    ['dist/src'],
  );
});

test('every text is there in every language, with the same placeholders', () => {
  const placesOf = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
  assert.ok(Object.keys(scripts.TEXTS).length > 150);
  for (const [key, translations] of Object.entries(scripts.TEXTS)) {
    assert.equal(translations.length, scripts.LANGUAGES.length, key);
    for (const text of translations) {
      assert.ok(text.trim() !== '' && text.normalize('NFC') === text, key);
      assert.deepEqual(placesOf(text), placesOf(translations[0] ?? ''), key);
    }
  }
});

test('every reason of the service has words in the page, with the same placeholders', () => {
  for (const [key, english] of REASONS) {
    const [words = ''] = scripts.TEXTS[`reason.${key}`] ?? [];
    assert.deepEqual(words.match(/\{\w+\}/g), english.match(/\{\w+\}/g), key);
  }
});

test('every text that the code asks for exists, and every text is asked for', () => {
  const code = scriptNames()
    .map((name) => readText(FOLDER + name).replace(DEFINITIONS, ''))
    .join('\n');
  for (const [, key = ''] of code.matchAll(/\b(?:text|counted)\('([\w.]+)'/g)) {
    assert.ok(key in scripts.TEXTS || `${key}.one` in scripts.TEXTS, key);
  }
  const fields = Object.values(calculators).flatMap((calculator) => calculator.fields);
  const flags = ({ name, kind }: Field): string[] =>
    kind === 'flag' ? [`${name}.true`, `${name}.false`] : [];
  const named = new Set(
    fields.flatMap((field) => [field.name, ...(field.options ?? []), ...flags(field)]),
  );
  for (const field of fields) {
    assert.ok(field.name in scripts.TEXTS, field.name);
    for (const option of field.options ?? []) {
      assert.ok(option in scripts.TEXTS || `${field.name}.${option}` in scripts.TEXTS, option);
    }
  }
  for (const key of Object.keys(scripts.TEXTS)) {
    const [group = '', ending = ''] = key.split('.');
    const isNamed = new RegExp(`\\b${key}\\b|'${group}'|\`${group}\\.`).test(code);
    const isAsked = isNamed || named.has(key) || (ending !== '' && code.includes(`}.${ending}`));
    assert.ok(isAsked || ending === 'net' || ending === 'gross', key);
  }
});

test('every text is defined in one module', () => {
  const keys = scriptNames().flatMap((name) => {
    const [texts = ''] = DEFINITIONS.exec(readText(FOLDER + name)) ?? [];
    return [...texts.matchAll(/^(\S+) \| /gm)].map(([, key]) => key);
  });
  assert.equal(keys.length, Object.keys(scripts.TEXTS).length);
  assert.equal(
    new Set(keys).size,
    keys.length,
    keys.filter((key, index) => keys.indexOf(key) !== index).join(),
  );
});

/** The options of a field of which the page shows a part. */
const SHOWN_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  'growth.solve_for': ['monthly_deposit', 'years'],
};

/** Fields that the page asks for, although the service has a default. */
const ASKED = ['growth.compounding'];

test('fields, bounds, options and defaults are those of the operations', () => {
  for (const { name, calculationOf, fields } of Object.values(calculators)) {
    const sought = fields.find((field) => field.name === 'solve_for')?.options ?? [''];
    const paths = new Set(sought.map((option) => calculationOf({ solve_for: option }).path));
    const schemas = operations
      .filter((one) => paths.has(one.path))
      .map((one) => one.request.schema as unknown as Schema);
    assert.ok(schemas.length > 0, name);
    const properties = Object.assign(
      {},
      ...schemas.map((schema) => schema.properties),
    ) as Schema['properties'];
    // `solve_for` selects the operation: it is optional on the page, and required by the operation that has it.
    const required = schemas
      .flatMap((schema) => schema.required)
      .filter((field) => field !== 'solve_for');
    for (const field of fields) {
      if (schemas.length < paths.size && properties[field.name] === undefined) continue; // not in this service
      const label = `${name}.${field.name}`;
      if (field.members !== undefined) {
        const sent = (field.options ?? []).flatMap((option) =>
          Object.entries(field.members!({ [field.name]: option })),
        );
        for (const [member, value] of sent) {
          const allowed = properties[member]?.['enum'] as unknown[] | undefined;
          assert.ok(member in properties, `${label}: ${member}`);
          assert.ok(allowed?.includes(value) !== false, `${label}: ${value}`);
        }
        assert.ok(sent.length > 0, label);
        continue;
      }
      const schema = properties[field.name];
      assert.ok(schema, label);
      assert.equal(
        field.isRequired === true,
        required.includes(field.name) || ASKED.includes(label),
        label,
      );
      assert.equal(field.initial ?? '', String(schema['default'] ?? ''), label);
      if (field.options) {
        const options = SHOWN_OPTIONS[label] ?? (schema['enum'] as unknown[]).map(String);
        assert.deepEqual(
          field.options.filter((option) => option !== ''),
          options,
          label,
        );
      }
      const bounds = [schema['minimum'] ?? schema['exclusiveMinimum'], schema['maximum']];
      assert.deepEqual(field.range ?? [undefined, undefined], bounds, label);
    }
  }
});

/** A view and its field, a condition in its contract, if it has one, and the words by which the page shows it. */
type Condition = readonly [name: string, stated?: string, en?: string, vi?: string];

test('every field of every view shows the conditions that the contract states', () => {
  const conditions = vectors<Condition>('conditions');
  const names: string[] = [];
  for (const { name: view, calculationOf, fields } of Object.values(calculators)) {
    const paths = new Set(['', 'years'].map((option) => calculationOf({ solve_for: option }).path));
    const schemas = operations
      .filter(({ path }) => paths.has(path))
      .map(({ request }) => request.schema as unknown as Schema);
    for (const { name, label = name, options = [] } of fields) {
      const schema = schemas.find(({ properties }) => name in properties);
      if (schema === undefined) continue; // who is paid explains each choice
      const description = String(schema.properties[name]?.['description']);
      const keys = [label, `hint.${label}`, ...options];
      names.push(`${view}.${name}`);
      for (const [field, stated = '', ...shown] of conditions) {
        if (field !== `${view}.${name}`) continue;
        assert.ok(description.includes(stated), `${field}: ${stated}`);
        shown.forEach((words = '', language) => {
          const texts = keys.map((key) => scripts.TEXTS[key]?.[language] ?? '').join(' ');
          assert.ok(texts.toLowerCase().includes(words.toLowerCase()), `${field}: ${words}`);
        });
      }
    }
  }
  assert.deepEqual(names.sort(), [...new Set(conditions.map(([field]) => field))].sort());
});

test('the condition of the months of a foreigner is in sight, where the deduction is 12 months', () => {
  const { fields } = calculators['year']!;
  const months = fields.find(({ name }) => name === 'self_months');
  assert.ok(months !== undefined && months.isExtra !== true);
});

test('the page calculates the answers of the service, and shows developers its bytes', async () => {
  const respond = createFetchHandler();
  const bodies: Readonly<Record<string, readonly string[]>> = {
    salary: [
      '{"income":30000000, "period":"2026-08", "detail":true}',
      '{"income":-1, "period":"2014-01", "x":1}',
      '{"income":45000000, "type":"net", "period":"2026-01"}',
      '{"income":1000000, "type":"cost", "insurance_salary":50000000, "period":"2026-09"}',
    ],
    year: [
      '{"year":2026, "income":390000000, "withheld":11755000, "detail":true}',
      '{"year":2014}',
    ],
    growth: [
      '{"principal":100000000, "annual_rate":8.5, "years":1.5}',
      '{"principal":"1"}',
      '{}',
      '{"solve_for":"years", "target":1000000000, "principal":1, "monthly_deposit":5000000, "annual_rate":6}',
    ],
  };
  for (const [name, requests] of Object.entries(bodies)) {
    for (const body of requests) {
      const values = { solve_for: body.includes('solve_for') ? 'years' : '' };
      const calculation = calculators[name]!.calculationOf(values);
      const response = await respond(
        new Request(`http://localhost${calculation.path}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body,
        }),
      );
      const request = JSON.parse(body) as Readonly<Record<string, unknown>>;
      const text = await response.text();
      const { data, error } = JSON.parse(text) as { data?: unknown; error?: { details: unknown } };
      const reply = scripts.replyTo(calculation, request);
      const expected = error === undefined ? { data, problems: [] } : { problems: error.details };
      assert.deepEqual(reply, expected, `${name} ${body}`);
      if (error === undefined) {
        assert.equal(scripts.responseTo(calculation, request), text, `${name} ${body}`);
      }
    }
  }
});

test('an amount that is too small, or has two readings, is asked about', () => {
  const meanings: Readonly<Record<string, string>> = {
    30: '30000000',
    32.5: '32500000',
    25000: '25000000',
    999999: '999999000',
    '25,000k': '25000000',
    '25.000 nghìn': '25000000',
  };
  for (const value of [...Object.keys(meanings), '0', '1000000', '', 'abc', '-5']) {
    assert.equal(scripts.scaledUp(value, 1_000_000), meanings[value], value);
  }
});

test('the page reads what it writes', () => {
  for (const language of scripts.LANGUAGES) {
    for (const value of '0 7 1234 30000000 12.5 1.234 999.999 1234.567 -1.500 0.125'.split(' ')) {
      const written = scripts.writeNumber(value, language, true);
      const amount = scripts.readAmount(written, language);
      assert.equal(Number(amount), Number(value), `${language} ${written}`);
    }
    const { compact, month, duration, percent } = scripts.formatsOf(language);
    for (const amount of [10 ** 12, 10 ** 15, 25_000_000, 1_500_000_000]) {
      const written = `${compact!(amount as never)} đồng`;
      assert.equal(scripts.readTypedAmount(written, language), String(amount), written);
    }
    for (let number = 1; number <= 12; number += 1) {
      const value = `2026-${String(number).padStart(2, '0')}`;
      assert.equal(scripts.readTypedMonth(month!(value as never)), value);
    }
    for (const years of [0.5, 1.5, 2, 10]) {
      assert.equal(scripts.readTerm(duration!(years as never)), String(years));
    }
    for (const ending of ['', ' per year', ' per annum', '/năm', ' một năm']) {
      assert.equal(scripts.readRate(percent!(5.2 as never) + ending), '5.2', ending);
    }
    const { dong } = scripts.formatsOf(language);
    for (const amount of [0, 7, 1_234, 25_000_000, 10 ** 12]) {
      assert.equal(scripts.readAmount(dong!(amount as never), language), String(amount));
    }
  }
});

test('rates, whole numbers, months and terms are read as people write them', () => {
  const year = new Date().toLocaleDateString('sv', { timeZone: 'Asia/Ho_Chi_Minh' }).slice(0, 4);
  /** The texts for each value, and those that are no value and stay as they are. */
  const table = (
    read: (text: string) => string,
    values: Readonly<Record<string, readonly string[]>>,
    others: readonly string[],
  ): void => {
    for (const [value, texts] of Object.entries(values)) {
      for (const text of texts) assert.equal(read(text), value, text);
    }
    for (const text of others) assert.equal(read(text), text, text);
  };
  table(
    scripts.readDecimal,
    { 8.5: ['8.5', '8,5', '8,5 %', '8.5%', '8,5 phần trăm'], '-2.25': ['-2,25'], '-2': ['−2'] },
    ['1,2,3', '6 5', 'x', '%'],
  );
  table(scripts.readInteger, { 12: ['12', '１２'], 2: ['02'], '-1': ['-1'] }, [
    '1,5',
    '1 2',
    'two',
    '',
  ]);
  const august = ['08/2026', '8/2026', '8-2026', '8.2026', '2026-08', '082026', '202608'];
  table(
    scripts.readMonth,
    { '2026-08': [...august, 'tháng 8/2026', 'tháng 8 năm 2026', 'T8/2026'] },
    ['45962', '46296', '13/2026', '08', '', '08/26'],
  );
  table(
    scripts.readTypedMonth,
    {
      '2026-08': ['8/2026'],
      '2026-03': ['3/26', '03-26', 'tháng 3/26'],
      [`${year}-12`]: ['T12'],
      [`${year}-03`]: ['tháng 3', 'month 3'],
    },
    ['tháng 13', '13/26', '1/2/26', '08', '3', ''],
  );
  table(
    scripts.readTerm,
    {
      10: ['10'],
      1.5: ['1,5', '18 tháng', '1 năm 6 tháng'],
      '1.08333333': ['13 months'],
      1: ['1 year'],
      2.25: ['2y3m'],
    },
    ['x', '', '0 tháng'],
  );
  for (let months = 1; months <= 1_200; months += 1) {
    assert.equal(scripts.monthsOf(scripts.yearsOf(months)), months);
  }
  assert.equal(scripts.monthsOf('1.08'), undefined);
  assert.deepEqual(['2026-08', '2026-8', ''].map(scripts.writeMonth), ['08/2026', '2026-8', '']);
});

test('numbers are written digit by digit', () => {
  assert.equal(
    scripts.writeNumber('12345678901234567890.120', 'vi', true),
    '12.345.678.901.234.567.890,120',
  );
  assert.equal(scripts.writeNumber('-1234.5', 'en', true), '-1,234.5');
  assert.equal(scripts.writeNumber('8.5', 'vi', false), '8,5');
  assert.equal(scripts.writeNumber('abc', 'vi', true), 'abc');
});

test('every number has the same minus sign', () => {
  for (const language of scripts.LANGUAGES) {
    const formats = scripts.formatsOf(language);
    for (const format of ['count', 'dong', 'percent'] as const) {
      const text = formats[format](-5 as never);
      assert.ok(text.includes('−') && !text.includes('-'), text);
    }
  }
});

test('a request holds what is required and what differs from the defaults', () => {
  const values = { ...scripts.examplesOf(salary.fields), income: '30000000.50', period: '' };
  const odd = { income: 'abc', region: '9', dependents: '1.000', period: '2026-08' };
  const freelance = { who: 'freelance', voluntary_pension: '1000000' };
  const other = { who: 'other', taxation: 'non_resident', bhtn: 'false' };
  const untaxed = { income: 30_000_000.5, taxation: 'short_term', insurance_salary: 0 };
  const cases: readonly (readonly [given: Values, request: object])[] = [
    [{}, { income: 30_000_000.5 }],
    [odd, { income: 'abc', dependents: '1.000', period: '2026-08', region: 9 }],
    [{ dependents: '' }, { income: 30_000_000.5 }],
    // The person excludes fields.
    [freelance, untaxed],
    [{ ...freelance, insurance_salary: '20000000' }, untaxed],
    [other, { income: 30_000_000.5, taxation: 'non_resident', bhtn: false }],
    // The service refuses a person that the list does not have.
    [
      { ...other, who: 'toString' },
      { income: 30_000_000.5, who: 'toString' },
    ],
  ];
  for (const [given, request] of cases) {
    const body = scripts.bodyOf(salary, { ...values, ...given });
    assert.equal(body, JSON.stringify({ ...request, detail: true }));
  }
});

test('the personal deduction is in the request of a progressive person who is not in the list', () => {
  const values = { ...scripts.examplesOf(salary.fields), self_deduction: 'false' };
  const isSent = (changed: Values): boolean =>
    scripts.bodyOf(salary, { ...values, ...changed }).includes('"self_deduction":false');
  assert.ok(isSent({ who: 'other' }));
  assert.ok(isSent({ who: 'second_job' }), 'the person stands for it');
  for (const changed of [{ who: 'employee' }, { who: 'other', taxation: 'non_resident' }]) {
    assert.ok(!isSent(changed), JSON.stringify(changed));
  }
});

test('what few people need is folded in the form of a salary', () => {
  const plain = salary.fields.filter(({ isExtra }) => isExtra !== true);
  const persons = ['taxation', 'bhxh', 'bhyt', 'bhtn', 'foreigner', 'self_deduction'];
  assert.deepEqual(
    plain.map(({ name }) => name),
    ['income', 'type', 'who', ...persons, 'dependents'],
  );
});

test('the page asks about a salary of less than a million, and other pay of less than 100,000', () => {
  const { linked = [] } = salary;
  const amounts = linked.filter(({ least }) => least !== undefined);
  const bounds = amounts.map(({ name, least = 0 }) => {
    const asked = (value: number): boolean => scripts.scaledUp(String(value), least) !== undefined;
    return [name, [99_999, 100_000, 999_999, 1_000_000].filter(asked)];
  });
  const [ofSalary, ofPayment] = [[99_999, 100_000, 999_999], [99_999]];
  assert.deepEqual(Object.fromEntries(bounds), {
    income: ofSalary,
    exempt_income: ofPayment,
    insurance_salary: ofSalary,
    voluntary_pension: ofPayment,
    net_income: ofSalary,
  });
});

test('a refusal names the fields of its problems', () => {
  const request = { income: 'x', dependents: 51 };
  const { problems } = scripts.replyTo(salary.calculationOf({}), request);
  assert.deepEqual(
    problems.map(({ field }) => field),
    ['income', 'dependents'],
  );
});

test('the members for a person are those of the salary month', () => {
  const values = { ...scripts.examplesOf(salary.fields), who: 'short_contract' };
  const sent = (period: string): string => scripts.bodyOf(salary, { ...values, period });
  assert.match(sent('2017-12'), /"insurance_salary":0/);
  assert.match(sent('2025-06'), /"taxation":"short_term","bhyt":false,"bhtn":false/);
  assert.match(sent('2026-01'), /"taxation":"short_term","period"/);
});

test('a link has a person of the list, or the members of another one', () => {
  const cases: readonly (readonly [query: string, values: object, others?: object])[] = [
    ['income=1', { who: 'employee', taxation: 'progressive' }],
    ['income=1&who=probation', { who: 'probation', taxation: 'progressive' }],
    [
      'income=1&who=other&taxation=short_term&bhxh=false',
      { who: 'other', taxation: 'short_term', bhxh: 'false', bhyt: 'true' },
    ],
    // What a link does not say of the second plan is as in the first.
    ['income=1&who=civil_servant&vs.who=freelance', { who: 'civil_servant' }, { who: 'freelance' }],
    [
      'income=1&exempt_income=7&vs.income=45tr&vs.type=net&vs.exempt_income=',
      { who: 'employee', exempt_income: '7' },
      { income: '45000000', type: 'net', exempt_income: '' },
    ],
  ];
  for (const [query, expected, others] of cases) {
    const memory = scripts.readQuery(salary, query)!;
    assert.deepEqual({ ...memory.values, ...expected }, memory.values, query);
    assert.deepEqual(memory.others, others && { ...memory.values, ...others }, query);
  }
});

test('a reason leads to the salary that it explains', () => {
  const changes = [
    ['period', '2025-12'],
    ['region', 3],
    ['dependents', 2],
    ['insurance_salary', 0],
    ['insurance_salary', 12_000_000],
    ['exempt_income', 730_000],
    ['self_deduction', false],
    ['bhtn', false],
    ['foreigner', true],
    ['taxation', 'short_term'],
    ['taxation', 'non_resident'],
  ] as const;
  const sent = (values: Values): TaxRequest =>
    JSON.parse(scripts.bodyOf(salary, values)) as TaxRequest;
  const compare = (values: Values, given: readonly (typeof changes)[number][]): void => {
    const request = sent(values);
    const changed = { ...request, ...Object.fromEntries(given) };
    const isStated = 'insurance_salary' in changed || !mustBeStated(changed);
    const chosen = isStated ? given : [...given, ['insurance_salary', 30_000_000] as const];
    const others = scripts.valuesWith(
      chosen.map(([field, value]) => ({ field, value, reason: '' })),
      values,
    )!;
    const expected = { ...request, ...Object.fromEntries(chosen) };
    assert.deepEqual(calculateTax(sent(others)), calculateTax(expected), JSON.stringify(others));
  };
  const examples = { ...scripts.examplesOf(salary.fields), income: '30000000', period: '2026-08' };
  for (const who of [...scripts.WHO, 'other']) {
    for (const paid_in of ['', '2026-08']) {
      const values = { ...examples, who, paid_in, bhyt: 'false' };
      for (const first of changes) {
        compare(values, [first]);
        for (const second of changes) compare(values, [first, second]);
      }
    }
  }
  const flat = scripts.valuesWith(
    [{ field: 'taxation', value: 'short_term', reason: '' }],
    examples,
  )!;
  assert.deepEqual(flat, { ...examples, who: 'short_contract' });
  assert.equal(
    scripts.valuesWith([{ field: 'union_dues', value: 1, reason: '' }], examples),
    undefined,
  );
});

test('a link brings back every value', () => {
  const read = (calculator: typeof salary, fragment: string): unknown =>
    scripts.readQuery(calculator, scripts.viewOf(`#${fragment}`).query);
  const values = {
    ...scripts.examplesOf(growth.fields),
    principal: '',
    annual_rate: '-5',
    compounding: 'quarterly',
  };
  const fragment = scripts.fragmentOf(growth, { values });
  assert.match(fragment, /^growth\?[\w&=%+.-]+$/);
  assert.deepEqual(read(growth, fragment), { values, others: undefined });
  const own = { ...scripts.examplesOf(salary.fields), exempt_income: '2000000' };
  const memory = { values: own, others: { ...own, period: '2025-12', exempt_income: '' } };
  const linked = scripts.fragmentOf(salary, memory);
  assert.match(linked, /&vs\.period=2025-12&vs\.exempt_income=$/);
  assert.deepEqual(read(salary, linked), memory);
  assert.equal(read(salary, 'salary'), undefined);
  assert.deepEqual(scripts.viewOf('#nonsense?a=b?c'), { view: 'nonsense', query: 'a=b?c' });
});

test('the month of a salary is the current one as long as none is given', () => {
  const before = scripts.currentPeriod();
  const values = scripts.examplesOf(salary.fields);
  const { period } = salary.follow?.({ ...values, period: '', paid_in: '2026-08' }) ?? {};
  for (const month of [values['period'], period]) {
    assert.ok([before, scripts.currentPeriod()].includes(month ?? ''), month);
  }
  assert.deepEqual(salary.follow?.({ ...values, period: '2026-07' }), {});
});

test('the annual form opens with the year that people settle: until April, the year before', () => {
  const months = ['2026-11', '2026-12', '2027-01', '2027-04', '2027-05'];
  assert.deepEqual(months.map(scripts.yearToSettle), ['2026', '2026', '2026', '2026', '2027']);
});

test('a link is read as typed text is', () => {
  const query = 'income=25tr&period=T8%2F26&paid_in=&dependents=x&insurance_salary=12.5';
  const { values } = scripts.readQuery(salary, query)!;
  assert.deepEqual(
    ['income', 'period', 'paid_in', 'dependents', 'insurance_salary'].map((name) => values?.[name]),
    ['25000000', '2026-08', '', 'x', '12.5'],
  );
});

test('a value is kept without the spaces around it, up to 100 characters', () => {
  const longest = '1'.repeat(100);
  assert.equal(scripts.bounded(` ${longest}\t`), longest);
  assert.equal(scripts.bounded(`${longest}1`), `${longest}…`);
});

test('a request is quoted for a POSIX shell', () => {
  const [address, body] = ['http://127.0.0.1:8080/api/v1/hash', '{"text":"it\'s ‘x’"}'];
  assert.equal(
    scripts.curlOf(address, body),
    [
      'curl http://127.0.0.1:8080/api/v1/hash \\',
      "  -H 'Content-Type: application/json' \\",
      "  -d '{\"text\":\"it'\\''s ‘x’\"}'",
    ].join('\n'),
  );
});

/** A view and its field, an entry, the code of its problem, and the message in each language. */
type Message = readonly [string, string, string, code: ProblemCode, en: string, vi: string];

test('the message of a problem is in words and units of its field, in both languages', () => {
  for (const [view, name, value, code, ...expected] of vectors<Message>('messages')) {
    const field = calculators[view]!.fields.find((one) => one.name === name)!;
    const messages = scripts.LANGUAGES.map((language) => {
      const [texts, formats] = [scripts.textsOf(language), scripts.formatsOf(language)];
      const problem = { code, message: '' };
      const message = scripts.messageOf(problem, field, { [name]: value }, texts, formats);
      return message.replaceAll('\u00a0', ' ');
    });
    assert.deepEqual(messages, expected, `${name} ${code}`);
  }
});

test('legal instruments are named in Vietnamese', () => {
  const cases: Readonly<Record<string, string>> = {
    'Decree 161/2026/NĐ-CP': 'Nghị định 161/2026/NĐ-CP',
    'Law 109/2025/QH15 art. 9.2, art. 29.2; Decree 253/2026/NĐ-CP art. 69.1.a':
      'Luật 109/2025/QH15, khoản 2 Điều 9, khoản 2 Điều 29; Nghị định 253/2026/NĐ-CP, điểm a khoản 1 Điều 69',
    'Resolution 68/NQ-CP of 2021-07-01; Decision 23/2021/QĐ-TTg':
      'Nghị quyết 68/NQ-CP ngày 01/07/2021; Quyết định 23/2021/QĐ-TTg',
    'Law 25/2008/QH12 art. 13, amended by Law 46/2014/QH13':
      'Luật 25/2008/QH12, Điều 13, được sửa đổi bởi Luật 46/2014/QH13',
  };
  for (const [english, vietnamese] of Object.entries(cases)) {
    assert.equal(scripts.instrumentIn('vi', english), vietnamese);
    assert.equal(scripts.instrumentIn('en', english), english);
  }
  const instruments = JSON.stringify(law).match(/(?<="instrument":")[^"]+/g) ?? [];
  assert.ok(instruments.length > 20);
  for (const instrument of instruments) {
    assert.doesNotMatch(
      scripts.instrumentIn('vi', instrument),
      /\b(?:Law|Decree|Decision|Resolution|art|of|by)\b/,
    );
  }
});

test('a difference of two plans is in words, without a sign', () => {
  assert.deepEqual([1_500_000, 0, -1_500_000].map(scripts.changeBy), [
    '₫1,500,000 more',
    'no difference',
    '₫1,500,000 less',
  ]);
});

test('a table of amounts has the second plan and the difference from the first, if there are two', () => {
  assert.deepEqual(
    scripts.tableOfAmounts([
      ['Net', 26_215_000, undefined],
      ['Tax', 0, undefined],
    ]),
    {
      kind: 'shares',
      heads: [],
      cells: [
        ['Net', '26,215,000'],
        ['Tax', '0'],
      ],
    },
  );
  assert.deepEqual(
    scripts.tableOfAmounts([
      ['Net', 26_215_000, 26_592_500],
      ['Tax', 635_000, 257_500],
      ['Insurance', 0, 0],
    ]),
    {
      kind: 'shares columns',
      heads: ['', 'A', 'B', 'difference'],
      cells: [
        ['Net', '26,215,000', '26,592,500', '+377,500'],
        ['Tax', '635,000', '257,500', '−377,500'],
        ['Insurance', '0', '0', '0'],
      ],
    },
  );
  const { kind } = scripts.tableOfAmounts([['Net', 2_000_000, 1_000_000]]);
  assert.equal(kind, 'shares columns', 'of a single row');
});
