/** What holds of every document. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { test } from 'node:test';
import { anchorOf, Document } from '../helpers/markdown.ts';
import { exists, readText, root } from '../helpers/repository.ts';

const PATHS = [
  'README.md',
  ...['.deploy/', '.github/', 'src/'].flatMap((folder) =>
    readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.md'))
      .map((path) => folder + path.replaceAll('\\', '/')),
  ),
];
const documents = new Map(PATHS.map((path) => [path, new Document(path)]));
/** Documents with a list of their sections. */
const LONG = ['.deploy/README.md', 'src/API.md', 'src/README.md', 'src/tax/README.md'];
const MOST_COLUMNS = 160;
const MOST_WORDS = 1_500;

test('README, the handbook, the API, the law and the source are documents, and each has a title', () => {
  for (const path of ['README.md', ...LONG]) {
    assert.equal(documents.get(path)?.headings('#').length, 1, path);
  }
});

test(`README has at most ${MOST_WORDS} words`, () => {
  const words = readText('README.md').trim().split(/\s+/);
  assert.ok(
    words.length <= MOST_WORDS,
    `README.md has ${words.length} words: move some to the document of their readers`,
  );
});

test(`no line of a document has more than ${MOST_COLUMNS} columns`, () => {
  for (const { path, text } of documents.values()) {
    text.split('\n').forEach((line, index) => {
      assert.ok(
        [...line].length <= MOST_COLUMNS,
        `${path}:${index + 1} has ${[...line].length} columns`,
      );
    });
  }
});

test('no heading occurs twice in a document', () => {
  for (const document of documents.values()) {
    const headings = document.headings();
    assert.deepEqual(headings, [...new Set(headings)], document.path);
  }
});

test('every link leads to a heading or a file', () => {
  for (const document of documents.values()) {
    for (const { target } of document.links()) {
      const [file = '', anchor] = target.split('#');
      const path = file === '' ? document.path : posix.join(posix.dirname(document.path), file);
      assert.ok(exists(path), `${document.path}: ${target}`);
      if (anchor === undefined) continue;
      const anchors = documents.get(path)?.headings().map(anchorOf) ?? [];
      assert.ok(anchors.includes(`#${anchor}`), `${document.path}: ${target}`);
    }
  }
});

test('the contents of a long document list its sections in order', () => {
  for (const path of LONG) {
    const document = documents.get(path)!;
    const contents = document.links(document.section(document.headings('#')[0]!));
    const sections = document.headings('##');
    assert.deepEqual(
      contents.map(({ target }) => target),
      sections.map(anchorOf),
      path,
    );
    assert.deepEqual(
      contents.map(({ title }) => title.toLowerCase()),
      sections.map((title) => title.toLowerCase()),
      path,
    );
  }
});
