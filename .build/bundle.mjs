/**
 * Writes the command, the service and the page as one file for Node.js, and the core as another. Their
 * bytes depend only on those of the checkout.
 */
import { createHash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { Script } from 'node:vm';
import { addModule, LOADER, read, root, withoutTypes, write } from './modules.mjs';
import { files } from './page.mjs';

/** The module that reads the files of the page from their folder, and the section in its place. */
const PAGE_FILES = 'src/extensions/documents/page-files.ts';
const PAGE_SECTION = `
modules['${PAGE_FILES}'] = (function () {
/** The files of the page as the build writes them, in place of a module that reads them. */
function hasPageFiles() {
  return true;
}

function readPageFile(name) {
  switch (name) {
${Object.entries(files).map(caseOf).join('')}  }
}

return { hasPageFiles, readPageFile };
});
`;

const manifest = JSON.parse(read('package.json'));
/** The modules in JavaScript, by their paths: both files contain those of the core. */
const modules = new Map();

function javascriptOf(path) {
  if (!modules.has(path)) modules.set(path, withoutTypes(read(path)));
  return modules.get(path);
}

/** The first statement of a bundle, which every version of Node.js can run. */
function versionCheck() {
  const [major, minor] = manifest.engines.node.replace('>=', '').split('.');
  return `{
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < ${major} || (major === ${major} && minor < ${minor})) {
    process.stderr.write(\`Node.js ${major}.${minor} or later is required, this is \${process.version}\\n\`);
    process.exit(2);
  }
}`;
}

function caseOf([file, text]) {
  const literal = text.replace(/[\\`]|\$\{/g, '\\$&');
  return `    case '${file}':\n      return \`${literal}\`;\n`;
}

/** A file with a module that starts it, all that this module needs, and the section of the page. */
function writeBundle(name, main, content, page) {
  const sections = new Map([[PAGE_FILES, '']]);
  addModule(sections, main, javascriptOf);
  const texts = [...sections].sort().map(([, text]) => text);
  const bundle = `#!/usr/bin/env node
/**
 * ${manifest.name} ${manifest.version}: ${content}.
 * License in package.json: ${manifest.license ?? 'none'}. Node.js ${manifest.engines.node}.
 *
 *   node ${name}        starts the service
 *   node ${name} help   lists the commands and the settings
 *
 * In a checkout of this version, \`npm ci && node .build/bundle.mjs\` writes the same bytes and prints their
 * SHA-256, whatever the folder, the time zone and the version of Node.js are. To compare it:
 *
 *   sha256sum ${name}
 *
 * Each section below is a file of the checkout without its types, as a function that returns what
 * the file exports. They are in the order of their paths.
 */
'use strict';
${versionCheck()}

${LOADER}
${texts.join('\n')}${page}
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

writeBundle(
  `${manifest.name}.cjs`,
  'src/main.ts',
  'the command, the service and its web page in one file',
  PAGE_SECTION,
);
writeBundle(
  `${manifest.name}-core.cjs`,
  'src/core.ts',
  'the core of the service in one file, without its extensions',
  '',
);
