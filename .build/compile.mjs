/**
 * `npm run compile`: checks and compiles the page, writes the bundles, and compiles the rest, all at
 * the same time. Options are those of the last step. A step is left out if none of its files has
 * changed since its last success: the compiler alone takes seconds to find that out, and `tsc --build`
 * relies on the times of files.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

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

function contentHash(folders, args) {
  const hash = createHash('sha256').update(JSON.stringify(args));
  for (const path of [...FILES, ...folders.flatMap(filesIn)]) {
    hash.update(`\0${path}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

function recorded(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

/** Runs a step, unless its record has the SHA-256 of the content of its files. */
async function step(name, folders, ...args) {
  const record = `dist/${name}.sha256`;
  const hash = contentHash(folders, args);
  if (hash === recorded(record)) return;
  // A step that fails has written files.
  rmSync(record, { force: true });
  const [status] = await once(spawn(process.execPath, args, { stdio: 'inherit' }), 'exit');
  if (status === 0) writeFileSync(record, hash);
  else process.exitCode = 1;
}

mkdirSync('dist', { recursive: true });
await Promise.all([
  step('compiled', [...SOURCES, 'test'], compiler, '--sourceMap', ...options),
  step('page', SOURCES, compiler, '-p', 'src/page'),
  step('bundled', SOURCES, '.build/bundle.mjs'),
]);
