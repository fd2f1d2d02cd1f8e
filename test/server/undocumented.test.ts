import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hasParser } from '../../src/server/undocumented.ts';
import { readText } from '../helpers/repository.ts';

test('names an existing test for each reliance on undocumented behaviour', () => {
  const code = readText('src/server/undocumented.ts').replaceAll('\n * ', ' ');
  const references = [...code.matchAll(/ Test: (\S+\.test\.ts), "([^"]+)"\./g)];
  assert.equal(references.length, code.match(/^export /gm)?.length);
  for (const [, file, title] of references) {
    assert.ok(
      readText(`test/${file}`).includes(`\ntest('${title}', `),
      `${file} has no test "${title}"`,
    );
  }
});

test('finds the parser of a connection', () => {
  assert.ok(
    hasParser(),
    'this version of Node.js lacks the hook of watchParser: pipelined requests would not be bounded',
  );
});
