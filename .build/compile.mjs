/**
 * `npm run compile`: checks and compiles the page, writes the bundles, and compiles the rest, each in
 * a thread. Options are those of the last step. A step is left out if none of its files has changed
 * since its last success: the compiler alone takes seconds to find that out, and `tsc --build` relies
 * on the times of files.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { fewerOptimizations } from './flags.mjs';

const FILES = ['package.json', 'package-lock.json', 'tsconfig.json'];
const SOURCES = ['.build', 'src'];

const options = process.argv.slice(2);
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

/** Runs a step, unless its record has the SHA-256 of the content of its files. */
async function step(name, content, script, ...args) {
  const record = `dist/${name}.sha256`;
  const hash = contentHash([], JSON.stringify([content, script, args]));
  if (hash === recorded(record)) return;
  // A step that fails has written files.
  rmSync(record, { force: true });
  if ((await run(script, args)) === 0) writeFileSync(record, hash);
  else process.exitCode = 1;
}

for (const flag of fewerOptimizations) setFlagsFromString(flag);

mkdirSync('dist', { recursive: true });
const sources = contentHash([...FILES, ...SOURCES.flatMap(filesIn)], '');
await Promise.all([
  step('compiled', contentHash(filesIn('test'), sources), compiler, '--sourceMap', ...options),
  step('page', sources, compiler, '-p', 'src/page'),
  step('bundled', sources, './.build/bundle.mjs'),
]);
