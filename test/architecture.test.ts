import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { test } from 'node:test';
import { Document, namesIn } from './helpers/markdown.ts';
import { exists, readText, root, sources } from './helpers/repository.ts';

interface Import {
  readonly from: string;
  readonly to: string;
}

const imports: readonly Import[] = sources().flatMap((from) =>
  [...readText(from).matchAll(/(?:^|[\s}])(?:from|import\(?)\s*'([^']+)'/g)].map(
    ([, specifier = '']) => ({
      from,
      to: specifier.startsWith('.') ? posix.join(posix.dirname(from), specifier) : specifier,
    }),
  ),
);

const document = new Document('src/README.md');
/** The folder of src/ that contains a path, such as `server` or `extensions/log`; '' for the files of src/ itself. */
const folderOf = (path: string): string => /^src\/(?:(.+)\/)?/.exec(path)?.[1] ?? '';
/** A folder, and the folders that contain it. */
const placesOf = (folder: string): string[] =>
  folder === '' ? [] : [folder, ...placesOf(folder.replace(/\/?\w+$/, ''))];

test('only the files from which a reader starts are outside the folders of the source', () => {
  const loose = sources().filter((path) => folderOf(path) === '');
  assert.deepEqual(loose.sort(), ['src/core.ts', 'src/index.ts', 'src/main.ts']);
});

test('imports only source files, and Node modules by their node: names', () => {
  assert.ok(imports.length > 30);
  for (const { from, to } of imports) {
    const isKnown = to.startsWith('node:') ? isBuiltin(to) : sources().includes(to);
    assert.ok(isKnown, `${from} imports ${to}`);
  }
});

test('has no runtime dependency, and two development dependencies with exact versions', () => {
  const manifest = JSON.parse(readText('package.json')) as Record<
    string,
    Record<string, string> | undefined
  >;
  for (const kind of [
    'dependencies',
    'peerDependencies',
    'optionalDependencies',
    'bundleDependencies',
  ]) {
    assert.equal(manifest[kind], undefined, kind);
  }
  assert.deepEqual(Object.keys(manifest['devDependencies'] ?? {}).sort(), [
    '@types/node',
    'typescript',
  ]);
  for (const version of Object.values(manifest['devDependencies'] ?? {}))
    assert.match(version, /^\d+\.\d+\.\d+$/);
  assert.ok(!readText('package-lock.json').includes('"resolved"'));
});

/** The folders that each folder may import; undefined if it may import all. */
const LAYERS: ReadonlyMap<string, readonly string[] | undefined> = new Map(
  document.table('Layers').flatMap(([folders = '', imported = '']) => {
    const allowed = imported === 'all' ? undefined : foldersIn(imported);
    return foldersIn(folders).map((folder) => [folder, allowed] as const);
  }),
);

/** The folders that a text names, such as `server/`. */
function foldersIn(text: string): string[] {
  return namesIn(text).map((name) => name.replace(/\/$/, ''));
}

test('imports only between folders that the table of layers allows', () => {
  for (const { from, to } of imports) {
    if (to.startsWith('node:')) continue;
    assert.notEqual(to, 'src/main.ts', `${from}: remove the import of the command`);
    const folder = folderOf(from);
    if (folder === '') continue;
    const layer = placesOf(folder).find((place) => LAYERS.has(place));
    assert.ok(layer !== undefined, `${from}: add \`${folder}/\` to "Layers" in src/README.md`);
    const allowed = LAYERS.get(layer);
    const isAllowed = allowed === undefined || [folder, ...allowed].includes(folderOf(to));
    assert.ok(
      isAllowed,
      `${from} imports ${to}: move the code, or change the row of \`${layer}/\` in "Layers" in src/README.md`,
    );
  }
  for (const layer of LAYERS.keys())
    assert.ok(exists(`src/${layer}`), `src/README.md: remove ${layer}/ from "Layers"`);
});

/** The folders that any JavaScript runtime can load. */
const WITHOUT_NODE = [
  'contract',
  ...operationFolders(),
  'service',
  'lines',
  'extensions/fetch',
  'page',
];

/** The folders of the portable operations. */
function operationFolders(): string[] {
  const listed = imports.filter(({ from }) => from === 'src/operations/portable.ts');
  return [...new Set(listed.map(({ to }) => folderOf(to)))];
}

