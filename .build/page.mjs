/*
 * Builds the web page from the modules that `tsc -p src/page` has compiled into dist/page:
 * dist/src/page/ has the files that the service sends, and dist/calculators.html is the page in
 * one file.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';

const root = new URL('../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');
const write = (path, text) => writeFileSync(new URL(path, root), text);

const FOLDER = 'dist/page/';
const ENTRY = 'page/app.js';

/** A module as CommonJS, and the paths of the modules that it imports at once and later. */
function compile(path) {
  const imports = { now: [], later: [] };
  const resolve = (specifier) => posix.join(posix.dirname(path), specifier);
  const { outputText } = ts.transpileModule(read(FOLDER + path), {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2020,
      esModuleInterop: false,
    },
  });
  const text = outputText
    .replace(/^"use strict";\n|^Object\.defineProperty\(exports, "__esModule".*\n/gm, '')
    .replace(/Promise\.resolve\(\)\.then\(\(\) => require\("(.*?)"\)\)/g, (_, specifier) => {
      imports.later.push(resolve(specifier));
      return `requireLater("${resolve(specifier)}")`;
    })
    .replace(/\brequire\("(\..*?)"\)/g, (_, specifier) => {
      imports.now.push(resolve(specifier));
      return `require("${resolve(specifier)}")`;
    });
  return { path, text, ...imports };
}

/** The modules that a module needs before it runs, and itself; adds those for later to `later`. */
function closure(path, found, later) {
  if (found.some((module) => module.path === path)) return;
  const module = compile(path);
  for (const needed of module.now) closure(needed, found, later);
  found.push(module);
  later.push(...module.later);
}

const first = [];
const later = [];
closure(ENTRY, first, later);
const others = [...first];
for (const path of later) closure(path, others, later);
others.splice(0, first.length);

const tableOf = (modules) => `{\n${modules.map(({ path, text }) =>
  `"${path}"(exports) {\n${text}},\n`).join('')}}`;

/** A script in which each module runs when it is first needed. */
const scriptOf = (modules, loadOthers) => `'use strict';
const modules = ${tableOf(modules)};
const loaded = {};
const require = (path) => {
  if (loaded[path] === undefined) {
    loaded[path] = {};
    modules[path](loaded[path]);
  }
  return loaded[path];
};
const requireLater = async (path) => {
  ${loadOthers}return require(path);
};
globalThis.calculators = { modules, require };
require("${ENTRY}");
`;

/* A browser may keep the failure of an import, so that each attempt has an address of its own. */
const LOAD_OTHERS = `if (modules[path] === undefined) {
    await import(attempts === 0 ? './more.js' : \`./more.js?\${attempts}\`).catch((error) => {
      attempts += 1;
      throw error;
    });
  }
  `;

/* The service sends only the files that src/node/page.ts lists. */
const template = read('src/page/index.html');
const style = read('src/page/style.css').replace(/\/\*[\s\S]*?\*\/\n?/g, '').replace(/\n\n+/g, '\n');
const icon = read('src/page/icon.svg');
const script = `let attempts = 0;\n${scriptOf(first, LOAD_OTHERS)}`;
const more = `const { modules, require } = globalThis.calculators;
Object.assign(modules, ${tableOf(others)});
`;

mkdirSync(new URL('dist/src/page/', root), { recursive: true });
write('dist/src/page/index.html', template);
write('dist/src/page/page.js', script);
write('dist/src/page/more.js', more);
write('dist/src/page/page.css', style);
write('dist/src/page/icon.svg', icon);

/**
 * The page in one file, for a person who opens it from disk: both languages, no connection, and no
 * links to a service. The script replaces the texts `{English|tiếng Việt}` of the body.
 */
function singleFile() {
  const { version } = JSON.parse(read('package.json'));
  const code = `${scriptOf([...first, ...others], '')}`;
  const sources = [`script-src ${hashOf(code)}`, `style-src ${hashOf(style)}`, 'img-src data:'];
  const policy = `default-src 'none'; ${sources.join('; ')}; base-uri 'none'; form-action 'none'; `
    + "require-trusted-types-for 'script'; trusted-types 'none'";
  const head = [
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<meta name="version" content="${version}">`,
    `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">`,
    `<style>${style}</style>`,
  ].join('\n');
  const [start, end] = template
    .replace(/ *<link rel="(?:icon|stylesheet)".*\n| *<script type="module".*\n/g, '')
    .replace(/<footer>[\s\S]*<\/footer>/, `<footer><span id="version" data-version="${version}"></span></footer>`)
    .split('</head>');
  const inFirstLanguage = start.replace(/\{([^{}|]*)\|([^{}|]*)\}/g, '$1');
  const body = end.replace(/<noscript>[\s\S]*<\/noscript>/, `<noscript>
      <p>This page needs JavaScript. Trang này cần bật JavaScript.</p>
    </noscript>`).replace('</body>', () => `<script type="module">${code}</script>\n</body>`);
  return `${inFirstLanguage}${head}\n</head>${body}`;
}

function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

write('dist/calculators.html', singleFile());
