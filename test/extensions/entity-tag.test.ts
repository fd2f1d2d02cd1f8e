import assert from 'node:assert/strict';
import { test } from 'node:test';
import { entityTag } from '../../src/extensions/documents/entity-tag.ts';
import { seeded } from '../helpers/random.ts';

const DOCUMENTS = 2_000;

test('returns a quoted text, which is equal for equal documents', () => {
  for (const document of ['', 'a', '漢\0', 'a'.repeat(100_000)]) {
    assert.match(entityTag(document), /^"[\da-z]{14}"$/);
    assert.equal(entityTag(document), entityTag(`${document}`));
  }
});

test(`returns different tags for ${DOCUMENTS} documents that differ in one or two characters`, () => {
  const random = seeded(7);
  const base = Array.from({ length: 200 }, () => String.fromCharCode(random.below(0x2000)));
  const documents = new Set([base.join('')]);
  for (let index = 0; index < DOCUMENTS; index += 1) {
    const changed = [...base];
    changed[random.below(base.length)] = String.fromCharCode(random.below(0x2000));
    changed[random.below(base.length)] = String.fromCharCode(random.below(0x2000));
    documents.add(changed.join(''));
  }
  const tags = new Set([...documents].map(entityTag));
  assert.equal(tags.size, documents.size);
});
