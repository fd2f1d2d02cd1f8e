/** The document on the source: the way of a request, the files that may be skipped, and CI. */
import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { hashText } from '../../src/hash/hash.ts';
import * as interest from '../../src/subpaths/interest.ts';
import * as tax from '../../src/subpaths/tax.ts';
import { run } from '../helpers/command.ts';
import { calculations, firstExample } from '../helpers/fixture.ts';
import { Document, namesIn } from '../helpers/markdown.ts';
import { exists, modules, readText, root, sources } from '../helpers/repository.ts';

const source = new Document('src/README.md');
test('each source file begins with a comment on its content', (context) => {
  for (const path of sources()) {
    const [, comment = ''] =
      /^(?:#!.*\n)?\/\*\*?\s+(?:\* )?([^]*?)\s*\*\//.exec(readText(path)) ?? [];
    assert.notEqual(
      comment,
      '',
      `${path}: say in a comment at its beginning what the file contains`,
    );
    context.diagnostic(`${path}: ${comment.split(/\n[ *]*\n/)[0]!.replace(/\n \* ?/g, ' ')}`);
  }
});

/** A script in the coverage that V8 writes. */
interface Coverage {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly {
      readonly functionName: string;
      readonly ranges: readonly { readonly count: number }[];
    }[];
  }[];
}

