import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Failure } from '../../src/contract/failure.ts';
import { parseObject } from '../../src/contract/json.ts';
import { type Random, seeded } from '../random.ts';

/** The message of the failure; undefined where the text is taken. */
function messageOf(text: string): string | undefined {
  try {
    parseObject(text);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'invalid_json' && error.details === undefined, String(error));
    return error.message;
  }
}

const GOOD: readonly string[] = [
  '{}', ' \t\r\n{ } \n', '{"a":1,"b":"x","c":true,"d":null}', '{"a":"b:c:d"}', '{"a":"\\":\\":","b":1}',
  '{"a":":\\\\"}', '{"a":"\\u0061\\ud83d\\ude00\\/\\b"}', '{"a":-0.5e-3}', '{"a":1e400}', '{"":0}',
  '{"__proto__":{"b":1}}', '{"a":"\ufeff"}', '{"a":{"a":{"a":1}}}', '{"a":{"b":1,"b":2}}',
  '{"a":[{"b":1},{"b":2}],"b":3}', '{"a":"\u2028\u007f"}', '{"a":"\ud800"}',
];
for (const text of GOOD) {
  test(`${JSON.stringify(text)} is taken as JSON.parse takes it`, () => {
    assert.deepEqual(parseObject(text), JSON.parse(text));
  });
}

const BAD: readonly [text: string, expected: string, got: string, at: number][] = [
  ['', 'an object', 'the end', 1],
  [' \n ', 'an object', 'the end', 4],
  ['{', 'a name in double quotes or "}"', 'the end', 2],
  ['{"a"', 'a colon', 'the end', 5],
  ['{"a":', 'a simple value', 'the end', 6],
  ['{"a":1', 'a comma or "}"', 'the end', 7],
  ['{"a":1,', 'a name in double quotes', 'the end', 8],
  ['{"a":1,}', 'a name in double quotes', '"}"', 8],
  ['{,}', 'a name in double quotes or "}"', '","', 2],
  ["{'a':1}", 'a name in double quotes or "}"', '"\'"', 2],
  ['{a:1}', 'a name in double quotes or "}"', '"a"', 2],
  ['{"a" 1}', 'a colon', '"1"', 6],
  ['{"a"=1}', 'a colon', '"="', 5],
  ['{"a":NaN}', 'a simple value', '"N"', 6],
  ['{"a":-Infinity}', 'a simple value', '"-"', 6],
  ['{"a":+1}', 'a simple value', '"+"', 6],
  ['{"a":.5}', 'a simple value', '"."', 6],
  ['{"a":01}', 'a comma or "}"', '"1"', 7],
  ['{"a":1.}', 'a comma or "}"', '"."', 7],
  ['{"a":1e}', 'a comma or "}"', '"e"', 7],
  ['{"a":0x10}', 'a comma or "}"', '"x"', 7],
  ['{"a":30_000_000}', 'a comma or "}"', '"_"', 8],
  ['{"a":True}', 'a simple value', '"T"', 6],
  ['{"a":\'b\'}', 'a simple value', '"\'"', 6],
  ['{"a":"b}', 'a simple value', '"\\""', 6],
  ['{"a":"b\n"}', 'a simple value', '"\\""', 6],
  ['{"a":"\\x"}', 'a simple value', '"\\""', 6],
  ['{"a":"\\u12g4"}', 'a simple value', '"\\""', 6],
  ['{"a\\x":1}', 'a name in double quotes or "}"', '"\\""', 2],
  ['{"a":1 "b":2}', 'a comma or "}"', '"\\""', 8],
  ['{"a":1}}', 'the end', '"}"', 8],
  ['{"a":1} {"a":1}', 'the end', '"{"', 9],
  ['\ufeff{}', 'an object', '"\ufeff"', 1],
  ['{}\u00a0', 'the end', '"\u00a0"', 3],
  ['{"a":😀}', 'a simple value', '"😀"', 6],
  ['{"a":\ud83d}', 'a simple value', '"\\ud83d"', 6],
  ['// a comment\n{}', 'an object', '"/"', 1],
  ['income=1&type=net', 'an object', '"i"', 1],
  ['[1,2', 'an object', '"["', 1],
  ['{"a":[1,}', 'a simple value', '"["', 6],
];
for (const [text, expected, got, at] of BAD) {
  test(`${JSON.stringify(text)}: expected ${expected}, got ${got} at character ${at}`, () => {
    assert.equal(messageOf(text), `Expected ${expected}, got ${got} at character ${at} of the body`);
  });
}

for (const text of ['null', '1', '"a"', 'true', '[]', '[{}]']) {
  test(`${text} is no object`, () => {
    assert.equal(messageOf(text), 'Expected a JSON object at the top level, got another value');
  });
}

const REPEATED: readonly [text: string, at: number][] = [
  ['{"a":1,"a":2}', 8], ['{"a":1,"b":2, "a":1}', 15], ['{"a":1,"\\u0061":2}', 8], ['{"":1,"":2}', 7],
  ['{"__proto__":1,"__proto__":2}', 16], ['{"a":"x:y","a":"x:y"}', 12], ['{"a" :1,"a"\n:2}', 9],
];
for (const [text, at] of REPEATED) {
  test(`${JSON.stringify(text)} has a name twice`, () => {
    assert.match(String(messageOf(text)), new RegExp(`^Expected unique names, got ".*" again at character ${at} of the body$`));
  });
}

