import assert from 'node:assert/strict';
import type { SpawnSyncReturns } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { execFileSync, spawnSync } from './child.ts';
import { readText, root } from './repository.ts';

/** A copy of the files that the package and its scripts consist of, with a given mode. */
export function checkoutWith(context: TestContext, mode: number, paths: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'checkout-'));
  context.after(() => rmSync(folder, { recursive: true }));
  for (const path of paths) cpSync(new URL(path, root), join(folder, path), { recursive: true });
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries.filter((file) => file.isFile()))
    chmodSync(join(entry.parentPath, entry.name), mode);
  return folder;
}

/** Runs npm in a checkout, which is the home, too: that of the user may be absent or not writable. */
export function npm(folder: string, ...args: readonly string[]): SpawnSyncReturns<string> {
  return spawnSync('npm', args, { cwd: folder }, { HOME: folder });
}

/** The package that npm packs. */
export interface Package {
  readonly integrity: string;
  readonly files: readonly { readonly path: string }[];
}

/** Packs a checkout with a given mode of files. */
export function pack(context: TestContext, mode: number): Package {
  const { files } = JSON.parse(readText('package.json')) as { files: string[] };
  const folder = checkoutWith(context, mode, ['package.json', 'README.md', '.build', ...files]);
  execFileSync(process.execPath, ['.build/modes.mjs'], { cwd: folder });
  const { status, stdout, stderr } = npm(folder, 'pack', '--ignore-scripts', '--json', '--offline');
  assert.equal(status, 0, stderr);
  const [packed] = JSON.parse(stdout) as [Package];
  return packed;
}
