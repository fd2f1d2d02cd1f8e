/**
 * Writes the command, the service and the page as one file for Node.js, and the core as another. Their
 * bytes depend only on those of the checkout.
 */
import { createHash } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { Script } from 'node:vm';
import { read, root, Scope, withoutTypes, write } from './modules.mjs';
import { files } from './page.mjs';

/** The module that reads the files of the page from their folder, and its text in the bundle. */
const PAGE_FILES = 'src/extensions/documents/page-files.ts';
const PAGE_FILES_HERE = `/** In place of a module that reads the files of the page; the last section has them. */
export const hasPageFiles = () => true;
`;

const manifest = JSON.parse(read('package.json'));
/** The modules in JavaScript, by their paths: both files contain those of the core. */
const modules = new Map([[PAGE_FILES, PAGE_FILES_HERE]]);

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

/** A file with a list of operations, a module that starts it, and files of the page. */
function writeBundle(name, operations, main, content, pageFiles) {
  const scope = new Scope(javascriptOf);
  // The order of reading in src/README.md.
  const order = [operations, 'src/service/service.ts', 'src/server/server.ts', main];
  for (const path of order) scope.add(path);
  const cases = pageFiles.map(([file, text]) => {
    const literal = text.replace(/[\\`]|\$\{/g, '\\$&');
    return `    case '${file}':\n      return \`${literal}\`;\n`;
  });
  const page = `\nfunction readPageFile(name) {\n  switch (name) {\n${cases.join('')}  }\n}\n`;
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
 * Each section below is a file of the checkout without its types and imports, behind the files that
 * it imports. All sections share one scope.${PAGE_NOTE[Number(pageFiles.length > 0)]}
 */
'use strict';
${versionCheck()}
${scope.requires}

${[...scope.sections.values()].join('\n')}${pageFiles.length > 0 ? page : ''}`;
  // Throws if a section has syntax that only modules may have.
  new Script(bundle);
  write(`dist/${name}`, bundle);
  // Under any umask: another user may run the service.
  chmodSync(new URL(`dist/${name}`, root), 0o755);
  const hash = createHash('sha256').update(bundle).digest('hex');
  console.log(`dist/${name}: ${Buffer.byteLength(bundle)} bytes, SHA-256 ${hash}`);
}

/** What the head of a bundle says about the page, if it has none and if it has one. */
const PAGE_NOTE = ['', ' The last one has the files of the page as the\n * build writes them.'];

writeBundle(
  `${manifest.name}.cjs`,
  'src/operations/operations.ts',
  'src/main.ts',
  'the command, the service and its web page in one file',
  Object.entries(files),
);
writeBundle(
  `${manifest.name}-core.cjs`,
  'src/operations/core.ts',
  'src/core.ts',
  'the core of the service in one file, without its extensions',
  [],
);
