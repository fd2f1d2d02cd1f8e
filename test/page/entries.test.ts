/** Amounts as people write them are read as what they mean, or refused for a reason of their own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LANGUAGES, READ, REFUSED } from '../helpers/entries.ts';
import { scripts } from '../helpers/page-scripts.ts';

test('130 entries and more are read as what they mean, or refused for a reason that is theirs', () => {
  assert.ok(READ.length + REFUSED.length >= 130);
  for (const language of LANGUAGES) {
    for (const [text, value] of READ.filter(([, , only]) => (only ?? language) === language)) {
      assert.equal(scripts.readAmount(text, language), value, `${text} ${language}`);
    }
    for (const [text, part] of REFUSED) {
      assert.equal(scripts.readAmount(text, language), text, `${text} ${language}`);
      assert.equal(scripts.strangeIn(text), part, text);
    }
  }
});