/** Runs the command, and returns the functions with a name that have run, such as `tax/law.ts lawOf`. */
async function functionsOf(
  context: TestContext,
  use: (address: string) => Promise<void>,
): Promise<ReadonlySet<string>> {
  const folder = mkdtempSync(join(tmpdir(), 'coverage-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const command = run(context, ['--port=0'], { NODE_V8_COVERAGE: folder }, [], modules);
  const { address } = await command.ready();
  await use(address);
  await command.stop();
  const called = new Set<string>();
  for (const file of readdirSync(folder)) {
    const { result } = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Coverage;
    for (const { url, functions } of result) {
      const [, path] = /\/src\/([\w/-]+)\.[jt]s$/.exec(url) ?? [];
      for (const { functionName, ranges } of functions) {
        if (path !== undefined && functionName !== '' && ranges[0]!.count > 0)
          called.add(`${path}.ts ${functionName}`);
      }
    }
  }
  return called;
}

async function post(url: string, type: string, body: string): Promise<void> {
  const response = await fetch(url, { method: 'POST', headers: { 'content-type': type }, body });
  assert.equal(response.status, 200);
  await response.text();
}

/** Whether a function, or a method of a class, of a file has been called. */
const isCalled = (called: ReadonlySet<string>, path: string, name: string): boolean =>
  [...called].some((one) => one.startsWith(`${path} `) && one.endsWith(name));

test('a tax request calls the functions that the document lists', async (context) => {
  const called = await functionsOf(context, (address) =>
    post(
      `${address}/api/v1/tax/calculate`,
      'application/json',
      '{"income":30000000,"period":"2026-08"}',
    ),
  );
  const steps = source.section('The path of a request').match(/^\d+\. .*$/gm) ?? [];
  assert.equal(steps.length, 10);
  for (const step of steps) {
    let path = '';
    for (const name of namesIn(step)) {
      if (name.endsWith('.ts')) path = name;
      else assert.ok(isCalled(called, path, name), `${path}: ${name}`);
    }
  }
});

test('the files that a setting, a command or another program enables run no function by default', async (context) => {
  const called = await functionsOf(context, async (address) => {
    for (const operation of calculations) {
      const body = JSON.stringify(firstExample(operation));
      await post(address + operation.path, 'application/json', body);
      await post(address + operation.path, 'application/x-ndjson', body);
    }
    for (const path of ['/', '/openapi.json', '/api/v1/tax/rules', '/readyz']) {
      const response = await fetch(address + path, { headers: { accept: 'text/html' } });
      await response.text();
    }
  });
  const [, list = ''] = /no function runs of\s+([^:]*):/.exec(source.section('Layers')) ?? [];
  const paths = namesIn(list);
  assert.ok(paths.length >= 5);
  for (const path of paths) {
    assert.ok(exists(`src/${path}`), path);
    assert.deepEqual(
      [...called].filter((one) => one.startsWith(`${path} `)),
      [],
      path,
    );
  }
});

test('CI runs the commands for installing, testing and bundling, and the workflow runs CI', () => {
  const readme = readText('README.md');
  assert.ok(/^ *npm ci && npm start$/m.test(readme) && /^ *npm ci && npm test$/m.test(readme));
  const ci = readText('.ci/run');
  for (const command of ['npm ci', 'npm test']) assert.ok(ci.includes(`\n  ${command}\n`), command);
  assert.ok(readText('.build/bundle.mjs').includes('`npm ci && node .build/bundle.mjs\\`'));
  for (const path of ['.deploy/README.md', '.deploy/utility-calculation-service.service'])
    assert.match(readText(path), /`npm ci`/);
  assert.match(ci, /sha256sum --check/);
  const parts = [...ci.matchAll(/^(\w+)\(\) \{$/gm)].map(([, name]) => name);
  assert.ok(ci.includes(`|| set -- ${parts.join(' ')}\n`), 'all parts run by default');
  const workflow = readText('.github/workflows/test.yml');
  const release = 'npm ci --ignore-scripts && npm run release\n';
  for (const text of [workflow, readText('.github/SECURITY.md')]) assert.ok(text.includes(release));
  const steps = workflow.matchAll(/^ +- run: \.ci\/run (\w+)$/gm);
  assert.deepEqual(
    [...steps].map(([, name]) => name),
    parts,
  );
});

test('the scripts that a document, a recipe, a build step or CI names exist', () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: object };
  const folders = ['.', '.build', '.ci', '.deploy', '.github', '.github/workflows', 'src'];
  const paths = folders.flatMap((folder) =>
    readdirSync(new URL(`${folder}/`, root), { withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.png'))
      .map(({ name }) => `${folder}/${name}`),
  );
  const named = paths.flatMap((path) =>
    [...readText(path).matchAll(/npm run (\w[\w:]*)/g)].map(([, name = '']) => [path, name]),
  );
  assert.ok(named.length >= 10);
  for (const [path, name = ''] of named) assert.ok(name in scripts, `${path}: ${name}`);
});

test('the recipes, the lock and the changes have the version of the package', () => {
  const { version } = JSON.parse(readText('package.json')) as { version: string };
  const recipes = ['.deploy/Dockerfile', '.deploy/kubernetes.yaml'].flatMap((path) =>
    Array.from(readText(path).matchAll(/service:(\d+\.\d+\.\d+)/g), ([, named]) => named),
  );
  assert.ok(recipes.length >= 2);
  const lock = JSON.parse(readText('package-lock.json')) as { version: string };
  const newest = new Document('.github/CHANGELOG.md').headings('##')[0];
  assert.deepEqual([...new Set([...recipes, lock.version, newest])], [version]);
});

test('the library lists the function of each operation, and the type of its request', () => {
  const rows = source.table('The library').map((row) => row.map((cell) => namesIn(cell)[0]));
  assert.deepEqual(
    rows.map(([, name]) => name),
    [...calculations.map(({ id }) => id), 'taxRules'],
  );
  const subpaths: Readonly<Record<string, string>> = {
    '/tax': readText('src/subpaths/tax.ts'),
    '/interest': readText('src/subpaths/interest.ts'),
  };
  for (const [, name = '', type = '', path] of rows) {
    const exported = path === undefined ? readText('src/index.ts') : subpaths[path];
    for (const one of [name, type]) assert.match(exported ?? '', new RegExp(`\\b${one}\\b`), one);
  }
});

const EXAMPLE = / \* @example\n \* ([^]+?); \/\/ (.+)\n \*\/\nexport function (\w+)/g;

test('each calculation of the library has an example, which is true', () => {
  const examples = new Map(
    sources().flatMap((path) =>
      [...readText(path).matchAll(EXAMPLE)].map(
        ([, code = '', result = '', name = '']) =>
          [name, [code.replaceAll('\n *', ''), result]] as const,
      ),
    ),
  );
  const functions: Record<string, unknown> = { ...tax, ...interest, hashText };
  // Names of classes and constants begin with a capital letter.
  const names = Object.keys(functions).filter((name) => /^[a-z]/.test(name));
  for (const name of names) {
    const [code, result] = examples.get(name) ?? assert.fail(`${name} has no example`);
    const [actual, expected] = [code, result].map((text): unknown =>
      new Function(...names, `return ${text}`)(...names.map((other) => functions[other])),
    );
    assert.deepEqual(actual, expected, code);
  }
});
