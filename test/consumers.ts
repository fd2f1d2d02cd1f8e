/**
 * The package as a program that installs it sees it: its bytes, its types, and its subpaths in a bundle. This takes longer
 * than other tests, so that `.ci/run` runs it, and `npm test` does not.
 */
import assert from 'node:assert/strict';
import type { SpawnSyncReturns } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import { execFileSync, missing, spawnSync } from './helpers/child.ts';
import { Document, namesIn } from './helpers/markdown.ts';
import { pack } from './helpers/package.ts';
import { readText, root } from './helpers/repository.ts';

/** Runs npm with the environment of its user, which may have another registry, a proxy, or certificates. */
function npm(folder: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync('npm', args, { cwd: folder }, process.env as Record<string, string>);
}

/** A folder in which the package is installed, beside other packages of the npm registry. */
function projectWith(
  context: TestContext,
  files: Readonly<Record<string, string>>,
  packages: readonly string[] = [],
): string {
  const folder = mkdtempSync(join(tmpdir(), 'project-'));
  context.after(() => rmSync(folder, { recursive: true }));
  if (packages.length > 0) {
    const { status, stderr } = npm(
      folder,
      'install',
      '--ignore-scripts',
      '--no-audit',
      ...packages,
    );
    assert.equal(status, 0, stderr);
  }
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
  const settings: utility.Settings = { log: 'requests', metrics: 'on', bodyLimit: 65_536, taxPeriod: undefined };
  const mounted: utility.HandlerSettings = { corsOrigin: 'off', taxPeriod: '2026-08' };
  // @ts-expect-error a setting of createServer
  utility.createHandler({ log: 'errors' });
  // @ts-expect-error a level that does not exist
  const wrong: utility.Settings = { log: 'all' };
  // @ts-expect-error a setting of a server
  utility.createFetchHandler({ log: 'errors' });
  export const listener: RequestListener = utility.createHandler();
  export const handler = utility.createHandler(mounted, (line) => console.log(line));
  export const server = utility.createServer(settings, (line) => console.log(line));
  export const respond = utility.createFetchHandler();
  export const service = utility.createService();
  export const routed = service.route({ method: 'GET', target: '/', headers: {} });
  export const answer = service.overloaded;
  export const tax = utility.calculateTax(request);
  export const { detail, insurance } = tax;
  export const law = utility.law.lawOf('2026-08', 1);
  export const rows = utility.law.BASE_SALARY;
  export const year = utility.settleYear({ year: 2026, income: 1, insurance: 0 });
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

/** Compiles the programs with the TypeScript and the types of Node of a folder. Returns the errors. */
function compile(context: TestContext, cwd: string): string {
  const programs = [
    { folder: projectWith(context, { 'program.ts': WHOLE }), types: ['node'], lib: ['es2023'] },
    { folder: projectWith(context, { 'program.ts': SUBPATHS }), types: [], lib: ['es2023', 'dom'] },
  ];
  const args = ['--input-type=module', '--eval', COMPILE, JSON.stringify(programs)];
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { cwd });
  assert.deepEqual([stderr, status], ['', 0]);
  return stdout;
}

test('compiles programs of the library, and of its subpaths without the types of Node', (context) => {
  assert.equal(compile(context, fileURLToPath(root)), '');
});

test('npm pack writes the same bytes whatever the umask of the checkout was', (context) => {
  const packages = [0o644, 0o600, 0o666].map((mode) => pack(context, mode).integrity);
  assert.equal(new Set(packages).size, 1, packages.join(' '));
});

const skip = missing('esbuild');

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
    { cwd: folder },
  );
  return vm.runInNewContext(`${bundle};exported.result`, globals);
}

test('bundles /tax for browsers into a script that needs only JavaScript', { skip }, (context) => {
  const result = runBundle(
    context,
    `import { calculateTax } from 'utility-calculation-service/tax';
    export const result = calculateTax({ income: 30_000_000, dependents: 1, period: '2026-08' }).net_income;`,
    {},
  );
  assert.equal(result, 26_592_500);
});

