/**
 * `npm run bundle`: writes the command, the service and the page as one file for Node.js. Each
 * module becomes a function, which runs when its exports are first needed. The bytes of the file
 * depend only on those of the checkout.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';

/** The modules that the file begins with, in the order of a reading. */
const FIRST = ['src/operations.ts', 'src/main.ts'];
/** The module that reads the files of the page from their folder; in the bundle, from sections. */
const PAGE_FILES = 'src/node/page-files.ts';
const PAGE_FOLDER = 'dist/src/page/';
/** Declarations and source maps, which the compiler writes beside the files of the page. */
const NOT_SERVED = /\.(?:d\.ts|map)$/;
const COMPILER_OPTIONS = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
};
/** The last line of a file that is compiled with a source map, as those of `npm test` are. */
const SOURCE_MAP = /^\/\/# sourceMappingURL=.*\n?/m;
const SHEBANG = /^#!.*\n/;
const FILE_COMMENT = /^(?:\/\*\*[\s\S]*?\*\/\n)?/;
const IMPORT = /^import (?:(\w+)(?:, )?)?(?:\{ ?(.*?),? ?\})? from '(.+)';\n/gm;
const EXPORT = /^export (?=(?:async )?(?:const|function\*?|class) (\w+))/gm;
const OTHER_MODULE_SYNTAX = /^(?:import|export)\b.*|\bimport[.(].*/m;
/** The ends of lines before a declaration. The compiler removes the empty lines between them. */
const BEFORE_DECLARATION = /(?<!\*\/)\n(?=\/\*\*|(?:async )?function|class )/g;

const root = new URL('../', import.meta.url);
const manifest = JSON.parse(read('package.json'));
const name = `${manifest.name}.cjs`;
/** The sections of the bundle by the paths of their modules. */
const sections = new Map();

function read(path) {
  return readFileSync(new URL(path, root), 'utf8');
}

/** Adds a module, and then those that it imports. */
function addModule(path) {
  if (sections.has(path)) return;
  const { body, imported } = path === PAGE_FILES ? pageFiles() : moduleOf(path);
  // V8 compiles a function in parentheses together with the file; it would parse any other twice.
  sections.set(path, `modules['${path}'] = (function () {\n${body}});`);
  for (const other of imported) addModule(other);
}

/** The body of the function of a module, which returns its exports, and the modules it imports. */
function moduleOf(path) {
  const source = read(path).replace(SHEBANG, '');
  // The compiler would remove the comment together with an import of types that follows it.
  const [comment] = FILE_COMMENT.exec(source);
  const code = source.slice(comment.length);
  const { outputText } = ts.transpileModule(code, { compilerOptions: COMPILER_OPTIONS });
  const imported = [];
  const exported = [];
  const statements = outputText
    .replace(IMPORT, (_, module, members, specifier) => {
      if (!module && !members) return '';
      const isNode = specifier.startsWith('node:');
      const target = isNode ? specifier : posix.join(posix.dirname(path), specifier);
      if (!isNode) imported.push(target);
      const names = module ?? `{ ${members.replaceAll(' as ', ': ')} }`;
      return `const ${names} = ${isNode ? 'require' : 'load'}('${target}');\n`;
    })
    .replace(EXPORT, (_, exportedName) => {
      exported.push(exportedName);
      return '';
    })
    .replace(BEFORE_DECLARATION, '\n\n');
  const other = OTHER_MODULE_SYNTAX.exec(statements);
  if (other !== null) {
    throw new Error(`${path}: expected imports and exports by name, got ${other[0]}`);
  }
  return { body: `${comment}${statements}\nreturn { ${exported.join(', ')} };\n`, imported };
}

/** The module PAGE_FILES of the bundle. */
function pageFiles() {
  const body = `const hasPageFiles = () => true;

const readPageFile = (name) => load(\`src/page/\${name}\`);

return { hasPageFiles, readPageFile };
`;
  return { body, imported: [] };
}

/** Adds a file of the page, as a function that returns it. A template literal keeps its lines. */
function addPageFile(file) {
  const text = read(PAGE_FOLDER + file).replace(SOURCE_MAP, '');
  const literal = text.replace(/[\\`]|\$\{/g, '\\$&');
  sections.set(`src/page/${file}`, `modules['src/page/${file}'] = () => \`${literal}\`;`);
}

const pageNames = readdirSync(new URL(PAGE_FOLDER, root))
  .filter((file) => !NOT_SERVED.test(file))
  .sort();
FIRST.forEach(addModule);
pageNames.forEach(addPageFile);

const bundle = `#!/usr/bin/env node
/**
 * ${manifest.name} ${manifest.version}: the command, the service and its web page in one file.
 * License in package.json: ${manifest.license ?? 'none'}. Node.js ${manifest.engines.node}.
 *
 *   node ${name}        starts the service
 *   node ${name} help   lists the commands and the settings
 *
 * In a checkout of this version, \`npm ci && npm run bundle\` writes the same bytes and prints their
 * SHA-256, whatever the folder and the version of Node.js are. To compare it:
 *
 *   sha256sum ${name}
 *
 * Each section below is a file of the checkout without its types: a function that runs when another
 * section first loads it, and that returns its exports. The files of the page are at the end.
 */
'use strict';

const modules = {};
const loaded = new Map();

function load(path) {
  if (!loaded.has(path)) loaded.set(path, modules[path]());
  return loaded.get(path);
}

${[...sections.values()].join('\n\n')}

load('src/main.ts');
`;
writeFileSync(new URL(`dist/${name}`, root), bundle);
const hash = createHash('sha256').update(bundle).digest('hex');
console.log(`dist/${name}: ${Buffer.byteLength(bundle)} bytes, SHA-256 ${hash}`);
