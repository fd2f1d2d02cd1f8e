import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { MAXIMUM_SHOWN_LENGTH, quoted } from '../../src/contract/escape.ts';
import { Failure } from '../../src/contract/failure.ts';
import { MAXIMUM_VALUES, parseObject } from '../../src/contract/json.ts';
import { assertLinear } from '../helpers/linear.ts';
import { type Random, seeded } from '../helpers/random.ts';
import { search } from '../helpers/repository.ts';
import { vectors } from '../helpers/vectors.ts';

const AN_ARRAY =
  'Expected a JSON object at the top level, got an array; several requests are one object per line, '
  + 'without brackets, as application/x-ndjson';
const SIMPLE = 'a string, a number, true, false or null';

/** The message of the failure; undefined if the text is accepted. */
function messageOf(text: string): string | undefined {
  try {
    parseObject(text);
    return undefined;
  } catch (error) {
    assert.ok(
      error instanceof Failure && error.code === 'invalid_json' && error.details === undefined,
      String(error),
    );
    return error.message;
  }
}

const GOOD = vectors<string>('accepted-json');
for (const text of GOOD) {
  test(`parses ${JSON.stringify(text)} as JSON.parse does`, () => {
    assert.deepEqual(parseObject(text), JSON.parse(text));
  });
}

const BAD = vectors<[text: string, expected: string, got: string, at: number]>('rejected-json');
for (const [text, expected, got, at] of BAD) {
  test(`rejects ${JSON.stringify(text)}: expected ${expected}, got ${got} at character ${at}`, () => {
    assert.equal(
      messageOf(text),
      `Expected ${expected}, got ${got} at character ${at} of the body`,
    );
  });
}

test('shows how to write an amount in groups, and no other text', () => {
  for (const [amount, plain] of [
    ['30.000.000', '30000000'],
    ['30,000,000', '30000000'],
    ['30_000_000', '30000000'],
    ['1,000', '1000'],
    ['999_999', '999999'],
  ] as const) {
    for (const text of [
      `{"income":${amount}}`,
      `{"a": ${amount} , "b":1}`,
      `{"a":${amount},"b":1}`,
    ])
      assert.match(messageOf(text)!, new RegExp(`of the body; write ${amount} as ${plain}$`), text);
  }
  for (const text of [
    '{"a":30.000,000}',
    '{"a":1,00}',
    '{"a":0030}',
    '{"a":1.2.3}',
    `{"a":1${',000'.repeat(9)}}`,
    '{"a":1,',
    '{1}',
  ])
    assert.match(messageOf(text)!, / of the body$/, text);
});

for (const text of ['null', '1', '"a"', 'true']) {
  test(`rejects ${text}, which is not an object`, () => {
    assert.equal(messageOf(text), 'Expected a JSON object at the top level, got another value');
  });
}

const ARRAYS = ['[]', ' \r\n\t[{}]', '[1,2', `[${'{"a":1},'.repeat(MAXIMUM_VALUES)}{}]`];
for (const text of ARRAYS) {
  test(`rejects the array ${text.trim().slice(0, 20)}, and says how to send several requests`, () => {
    assert.equal(messageOf(text), AN_ARRAY);
  });
}

const DUPLICATES = vectors<[text: string, at: number]>('duplicate-names');
for (const [text, at] of DUPLICATES) {
  test(`rejects the duplicate name in ${JSON.stringify(text)}`, () => {
    assert.match(
      String(messageOf(text)),
      new RegExp(`^Expected unique names, got ".*" again at character ${at} of the body$`),
    );
  });
}

test('shortens a duplicate name in the message', () => {
  const longest = 'x'.repeat(MAXIMUM_SHOWN_LENGTH);
  for (const [length, shown] of [
    [longest.length, longest],
    [longest.length + 1, `${longest}…`],
  ] as const) {
    const name = 'x'.repeat(length);
    assert.equal(
      messageOf(`{"${name}":1,"${name}":2}`),
      `Expected unique names, got "${shown}" again at character ${length + 7} of the body`,
    );
  }
});

test('accepts values up to the limit, and reports the position of the first value beyond it', () => {
  const objectOf = (count: number): string =>
    JSON.stringify(
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`name ${index}`, '{[,"'])),
    );
  assert.equal(messageOf(objectOf(MAXIMUM_VALUES)), undefined);
  const text = objectOf(MAXIMUM_VALUES + 1);
  assert.equal(
    messageOf(text),
    `Expected up to ${MAXIMUM_VALUES} values, got more at character ${text.lastIndexOf(',"name') + 1} of the body`,
  );
});

test('reports the position of a syntax error behind many values', () => {
  const text = `{${'"a":1,'.repeat(MAXIMUM_VALUES)}}`;
  assert.equal(
    messageOf(text),
    `Expected a name in double quotes, got "}" at character ${text.length} of the body`,
  );
});

test('reports an unterminated string at its beginning, however long it is', () => {
  const text = `{"a":"${'x'.repeat(10_000)}`;
  assert.equal(messageOf(text), `Expected ${SIMPLE}, got "\\"" at character 6 of the body`);
});