test(
  'bundles /fetch for browsers into a script that needs only what every runtime has',
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

/** A framework, its package, and a program that mounts the service in `app` and defines `ask`. */
const FRAMEWORKS: readonly (readonly [name: string, packages: string, start: string])[] = [
  [
    'Express',
    'express@5.3.0',
    `import express from 'express';
    const app = express();
    MOUNT
    app.use(express.json());
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const ask = (path, init) => fetch('http://127.0.0.1:' + server.address().port + '/calculate' + path, init);`,
  ],
  [
    'Koa',
    'koa@3.3.0',
    `import Koa from 'koa';
    const app = new Koa();
    MOUNT
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const ask = (path, init) => fetch('http://127.0.0.1:' + server.address().port + path, init);`,
  ],
  [
    'Fastify',
    'fastify@5.12.8',
    `import Fastify from 'fastify';
    const app = Fastify();
    MOUNT
    const address = await app.listen({ port: 0, host: '127.0.0.1' });
    const ask = (path, init) => fetch(address + path, init);`,
  ],
  [
    'Hono',
    'hono@4.13.19',
    `import { Hono } from 'hono';
    const app = new Hono();
    MOUNT
    const ask = (path, init) => app.request(path, init);`,
  ],
  [
    'h3 2',
    'h3@2.0.8',
    `import { H3 } from 'h3';
    const app = new H3();
    MOUNT
    const ask = (path, init) => app.request(path, init);`,
  ],
];

/** Prints the statuses of requests, and their numbers of hashes. */
const ASK = `
  const hash = async (type, body) => {
    const init = { method: 'POST', headers: { 'content-type': type }, body };
    const answer = await ask('/api/v1/hash', init);
    return [answer.status, (await answer.text()).split('"md5"').length - 1];
  };
  console.log(JSON.stringify([
    await hash('application/json', '{"text":"a"}'),
    await hash('application/x-ndjson', '{"text":"a"}\\n'.repeat(2_000)),
    await hash('text/csv', 'a'),
    await hash('application/json', 'a'.repeat(2_000_000)),
  ]));
  process.exit();
`;

const noRegistry =
  npm(tmpdir(), 'view', '--fetch-retries=0', 'express', 'version').status === 0
    ? false
    : 'the npm registry cannot be reached';

test(
  'compiles them with the least version of TypeScript that README names',
  { skip: noRegistry },
  (context) => {
    const [, least = ''] = /TypeScript (\d+\.\d+)\s+or later/.exec(readText('README.md')) ?? [];
    const { devDependencies } = JSON.parse(readText('package.json')) as {
      devDependencies: Readonly<Record<string, string>>;
    };
    const types = `@types/node@${devDependencies['@types/node']}`;
    const folder = projectWith(context, {}, [`typescript@~${least}.0`, types]);
    const compiler = readFileSync(join(folder, 'node_modules/typescript/package.json'), 'utf8');
    assert.ok((JSON.parse(compiler) as { version: string }).version.startsWith(`${least}.`));
    assert.equal(compile(context, folder), '');
  },
);

test(
  'each framework in the table of the library answers requests',
  { skip: noRegistry },
  (context) => {
    const rows = new Document('src/README.md').table('Frameworks and runtimes');
    const mounts = new Map(rows.map(([name = '', mount = '']) => [name, namesIn(mount)[0]]));
    const tested = FRAMEWORKS.map(([name]) => name);
    assert.deepEqual([...mounts.keys()], [...tested, 'AWS Lambda']);
    const packages = FRAMEWORKS.map(([, name]) => name);
    const programs = FRAMEWORKS.map(([name, , start]) => [
      `${name}.js`,
      `import { once } from 'node:events';
    import { createFetchHandler, createHandler } from 'utility-calculation-service';
    const handler = createHandler();
    const respond = createFetchHandler();
    ${start.replace('MOUNT', () => mounts.get(name)!)}
    ${ASK}`,
    ]);
    const folder = projectWith(context, Object.fromEntries(programs), packages);
    for (const name of tested) {
      const { stdout, stderr } = spawnSync(process.execPath, [`${name}.js`], { cwd: folder });
      assert.deepEqual([stdout, stderr], ['[[200,1],[200,2000],[415,0],[413,0]]\n', ''], name);
    }
  },
);
