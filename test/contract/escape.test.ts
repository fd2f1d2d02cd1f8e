import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoted } from '../../src/contract/escape.ts';

const QUOTED: readonly [text: string, quoted: string][] = [
  ['', '""'],
  ['a b', '"a b"'],
  ['đồng "x"', '"đồng \\"x\\""'],
  ['😀', '"😀"'],
  ['\n', '"\\n"'],
  ['\u0085', '"\\u0085"'],
  ['\u00a0', '"\\u00a0"'],
  ['\u200b', '"\\u200b"'],
  ['\u202e', '"\\u202e"'],
  ['\u2028', '"\\u2028"'],
  ['\ufeff', '"\\ufeff"'],
  ['\ud800', '"\\ud800"'],
  ['\u{e0001}', '"\\u{e0001}"'],
];

test('escapes characters that are invisible or reorder a line, and no other', () => {
  for (const [text, expected] of QUOTED) assert.equal(quoted(text), expected);
});
