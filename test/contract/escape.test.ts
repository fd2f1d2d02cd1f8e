import assert from 'node:assert/strict';
import { test } from 'node:test';
import { quoted } from '../../src/contract/escape.ts';
import { vectors } from '../helpers/vectors.ts';

const QUOTED = vectors<[text: string, quoted: string]>('quoted-texts');

test('escapes characters that are invisible or reorder a line, and no other', () => {
  for (const [text, expected] of QUOTED) assert.equal(quoted(text), expected);
});
