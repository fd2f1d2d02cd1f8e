/**
 * Builds the web page: dist/src/page/ has the files that the service sends, among them the frame of
 * the page in one file, and dist/calculators.html is that page.
 */
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { addModule, LOADER, read, root, transpile, write } from './modules.mjs';

const PAGE_FOLDER = 'dist/src/page/';
const ENTRY = 'src/page/app.ts';
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

export { load, loadLater, modules };
`;

const sections = new Map();
/** Removes indentation, 3 % of a compressed answer. In a script, one space remains: it continues a row of texts. */
const outdented = (text, space = '') => text.replace(/^ +/gm, space);
const compile = (path) => outdented(transpile(read(path)), ' ');
const later = addModule(sections, ENTRY, compile);
const first = [...sections.values()].join('');
for (const path of later) later.push(...addModule(sections, path, compile));
const all = [...sections.values()].join('');
const start = `load('${ENTRY}');\n`;

/** The languages of the page, in the order in which the template writes a text: `{English|tiếng Việt}`. */
const LANGUAGES = ['en', 'vi'];
const [english, vietnamese] = LANGUAGES.map(documentIn);
const style = outdented(read('src/page/style.css'))
  .replace(/\/\*[\s\S]*?\*\/\n?/g, '')
  .replace(/\n\n+/g, '\n');
const icon = read('src/page/icon.svg');

const page = outdented(transpile(LOADER + LOAD_MORE), ' ') + first;
const more = all.slice(first.length);
/** No module of one file is imported later. */
const script = page + more + start;

/** The files that the service sends, by their names. */
export const files = {
  'api.md': withoutLinks(read('src/API.md')),
  'calculators.html': frame(),
  'icon.svg': icon,
  'index.en.html': english,
  'index.vi.html': vietnamese,
  'more.js': `import { load, loadLater, modules } from './page.js';\n${more}`,
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

/** A document without its links to other files, which the service does not send. */
function withoutLinks(text) {
  return text.replace(/\[([^\]]+)\]\((?!#)[^)]*\)/g, '$1');
}

/** The document of the page in a language. */
function documentIn(language) {
  const index = LANGUAGES.indexOf(language);
  return outdented(read('src/page/index.html')).replace(
    /\{([^{}|]*)\|([^{}|]*)\}/g,
    (_, ...texts) => texts[index],
  );
}

/**
 * The page in one file without its style and script, for a person who opens it from disk: no
 * connection, and no links to a service. The script takes the Vietnamese body from the template.
 */
function frame() {
  const { version } = JSON.parse(read('package.json'));
  const sources = [`script-src ${hashOf(script)}`, `style-src ${hashOf(style)}`, 'img-src data:'];
  const policy =
    `default-src 'none'; ${sources.join('; ')}; base-uri 'none'; form-action 'none'; `
    + "require-trusted-types-for 'script'; trusted-types 'none'";
  const meta = [
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    `<meta name="version" content="${version}">`,
    `<link rel="icon" href="data:image/svg+xml,${encodeURIComponent(icon)}">`,
    '<style></style>',
  ];
  const [head] = english
    .replace(/ *<link rel="(?:icon|stylesheet)".*\n| *<script type="module".*\n/g, '')
    .split('</head>');
  const body = bodyOf(english, `Version ${version}`);
  const other = bodyOf(vietnamese, `Phiên bản ${version}`);
  return [
    `${head}${meta.join('\n')}`,
    `</head>\n<body>${body}<template lang="vi">${other}</template>`,
    '<script type="module"></script>\n</body>\n</html>\n',
  ].join('\n');
}

/** The content of the body of a document, without a service. */
function bodyOf(text, version) {
  const [, body] = /<body>([^]*)<\/body>/.exec(text);
  return body
    .replace(/<footer>[^]*<\/footer>/, `<footer><span id="version">${version}</span></footer>`)
    .replace(
      /<noscript>[^]*<\/noscript>/,
      '<noscript><p>This page needs JavaScript. Trang này cần bật JavaScript.</p></noscript>',
    );
}

function hashOf(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
