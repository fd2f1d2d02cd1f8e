/**
 * Builds the web page: dist/src/page/ has the files that the service sends, among them the frame of
 * the page in one file, and dist/calculators.html is that page.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { addModule, LOADER, read, root, transpile, ts, write } from './modules.mjs';

const PAGE_FOLDER = 'dist/src/page/';
const ENTRY = 'src/page/app.ts';
/** The syntax of the browsers of 2022. */
const TARGET = ts.ScriptTarget.ES2022;
/** A browser may keep the failure of an import, so that each attempt has an address of its own. */
const LOAD_MORE = `let attempts = 0;

async function loadLater(path) {
  if (modules[path] === undefined) {
    await import(attempts === 0 ? './more.js' : \`./more.js?\${attempts}\`).catch((error) => {
      attempts += 1;
      throw error;
    });
  }
  return load(path);
}

export { load, modules };
`;

const sections = new Map();
const compile = (path) => transpile(read(path), TARGET);
const later = addModule(sections, ENTRY, compile);
const first = [...sections.values()].join('');
for (const path of later) later.push(...addModule(sections, path, compile));
const all = [...sections.values()].join('');
const start = `load('${ENTRY}');\n`;

const template = read('src/page/index.html');
const style = read('src/page/style.css')
  .replace(/\/\*[\s\S]*?\*\/\n?/g, '')
  .replace(/\n\n+/g, '\n');
const icon = read('src/page/icon.svg');

const page = `${LOADER}\n${LOAD_MORE}\n${first}`;
const more = all.slice(first.length);
/** No module of one file is imported later. */
const script = page + more + start;

/** The files that the service sends, by their names. */
export const files = {
  'calculators.html': frame(),
  'icon.svg': icon,
  'index.html': template,
  'more.js': `import { load, modules } from './page.js';\n${more}`,
  'page.css': style,
  'page.js': page + start,
};

mkdirSync(new URL(PAGE_FOLDER, root), { recursive: true });
for (const [name, text] of Object.entries(files)) write(PAGE_FOLDER + name, text);
write(
  'dist/calculators.html',
  frame()
    .replace('<style>', () => `<style>${style}`)
    .replace('<script type="module">', (tag) => tag + script),
);

/**
 * The page in one file without its style and script, for a person who opens it from disk: both
 * languages, no connection, and no links to a service. The script replaces the texts
 * `{English|tiếng Việt}` of the body.
 */
function frame() {
  const { version } = JSON.parse(read('package.json'));
  const sources = [`script-src ${hashOf(script)}`, `style-src ${hashOf(style)}`, 'img-src data:'];
  const policy =
    `default-src 'none'; ${sources.join('; ')}; base-uri 'none'; form-action 'none'; `
    + "require-trusted-types-for 'script'; trusted-types 'none'";
  const head = [
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<meta name="version" content="${version}">`,
    `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">`,
    '<style></style>',
  ].join('\n');
  const footer = `<footer><span id="version">{Version|Phiên bản} ${version}</span></footer>`;
  const [before, after] = template
    .replace(/ *<link rel="(?:icon|stylesheet)".*\n| *<script type="module".*\n/g, '')
    .replace(/<footer>[\s\S]*<\/footer>/, footer)
    .split('</head>');
  const inFirstLanguage = before.replace(/\{([^{}|]*)\|([^{}|]*)\}/g, '$1');
  const body = after
    .replace(
      /<noscript>[\s\S]*<\/noscript>/,
      `<noscript>
      <p>This page needs JavaScript. Trang này cần bật JavaScript.</p>
    </noscript>`,
    )
    .replace('</body>', '<script type="module"></script>\n</body>');
  return `${inFirstLanguage}${head}\n</head>${body}`;
}

function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
