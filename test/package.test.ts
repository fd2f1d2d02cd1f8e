/** The package as a program that installs it sees it: its types, and its subpaths in a bundle. */
import assert from 'node:assert/strict';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { execFileSync, spawnSync } from './helpers/child.ts';
import { Document } from './helpers/markdown.ts';
import { readText, root } from './helpers/repository.ts';

/** A folder in which the package is installed. */
function projectWith(context: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'project-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const installed = join(folder, 'node_modules/utility-calculation-service');
  cpSync(new URL('package.json', root), join(installed, 'package.json'));
  cpSync(new URL('dist/src/', root), join(installed, 'dist/src'), { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/**
 * Prints the errors in programs and in the types of the package. Unlike the command of the compiler, it does not check the
 * types of Node and of JavaScript, which takes longer, and it reads the latter once for all programs.
 */
const COMPILE = `
  import { join } from 'node:path';
  import ts from 'typescript';
  const options = {
    strict: true, declaration: true, exactOptionalPropertyTypes: true, module: 'nodenext', typeRoots: ['node_modules/@types'],
  };
  const files = new Map();
  const isForeign = ({ fileName }) => /\\/(?:@types|undici-types|typescript)\\//.test(fileName);
  for (const { folder, ...more } of JSON.parse(process.argv[1])) {
    const converted = ts.convertCompilerOptionsFromJson({ ...options, ...more }, process.cwd());
    const host = ts.createCompilerHost(converted.options);
    const { getSourceFile } = host;
    host.getSourceFile = (name, ...others) => {
      const isLibrary = name.includes('/typescript/lib/');
      if (!isLibrary) return getSourceFile(name, ...others);
      if (!files.has(name)) files.set(name, getSourceFile(name, ...others));
      return files.get(name);
    };
    const program = ts.createProgram([join(folder, 'program.ts')], converted.options, host);
    const checked = program.getSourceFiles().filter((file) => !isForeign(file));
    const errors = [...converted.errors, ...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics(),
      ...checked.flatMap((file) => [program.getSyntacticDiagnostics(file), program.getSemanticDiagnostics(file),
        file.isDeclarationFile ? [] : program.getDeclarationDiagnostics(file)].flat())];
    process.stdout.write(ts.formatDiagnostics(errors, host));
  }
`;

/** A program that exports the results of the library, and writes requests and settings. */
const WHOLE = `
  import type { RequestListener } from 'node:http';
  import * as utility from 'utility-calculation-service';
  const request: utility.TaxRequest = { income: 1 };
  const absent: utility.TaxRequest = { income: 1, period: undefined };
  const settings: utility.Settings = { log: 'requests', metrics: 'on', bodyLimit: 64, taxPeriod: undefined };
  // @ts-expect-error a level that does not exist
  const wrong: utility.Settings = { log: 'all' };
  // @ts-expect-error a setting of a server
  utility.createFetchHandler({ log: 'errors' });
  export const listener: RequestListener = utility.createHandler();
  export const handler = utility.createHandler(settings, (line) => console.log(line));
  export const server = utility.createServer();
  export const respond = utility.createFetchHandler();
  export const service = utility.createService();
  export const routed = service.route({ method: 'GET', target: '/', headers: {} });
  export const answer = service.overloaded;
  export const tax = utility.calculateTax(request);
  export const { detail, insurance } = tax;
  export const law = utility.law.lawOf('2026-08', 1);
  export const rows = utility.law.BASE_SALARY;
  export const year = utility.settleYear({ year: 2026, income: 1 });
  export const interest = utility.calculateInterest({ principal: 1, annual_rate: 1, years: 1 });
  export const goal = utility.solveInterest({ solve_for: 'years', target: 1, principal: 1, annual_rate: 1 });
  export const hash = utility.hashText({ text: '' });
  export const rules = utility.taxRules();
  export const failures = utility.FAILURES;
  export const failure = new utility.Failure('not_found').details;
  export { request, absent, wrong };
`;

/** A program of the subpaths, for runtimes without the types of Node. */
const SUBPATHS = `
  import { createFetchHandler } from 'utility-calculation-service/fetch';
  import { calculateInterest } from 'utility-calculation-service/interest';
  import * as law from 'utility-calculation-service/law';
  import { calculateTax, Failure } from 'utility-calculation-service/tax';
  export const respond = createFetchHandler({ taxPeriod: '2026-08' });
  export const tax = calculateTax({ income: 1 });
  export const interest = calculateInterest({ principal: 1, annual_rate: 1, years: 1 });
  export const current = law.lawOf('2026-08', 1);
  export const failure = new Failure('not_found');
`;

test('package: compiles programs of the library, and of its subpaths without the types of Node', (context) => {
  const programs = [
    { folder: projectWith(context, { 'program.ts': WHOLE }), types: ['node'], lib: ['es2023'] },
    { folder: projectWith(context, { 'program.ts': SUBPATHS }), types: [], lib: ['es2023', 'dom'] },
  ];
  const args = ['--input-type=module', '--eval', COMPILE, JSON.stringify(programs)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, {
    cwd: fileURLToPath(root),
  });
  assert.deepEqual([stdout, stderr, status], ['', '', 0]);
});

/** A copy of the files that the package and its scripts consist of, with a given mode. */
function checkoutWith(context: TestContext, mode: number, paths: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const path of paths) cpSync(new URL(path, root), join(folder, path), { recursive: true });
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((file) => file.isFile()))
    chmodSync(join(entry.parentPath, entry.name), mode);
  return folder;
}

/** The package that npm packs from a checkout with a given mode of files. */
interface Package {
  readonly integrity: string;
  readonly files: readonly { readonly path: string }[];
}

function pack(context: TestContext, mode: number): Package {
  const { files } = JSON.parse(readText('package.json')) as { files: string[] };
  const folder = checkoutWith(context, mode, ['package.json', 'README.md', '.build', ...files]);
  execFileSync(process.execPath, ['.build/modes.mjs'], folder);
  const npm = spawnSync('npm', ['pack', '--ignore-scripts', '--json', '--offline'], {
    cwd: folder,
  });
  assert.equal(npm.status, 0, npm.stderr);
  const [packed] = JSON.parse(npm.stdout) as [Package];
  return packed;
}

test('package: npm pack writes the same bytes whatever the umask of the checkout was', (context) => {
  const packages = [0o644, 0o600, 0o666].map((mode) => pack(context, mode).integrity);
  assert.equal(new Set(packages).size, 1, packages.join(' '));
});

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
  const { status, stderr } = spawnSync('npm', ['start', '--silent'], { cwd: folder });
  assert.equal(status, 1);
  assert.match(
    stderr,
    /^The service is not built\. To build it: npm ci [^\n]+ && npm run build\n$/,
  );
});

