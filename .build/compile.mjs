/**
 * `npm run build`: compiles the source, and writes the bundles and the page, each in a thread. With the
 * argument `test`, `npm run compile`: also checks and compiles the modules of the page, and then the tests,
 * against the types of the compiled source and page. A step is left out if none of its files has changed since its
 * last success: the compiler alone takes seconds to find that out, and `tsc --build` relies on the times
 * of files.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { fewerOptimizations } from './flags.mjs';

const FILES = ['package.json', 'package-lock.json', 'tsconfig.json'];
const SOURCES = ['.build', 'src'];

const withTests = process.argv[2] === 'test';
const compiler = createRequire(import.meta.url).resolve('typescript/lib/tsc.js');

/** The paths of the files in a folder. */
function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, path = parentPath, name }) => `${path}/${name}`).sort();
}

function contentHash(paths, seed) {
  const hash = createHash('sha256').update(seed);
  for (const path of paths) hash.update(`\0${path}\0`).update(readFileSync(path));
  return hash.digest('hex');
}

function recorded(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Runs a script in a thread, and returns its exit status. */
function run(script, argv) {
  const worker = new Worker(script, { argv });
  worker.on('error', (error) => console.error(error));
  return new Promise((resolve) => worker.on('exit', resolve));
}

/** Runs a step, unless its record has the SHA-256 of the content of its files. Returns whether it succeeded. */
async function step(name, content, script, ...args) {
  const record = `dist/${name}.sha256`;
  if (content === recorded(record)) return true;
  // A step that fails has written files.
  rmSync(record, { force: true });
  const hasSucceeded = (await run(script, args)) === 0;
  if (hasSucceeded) writeFileSync(record, content);
  else process.exitCode = 1;
  return hasSucceeded;
}

async function compile() {
  const steps = [step('compiled', sources, compiler)];
  if (withTests) steps.push(step('page', sources, compiler, '-p', 'src/page'));
  const haveSucceeded = await Promise.all(steps);
  if (withTests && haveSucceeded.every(Boolean)) {
    await step('tests', contentHash(filesIn('test'), sources), compiler, '-p', 'test');
  }
}

for (const flag of fewerOptimizations) setFlagsFromString(flag);

mkdirSync('dist', { recursive: true });
const sources = contentHash([...FILES, ...SOURCES.flatMap(filesIn)], '');
await Promise.all([compile(), step('bundled', sources, './.build/bundle.mjs')]);
