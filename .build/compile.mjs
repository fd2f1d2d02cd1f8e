/**
 * `npm run compile`: checks and compiles the page, writes the bundles, and compiles the rest. Options
 * are those of the last step. If no file has changed since the last success, nothing is done: the
 * compiler alone takes seconds to find that out, and `tsc --build` relies on the times of files.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const FOLDERS = ['.build', 'src', 'test'];
const FILES = ['package.json', 'package-lock.json', 'tsconfig.json'];
/** The SHA-256 of the content of the files at the last success. */
const RECORD = 'dist/compiled.sha256';

const options = process.argv.slice(2);
const compiler = createRequire(import.meta.url).resolve('typescript/lib/tsc.js');

/** The paths of the files in a folder. */
function filesIn(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  return files.map(({ parentPath, path = parentPath, name }) => `${path}/${name}`).sort();
}

function contentHash() {
  const hash = createHash('sha256').update(JSON.stringify(options));
  for (const path of [...FILES, ...FOLDERS.flatMap(filesIn)]) {
    hash.update(`\0${path}\0`).update(readFileSync(path));
  }
  return hash.digest('hex');
}

function recorded() {
  try {
    return readFileSync(RECORD, 'utf8');
  } catch {
    return undefined;
  }
}

/** Runs a step, and ends with its status if it fails. */
function run(...args) {
  const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}

const hash = contentHash();
if (hash !== recorded()) {
  // A step that fails has written files.
  rmSync(RECORD, { force: true });
  run(compiler, '-p', 'src/page');
  run('.build/bundle.mjs');
  run(compiler, '--sourceMap', ...options);
  writeFileSync(RECORD, hash);
}