for (const text of ['{"a":{},"a":1}', '{"a":[1],"a":1}', '{"b":{"c":1},"a":1,"a":2}', '{"a":1,"b":[{}],"a":2}']) {
  test(`${text} has a name twice, beside a value that is not simple`, () => {
    assert.match(String(messageOf(text)), /^Expected .+ at character \d+ of the body$/);
  });
}

describe('large and hostile texts', () => {
  const mebi = 2 ** 20;
  const texts: readonly [name: string, text: string, taken: boolean][] = [
    ['deep arrays', '['.repeat(mebi), false],
    ['deep objects, whole', `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`, false],
    ['deep objects, cut off', '{"a":'.repeat(200_000), false],
    ['a string that does not end', `{"a":"${'x'.repeat(mebi)}`, false],
    ['backslashes', `{"a":"${'\\'.repeat(mebi + 1)}"}`, false],
    ['quotes', `{"a":1,${'"'.repeat(mebi)}`, false],
    ['white space', `{"a":1${' '.repeat(mebi)}x`, false],
    ['white space after quotes', `{"a":"${'\\" '.repeat(300_000)}","a":1}`, false],
    ['digits', `{"a":${'1'.repeat(mebi)}x}`, false],
    ['commas', `{"a":1${','.repeat(mebi)}}`, false],
    ['many names', `{${Array.from({ length: 100_000 }, (_, index) => `"${index}":1`).join()}}`, false],
    ['a text full of names', `{"text":${JSON.stringify('{"a":"b","c":"d"},'.repeat(50_000))}}`, true],
    ['sixteen million characters in escapes', `{"text":"\\":\\":${'\\n'.repeat(8_000_000)}"}`, true],
    ['the same with a comma too many', `{"text":"${'\\n'.repeat(8_000_000)}",}`, false],
  ];
  for (const [name, text, taken] of texts) {
    test(name, () => {
      const start = performance.now();
      assert.equal(messageOf(text) === undefined, taken);
      assert.ok(performance.now() - start < 2000);
    });
  }
});

const SEEDS: readonly string[] = [
  ...GOOD, '{"income":30000000,"type":"gross","dependents":1}', '{"a":[1,{"b":[]}],"c":{}}', '{"a":1,"b":2,"c":3}',
  '{"text":"Xin ch\u00e0o \\u0111\\n"}', ' { "a" : 1.5e+3 , "b" : [ true , false ] } ',
  '{"a":1,"b":[{"c":2}],"d":3,"a":4}',
];
const CHARACTERS =
  [...'{}[]:,"\\ \n0123456789eE+-.trufalsnuxab\u0000\u00e0\ufeff😀', '"a"', '"a":1,', ',"b":1', '\\u0061', '{}'];

/** A text with a few of its characters changed, left out, put in or doubled. */
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

/** Whether valid JSON is an object without a name given twice; with strings as marks, and inner values folded away. */
function isObjectOfOwnNames(text: string): boolean {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const strings: string[] = [];
  const marked = text.replace(/"(?:[^"\\]|\\.)*"/g, (string) => `#${strings.push(string) - 1}#`);
  let members = marked.trim().slice(1, -1);
  while (/[{[]/.test(members)) members = members.replace(/\{[^{}[\]]*\}|\[[^{}[\]]*\]/g, '0');
  return members.split(':').length - 1 === Object.keys(value).length;
}

/** What makes valid JSON of the text before a fault, by what was expected there: so the message is true. */
const REMEDIES: Readonly<Record<string, string>> = {
  'an object': '{}', 'a name in double quotes or "}"': '}', 'a name in double quotes': '"new":0}', 'a colon': ':0}',
  'a simple value': '0}', 'a comma or "}"': '}', 'the end': '', 'unique names': '"new":0}',
};

test('20,000 mutated texts: refused exactly if no JSON, no object or with a name twice; the place is right', () => {
  const random = seeded(8259);
  for (let count = 0; count < 20_000; count += 1) {
    const text = mutated(random);
    const message = messageOf(text);
    let isValid = true;
    try {
      JSON.parse(text);
    } catch {
      isValid = false;
    }
    assert.equal(message === undefined, isValid && isObjectOfOwnNames(text), `${JSON.stringify(text)}: ${message}`);
    if (isValid) continue;
    const pattern = /^Expected (.+), got (.+) at character (\d+) of the body$/s;
    const [, expected = '', got = '', at = ''] = pattern.exec(message ?? '') ?? [];
    const [before, after] = [text.slice(0, Number(at) - 1), text.slice(Number(at) - 1)];
    assert.equal(got, after === '' ? 'the end' : JSON.stringify(String.fromCodePoint(after.codePointAt(0)!)), text);
    assert.doesNotThrow(() => JSON.parse(before + REMEDIES[expected]), `${JSON.stringify(text)}: ${message}`);
  }
});
