/** Makes the files of the package readable by everyone, so that `npm pack` writes the same bytes under any umask. */
import { chmodSync, readdirSync, readFileSync, statSync } from 'node:fs';

const root = new URL('../', import.meta.url);
const { files } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'));

function makeReadable(url) {
  if (statSync(url).isFile()) {
    chmodSync(url, 0o644);
    return;
  }
  for (const name of readdirSync(url)) makeReadable(new URL(`${url.href}/${name}`));
}

for (const path of ['package.json', 'README.md', ...files]) makeReadable(new URL(path, root));
