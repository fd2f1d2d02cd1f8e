/** Makes the files of the package readable by everyone, so that `npm pack` writes the same bytes under any umask. */
import { chmodSync, readdirSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const built = readdirSync(new URL('dist/src/', root), { recursive: true, withFileTypes: true });
const paths = built.filter((entry) => entry.isFile()).map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`);
for (const path of ['package.json', 'README.md']) chmodSync(new URL(path, root), 0o644);
for (const path of paths) chmodSync(path, 0o644);
