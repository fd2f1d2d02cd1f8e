/** The package that npm packs. */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { test } from 'node:test';
import { Document } from './helpers/markdown.ts';
import { checkoutWith, npm, pack } from './helpers/package.ts';

test('package: contains every file to which its documents link', (context) => {
  const paths = pack(context, 0o644).files.map(({ path }) => path);
  const documents = paths.filter((path) => path.endsWith('.md'));
  assert.ok(documents.length >= 4);
  for (const path of documents) {
    for (const { target } of new Document(path).links()) {
      const [file = ''] = target.split('#');
      const linked = posix.join(posix.dirname(path), file);
      assert.ok(
        file === '' || paths.includes(linked),
        `${path}: package.json has no files ${linked}`,
      );
    }
  }
});

test('package: npm start without a build prints the command that builds', (context) => {
  const folder = checkoutWith(context, 0o644, ['package.json', '.build']);
  const { status, stderr } = npm(folder, 'start', '--silent');
  assert.equal(status, 1);
  assert.equal(stderr, 'The service is not built. To build it: npm run build\n');
});
