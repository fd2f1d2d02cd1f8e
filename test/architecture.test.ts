import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { posix } from 'node:path';
import { test } from 'node:test';
import { readText, root, sources } from './helpers/repository.ts';

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

/** The folder of src/ that contains a path, such as `server` or `extensions/log`; '' for the files of src/ itself. */
const area = (path: string): string => /^src\/(?:((?:extensions\/)?\w+)\/)?/.exec(path)?.[1] ?? '';

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

/** The folders of the operations that a file of src/ lists. */
const operationFolders = (list: string): string[] =>
  [...new Set(imports.filter(({ from }) => from === list).map(({ to }) => area(to)))].filter(
    (folder) => folder !== '' && folder !== 'contract',
  );
const PORTABLE = operationFolders('src/portable-calculations.ts');

/** The folders that each folder may import, and the folders that any JavaScript runtime can load. */
const LAYERS: Readonly<Record<string, readonly string[]>> = {
  contract: ['contract'],
  ...Object.fromEntries(
    [...PORTABLE, ...operationFolders('src/calculations.ts')].map((folder) => [
      folder,
      [folder, 'contract'],
    ]),
  ),
  service: ['service', 'contract'],
  server: ['server', 'service', 'contract'],
  command: ['command', 'server', 'service', 'tax', 'contract'],
  page: ['page', 'extensions/reconcile', 'tax', 'interest', 'hash', 'contract'],
  'extensions/rules': ['extensions/rules', 'tax', 'contract'],
  'extensions/reconcile': ['extensions/reconcile', 'tax', 'contract'],
};
/** An extension imports from the core, and not from another extension. */
const CORE = ['command', 'server', 'service', 'contract'];
const isExtension = (folder: string): boolean => folder.startsWith('extensions/');
const WITHOUT_NODE = [
  'contract',
  ...PORTABLE,
  'service',
  'extensions/rules',
  'extensions/reconcile',
  'extensions/fetch',
  'page',
];

test('imports only between folders that LAYERS allows', () => {
  for (const { from, to } of imports) {
    if (to.startsWith('node:')) continue;
    assert.notEqual(to, 'src/main.ts', `${from}: remove the import of the command`);
    if (area(from) === '') continue;
    const folder = area(from);
    const allowed = LAYERS[folder] ?? (isExtension(folder) ? [folder, ...CORE] : undefined);
    assert.ok(
      allowed !== undefined,
      `${from}: add the folder \`${area(from)}\` to LAYERS in test/architecture.test.ts`,
    );
    assert.ok(
      allowed.includes(area(to)),
      `${from} imports ${to}: move the code, or add \`${area(to)}\` to LAYERS.${area(from)} in test/architecture.test.ts`,
    );
  }
});

test('the picture of the source has every import between folders, and no other', () => {
  const text = readText('src/README.md');
  const drawn = (text.match(/^ +\w+ --> \w+$/gm) ?? []).map((edge) => edge.trim());
  const house = (path: string): string => area(path).split('/', 1)[0]!;
  const edges = imports
    .filter(({ to }) => !to.startsWith('node:'))
    .map(({ from, to }) => [house(from), house(to)] as const)
    .filter(([from, to]) => from !== '' && to !== '' && from !== to)
    .map(([from, to]) => `${from} --> ${to}`);
  for (const edge of edges)
    assert.ok(drawn.includes(edge), `src/README.md: the picture lacks ${edge}`);
  assert.deepEqual(drawn.sort(), [...new Set(edges)].sort());
});

test('imports no Node module, and uses no global name of Node, in the folders of WITHOUT_NODE', () => {
  const reason = 'every JavaScript runtime loads this folder';
  for (const { from, to } of imports) {
    const isForbidden = to.startsWith('node:') && WITHOUT_NODE.includes(area(from));
    assert.ok(!isForbidden, `${from} imports ${to}: ${reason}`);
  }
  for (const path of sources().filter((source) => WITHOUT_NODE.includes(area(source)))) {
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

test('writes to a response only in exchange.ts', () => {
  for (const path of sources()) {
    if (path === 'src/server/exchange.ts') continue;
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

/** The files that a file of the source needs, itself included. */
function closureOf(path: string, found: Set<string> = new Set()): ReadonlySet<string> {
  if (found.has(path)) return found;
  found.add(path);
  for (const { from, to } of imports) if (from === path) closureOf(to, found);
  return found;
}

test('the core is a complete service, and needs no extension', () => {
  const needed = [...closureOf('src/core.ts')];
  assert.ok(needed.includes('src/server/server.ts') && needed.includes('src/tax/law.ts'));
  for (const path of needed) assert.ok(!path.startsWith('src/extensions/'), path);
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