const skip =
  spawnSync('esbuild', ['--version']).error === undefined ? false : 'esbuild is not installed';

/** Bundles a program for browsers; the bundle may have no more globals than the given ones. */
function runBundle(context: TestContext, program: string, globals: object): unknown {
  const folder = projectWith(context, { 'program.js': program });
  const bundle = execFileSync(
    'esbuild',
    [
      'program.js',
      '--bundle',
      '--minify',
      '--format=iife',
      '--platform=browser',
      '--global-name=exported',
      '--log-level=warning',
      '--log-limit=0',
    ],
    folder,
  );
  return vm.runInNewContext(`${bundle};exported.result`, globals);
}

test(
  'package: bundles /tax for browsers into a script that needs only JavaScript',
  { skip },
  (context) => {
    const result = runBundle(
      context,
      `import { calculateTax } from 'utility-calculation-service/tax';
    export const result = calculateTax({ income: 30_000_000, dependents: 1, period: '2026-08' }).net_income;`,
      {},
    );
    assert.equal(result, 26_592_500);
  },
);

test(
  'package: bundles /fetch for browsers into a script that needs only what every runtime has',
  { skip },
  async (context) => {
    const globals = {
      console,
      crypto,
      performance,
      Request,
      Response,
      setTimeout,
      TextDecoder,
      TextEncoder,
      TransformStream,
      URL,
      URLSearchParams,
    };
    const result = (await runBundle(
      context,
      `import { createFetchHandler } from 'utility-calculation-service/fetch';
    const respond = createFetchHandler();
    const ask = async (path, type, body) => {
      const method = body === undefined ? 'GET' : 'POST';
      const headers = body === undefined ? {} : { 'content-type': type };
      const response = await respond(new Request('http://a' + path, { method, headers, body }));
      return [response.status, await response.text()];
    };
    export const result = (async () => [
      await ask('/api/v1/tax/calculate', 'application/json', '{"income":1}'),
      await ask('/api/v1/tax/calculate', 'application/json', new Uint8Array([0xff])),
      await ask('/api/v1/interest/calculate', 'application/x-ndjson; charset="UTF-8"', '{"id":1}\\n'.repeat(2_000)),
      await ask('/openapi.json'),
      await ask('/api/v1/hash', 'application/json', '{"text":""}'),
    ])();`,
      globals,
    )) as [number, string][];
    assert.deepEqual(
      Array.from(result, ([status]) => status),
      [200, 400, 200, 200, 404],
    );
    assert.match(result[1]![1], /invalid byte sequence at byte 1/);
    assert.equal(result[2]![1].split('\n').length, 2_001);
    assert.ok(!result[3]![1].includes('/api/v1/hash'));
  },
);