describe('parses or rejects large and hostile texts in linear time', () => {
  const mebi = 2 ** 20;
  const texts: readonly [name: string, text: string, isAccepted: boolean][] = [
    ['deep arrays', '['.repeat(mebi), false],
    ['deep objects, complete', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, false],
    ['deep objects, truncated', '{"a":'.repeat(200_000), false],
    ['an unterminated string', `{"a":"${'x'.repeat(mebi)}`, false],
    ['backslashes', `{"a":"${'\\'.repeat(mebi + 1)}"}`, false],
    ['quotes', `{"a":1,${'"'.repeat(mebi)}`, false],
    ['white space', `{"a":1${' '.repeat(mebi)}x`, false],
    ['white space after quotes', `{"a":"${'\\" '.repeat(300_000)}","a":1}`, false],
    ['digits', `{"a":${'1'.repeat(mebi)}x}`, false],
    ['commas', `{"a":1${','.repeat(mebi)}}`, false],
    [
      'many names',
      `{${Array.from({ length: 100_000 }, (_, index) => `"${index}":1`).join()}}`,
      false,
    ],
    [
      'a string full of names',
      `{"text":${JSON.stringify('{"a":"b","c":"d"},'.repeat(50_000))}}`,
      true,
    ],
    [
      'a string of sixteen million escaped characters',
      `{"text":"\\":\\":${'\\n'.repeat(8_000_000)}"}`,
      true,
    ],
    [
      'a string of sixteen million escaped characters, and a trailing comma',
      `{"text":"${'\\n'.repeat(8_000_000)}",}`,
      false,
    ],
  ];
  for (const [name, text, isAccepted] of texts) {
    test(name, () => {
      assertLinear(text, () => assert.equal(messageOf(text) === undefined, isAccepted));
    });
  }
});

const SEEDS: readonly string[] = [
  ...GOOD,
  '{"income":30000000,"type":"gross","dependents":1}',
  '{"a":[1,{"b":[]}],"c":{}}',
  '{"a":1,"b":2,"c":3}',
  '{"text":"Xin ch\u00e0o \\u0111\\n"}',
  ' { "a" : 1.5e+3 , "b" : [ true , false ] } ',
  '{"a":1,"b":[{"c":2}],"d":3,"a":4}',
];
const CHARACTERS = [
  ...'{}[]:,"\\ \n0123456789eE+-.trufalsnuxab\u0000\u00e0\ufeff😀',
  '"a"',
  '"a":1,',
  ',"b":1',
  '\\u0061',
  '{}',
];

/** A seed with a few characters replaced, removed, inserted or doubled. */
function mutated(random: Random): string {
  let text = random.pick(SEEDS);
  for (let count = random.below(4); count >= 0; count -= 1) {
    const from = random.below(text.length + 1);
    const to = Math.min(text.length, from + random.below(random.pick([2, 12])));
    const middle = random.pick(['', random.pick(CHARACTERS), text.slice(from, to).repeat(2)]);
    text = text.slice(0, from) + middle + text.slice(to);
  }
  return text;
}

/** Whether valid JSON is an object in which no object has a name twice: compares colons outside of strings with members. */
function isObjectWithUniqueNames(text: string): boolean {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  let members = -1; // The reviver is also called for the value itself.
  JSON.parse(text, function (this: unknown, _name, member: unknown) {
    if (!Array.isArray(this)) members += 1;
    return member;
  });
  const withoutStrings = text.replace(/"(?:[^"\\]|\\.)*"/g, '');
  return withoutStrings.split(':').length - 1 === members;
}

/** For each expectation in a message, an ending that makes valid JSON of the text before the error. */
const COMPLETIONS: Readonly<Record<string, string>> = {
  'an object': '{}',
  'a name in double quotes or "}"': '}',
  'a name in double quotes': '"new":0}',
  'a colon': ':0}',
  [SIMPLE]: '0}',
  'a comma or "}"': '}',
  'the end': '',
  'unique names': '"new":0}',
};

const MUTATED = search(20_000);

test(`rejects ${MUTATED.words} mutated texts except objects with unique names, and reports the correct position`, () => {
  const random = seeded(8259);
  for (let count = 0; count < MUTATED.cases; count += 1) {
    const text = mutated(random);
    const message = messageOf(text);
    let isValid = true;
    try {
      JSON.parse(text);
    } catch {
      isValid = false;
    }
    assert.equal(
      message === undefined,
      isValid && isObjectWithUniqueNames(text),
      `${JSON.stringify(text)}: ${message}`,
    );
    if (isValid || message === AN_ARRAY) continue;
    const pattern = /^Expected (.+), got (.+) at character (\d+) of the body$/s;
    const [, expected = '', got = '', at = ''] = pattern.exec(message ?? '') ?? [];
    const [before, after] = [text.slice(0, Number(at) - 1), text.slice(Number(at) - 1)];
    const [character = ''] = after;
    const described = character === '\ufeff' ? 'a byte order mark' : quoted(character);
    assert.equal(got, character === '' ? 'the end' : described, text);
    assert.doesNotThrow(
      () => JSON.parse(before + COMPLETIONS[expected]),
      `${JSON.stringify(text)}: ${message}`,
    );
  }
});
