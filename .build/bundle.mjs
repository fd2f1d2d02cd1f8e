/**
 * `npm run bundle`: writes the command, the service and the page as one file for Node.js, and the core
 * as another. Their bytes depend only on those of the checkout.
 */
import { createHash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { Script } from 'node:vm';
import { addModule, LOADER, read, root, withoutTypes, write } from './modules.mjs';
import { files, PAGE_FOLDER } from './page.mjs';

/** The module that reads the files of the page from their folder, and its text in the bundle. */
const PAGE_FILES = 'src/extensions/documents/page-files.ts';
const PAGE_FILES_HERE = `/** In place of the module that reads the files of the page from a folder. */
export const hasPageFiles = () => true;

export const readPageFile = (name) => load(\`${PAGE_FOLDER}\${name}\`);
`;

const manifest = JSON.parse(read('package.json'));

/** A file with a module that starts it, and with files of the page. */
function writeBundle(name, main, content, pageFiles) {
  /** The sections of the bundle, by the paths of their files. The first are in the order of a reading. */
  const sections = new Map();
  for (const path of ['src/calculations.ts', main]) {
    addModule(sections, path, (module) =>
      module === PAGE_FILES ? PAGE_FILES_HERE : withoutTypes(read(module)),
    );
  }
  for (const [file, text] of pageFiles) {
    const path = PAGE_FOLDER + file;
    const literal = text.replace(/[\\`]|\$\{/g, '\\$&');
    sections.set(path, `modules['${path}'] = () => \`${literal}\`;\n`);
  }
  const bundle = `#!/usr/bin/env node
/**
 * ${manifest.name} ${manifest.version}: ${content}.
 * License in package.json: ${manifest.license ?? 'none'}. Node.js ${manifest.engines.node}.
 *
 *   node ${name}        starts the service
 *   node ${name} help   lists the commands and the settings
 *
 * In a checkout of this version, \`npm ci && npm run bundle\` writes the same bytes and prints their
 * SHA-256, whatever the folder, the time zone and the version of Node.js are. To compare it:
 *
 *   sha256sum ${name}
 *
 * Each section below is a file of the checkout without its types: a function that runs when another
 * section first loads it, and that returns its exports.${PAGE_NOTE[Number(pageFiles.length > 0)]}
 */
'use strict';

${LOADER}
${[...sections.values()].join('\n')}
load('${main}');
`;
  // Throws if a section has syntax that only modules may have.
  new Script(bundle);
  write(`dist/${name}`, bundle);
  // Under any umask: another user may run the service.
  chmodSync(new URL(`dist/${name}`, root), 0o755);
  const hash = createHash('sha256').update(bundle).digest('hex');
  console.log(`dist/${name}: ${Buffer.byteLength(bundle)} bytes, SHA-256 ${hash}`);
}

/** What the head of a bundle says about the page, if it has none and if it has one. */
const PAGE_NOTE = [
  '',
  ` The last sections are the files of the page\n * as the build writes them.`,
];

writeBundle(
  `${manifest.name}.cjs`,
  'src/main.ts',
  'the command, the service and its web page in one file',
  Object.entries(files),
);
writeBundle(
  `${manifest.name}-core.cjs`,
  'src/core.ts',
  'the core of the service in one file, without its extensions',
  [],
);