test('imports no Node module, and uses no global name of Node, in the folders of WITHOUT_NODE', () => {
  const reason = 'every JavaScript runtime loads this folder';
  const isWithout = (path: string): boolean =>
    placesOf(folderOf(path)).some((place) => WITHOUT_NODE.includes(place));
  for (const { from, to } of imports) {
    assert.ok(!(to.startsWith('node:') && isWithout(from)), `${from} imports ${to}: ${reason}`);
  }
  for (const path of sources().filter(isWithout)) {
    assert.doesNotMatch(
      readText(path),
      /\b(?:Buffer|process|global|require|NodeJS)\b\s*[.(]/,
      `${path}: ${reason}`,
    );
  }
});

test('has no circular import', () => {
  const done = new Set<string>();
  const visit = (path: string, above: readonly string[]): void => {
    assert.ok(!above.includes(path), [...above, path].join(' → '));
    if (done.has(path)) return;
    for (const { from, to } of imports)
      if (from === path && !to.startsWith('node:')) visit(to, [...above, path]);
    done.add(path);
  };
  for (const path of sources()) visit(path, []);
});

/** The files of the command. */
const COMMAND = /^src\/(?:main|command\/\w+|extensions\/\w+\/(?:command|serve))\.ts$/;

test('reads arguments, environment variables and signals, and ends the process, only in the command', () => {
  for (const path of sources()) {
    if (COMMAND.test(path)) continue;
    assert.doesNotMatch(readText(path), /process\.(?:argv|env|exit|on\b)/, path);
  }
});

test('writes to a response only in the exchange of the server and in the listener', () => {
  const writers = ['src/server/exchange.ts', 'src/extensions/listener/listener.ts'];
  for (const path of sources().filter((each) => !writers.includes(each))) {
    assert.doesNotMatch(readText(path), /\.writeHead|setHeader|statusCode =/, path);
  }
});

test('documents every exported function and class, and has no line that is too long', () => {
  for (const path of sources()) {
    const lines = readText(path).split('\n');
    lines.forEach((line, index) => {
      const isDeclared = /^export (?:(?:async )?function|class) /.test(line);
      if (isDeclared) assert.match(lines[index - 1] ?? '', /\*\/$/, `${path}:${index + 1} ${line}`);
      const isText = /^ *(?:\*|\/\/|\/\*)/.test(line);
      const most = isText ? 120 : 100;
      assert.ok(line.length <= most, `${path}:${index + 1} is ${line.length} columns`);
    });
  }
});

const COMMENT = /\/\*\*[^]*?\*\/|(?:^ *\/\/.*\n)+/gm;
/** A line that continues the one before it, and its first word; not an item, a row, a tag or the end. */
const CONTINUATION = /^ *(?:\*|\/\/) +(?![-|#@]|\d+\. )(\S+)/;

test('fills each line of a comment with the words of the next, up to 120 columns', () => {
  for (const path of sources()) {
    for (const [comment] of readText(path).matchAll(COMMENT)) {
      const lines = comment.replace(/\n *\* @example[^]*/, '').split('\n');
      lines.slice(1).forEach((line, index) => {
        const [, word] = CONTINUATION.exec(line) ?? [];
        const before = lines[index]!;
        const isParagraph = /^ *(?:\*|\/\/) +[^|\s]/.test(before);
        if (word === undefined || !isParagraph) return;
        assert.ok(`${before} ${word}`.length > 120, `${path}: ${before}`);
      });
    }
  }
});

/** The files that a file of the source needs, itself included. */
function closureOf(path: string, found: Set<string> = new Set()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const { from, to } of imports) if (from === path) closureOf(to, found);
  return found;
}

test('the core is a complete service, and needs neither extensions nor further operations', () => {
  const needed = [...closureOf('src/core.ts')];
  assert.ok(needed.includes('src/server/server.ts') && needed.includes('src/tax/law.ts'));
  for (const path of needed)
    assert.doesNotMatch(path, /^src\/(?:extensions|lines|reconcile|rules)\//);
});

test('the subpaths of the package need no Node module', () => {
  const { exports } = JSON.parse(readText('package.json')) as {
    exports: Record<string, { default?: string }>;
  };
  const subpaths = Object.entries(exports).filter(
    ([name, { default: file }]) => name !== '.' && file !== undefined,
  );
  assert.deepEqual(
    subpaths.map(([name]) => name),
    ['./tax', './interest', './law', './fetch'],
  );
  for (const [name, { default: file = '' }] of subpaths) {
    const source = file.replace('./dist/', '').replace(/\.js$/, '.ts');
    assert.ok(sources().includes(source), name);
    for (const needed of closureOf(source))
      assert.ok(!needed.startsWith('node:'), `${name} needs ${needed}`);
  }
});

/** The files of the tests, except the measurements. */
const tests: readonly string[] = readdirSync(new URL('test/', root), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((path) => path.endsWith('.ts') && !path.startsWith('bench'))
  .map((path) => `test/${path.replaceAll('\\', '/')}`);

test('tests start processes only by child.ts, in an environment of their own', () => {
  for (const path of tests.filter((other) => other !== 'test/helpers/child.ts')) {
    assert.doesNotMatch(
      readText(path),
      /^import (?!type ).*'node:child_process'|import\('node:child_process/m,
      path,
    );
  }
});

test('tests wait only with an end', () => {
  for (const path of tests.filter((other) => other !== 'test/helpers/until.ts')) {
    // The text of a program for another process is not meant, whose end `execFile` sets.
    const text = readText(path).replaceAll(/`[^`]*`/g, '');
    assert.doesNotMatch(
      text,
      /^import \{[^}]*\bonce\b[^}]*\} from 'node:events'/m,
      `${path}: once is in test/helpers/until.ts`,
    );
    assert.doesNotMatch(
      text,
      /(?:await|return) new Promise/,
      `${path}: name the event, by within in test/helpers/until.ts`,
    );
  }
});

test('the name of an exported type is one concept', () => {
  const files = new Map<string, string>();
  for (const path of sources()) {
    for (const [, name = ''] of readText(path).matchAll(
      /^export (?:interface|type|class) (\w+)/gm,
    )) {
      assert.ok(!files.has(name), `${path}: ${files.get(name)} exports another ${name}`);
      files.set(name, path);
    }
  }
});
