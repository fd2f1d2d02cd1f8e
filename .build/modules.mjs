/**
 * Scripts made of modules: each module is a function that runs when the module is first loaded, and
 * that returns its exports.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { posix } from 'node:path';

/** The compiler. Node.js would look for the exports of a CommonJS module that is imported, which takes a second. */
export const ts = createRequire(import.meta.url)('typescript');

/** The start of a script, before its modules. */
export const LOADER = `const modules = {};
const loaded = new Map();

/** Returns the exports of a module, which runs when it is first loaded. */
function load(path) {
  if (!loaded.has(path)) loaded.set(path, modules[path]());
  return loaded.get(path);
}
`;

const { SyntaxKind } = ts;
const OPTIONS = {
  compilerOptions: {
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    removeComments: true,
  },
};
/** Kinds of types that are also an operator (void) or an expression (a class after `extends`). */
const NOT_ONLY_TYPES = new Set([SyntaxKind.VoidKeyword, SyntaxKind.ExpressionWithTypeArguments]);
/** Words that the compiler may leave out before others. The comment before them remains. */
const PREFIXES = new Set(['(', 'override', 'private', 'protected', 'public', 'readonly']);
const SHEBANG = /^#!.*\n/;
const DYNAMIC_IMPORT = /\bimport\('(.*?)'\)/g;

export const root = new URL('../', import.meta.url);

/** Reads a file of the checkout. */
export function read(path) {
  return readFileSync(new URL(path, root), 'utf8');
}

export function write(path, text) {
  writeFileSync(new URL(path, root), text);
}

/**
 * Adds a module to the sections of a script, and then those that it imports. `javascriptOf` returns
 * the text of a module. Returns the paths of the modules that are imported later, by `import()`.
 */
export function addModule(sections, path, javascriptOf) {
  if (sections.has(path)) return [];
  const { body, imported, later } = functionOf(path, javascriptOf(path));
  // V8 compiles a function in parentheses together with the script; it would parse any other twice.
  sections.set(path, `modules['${path}'] = (function () {\n${body}});\n`);
  return [...later, ...imported.flatMap((other) => addModule(sections, other, javascriptOf))];
}

/** The names that a statement declares. */
function namesOf({ name, declarationList }) {
  if (declarationList !== undefined) return declarationList.declarations.flatMap(namesOf);
  if (name === undefined) return [];
  return name.text === undefined ? name.elements.flatMap(namesOf) : [name.text];
}

/** The path of a module that another imports. */
function resolve(path, specifier) {
  return posix.join(posix.dirname(path), specifier);
}

/** The body of the function of a module, and the paths of the modules that it imports. */
function functionOf(path, text) {
  const later = [];
  const code = text.replace(DYNAMIC_IMPORT, (_, specifier) => {
    later.push(resolve(path, specifier));
    return `loadLater('${resolve(path, specifier)}')`;
  });
  const file = parse(code);
  const imported = [];
  const exported = [];

  const importOf = ({ importClause, moduleSpecifier: { text: specifier } }) => {
    const isOfNode = specifier.startsWith('node:');
    const other = isOfNode ? specifier : resolve(path, specifier);
    if (!isOfNode) imported.push(other);
    const exports = `${isOfNode ? 'require' : 'load'}('${other}');`;
    const { name, namedBindings } = importClause ?? {};
    // The names of types leave an empty list.
    const bindings = [name, namedBindings].filter((part) => part && part.elements?.length !== 0);
    const declarations = bindings.map((binding) => {
      const names = binding.getText(file).replaceAll(' as ', ': ');
      return `const ${names} = ${exports}`;
    });
    return declarations.join(' ') || exports;
  };
  const statementOf = (statement) => {
    if (ts.isImportDeclaration(statement)) return importOf(statement);
    const declaration = statement.getText(file);
    const isExported = statement.modifiers?.[0].kind === SyntaxKind.ExportKeyword;
    if (!isExported) return declaration;
    exported.push(...namesOf(statement));
    return declaration.replace('export ', '');
  };
  const statements = file.statements.map(
    (statement) => code.slice(statement.pos, statement.getStart(file)) + statementOf(statement),
  );
  const end = `${file.endOfFileToken.getFullText(file).trimEnd()}\n`;
  const result = exported.length === 0 ? '' : `\nreturn { ${exported.join(', ')} };\n`;
  return { body: statements.join('') + end + result, imported, later };
}

/** The results of the compiler, because the bundle and the page share modules. */
const compiled = new Map();

/**
 * A module in JavaScript, as the compiler writes it: without comments. The syntax of ES2022, that of
 * the browsers of 2022, is also that of ES2023.
 */
export function transpile(text) {
  if (!compiled.has(text)) compiled.set(text, ts.transpileModule(text, OPTIONS).outputText);
  return compiled.get(text);
}

/**
 * A module without its types, and otherwise as it is: the words that the compiler writes, each with
 * the spaces and comments before it.
 */
export function withoutTypes(source) {
  const text = source.replace(SHEBANG, '');
  const words = wordsOf(text);
  const javascript = transpile(text);
  const expected = wordsOf(javascript).map(({ key }) => key);
  let result = '';
  let prefix;
  let next = 0;
  words.forEach(({ space, word, key }, index) => {
    const isExpected = key === expected[next];
    // The compiler leaves out the comma at the end of some lists.
    const isAtEnd = words[index + 1]?.key === expected[next] && /^[)\]}]/.test(expected[next]);
    const isComma = word === ',' && isAtEnd && !/[([{,]$/.test(result);
    if (isExpected) next += 1;
    if (isExpected || isComma) result += (prefix ?? space) + word;
    else if (index === 0) result = space;
    prefix = !isExpected && PREFIXES.has(word) ? (prefix ?? space) : undefined;
  });
  if (shapeOf(result) !== shapeOf(javascript)) {
    throw new Error(`expected ${javascript}, got ${result}`);
  }
  return result;
}

/** The syntax tree of a module as text: equal for texts that differ only in spaces and comments. */
function shapeOf(text) {
  let shape = '';
  const visit = (node) => {
    // Names and literals have a text.
    shape += `(${node.kind} ${node.text ?? ''}`;
    ts.forEachChild(node, visit);
    shape += ')';
  };
  ts.forEachChild(parse(text), visit);
  return shape;
}

/** The words of a module outside types, with the spaces and comments before each. */
function wordsOf(text) {
  const file = parse(text);
  const wordsIn = (node) => {
    const isType = ts.isTypeNode(node) && !NOT_ONLY_TYPES.has(node.kind);
    const isDeclaration = ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node);
    if (isType || isDeclaration || ts.isJSDoc(node)) return [];
    const parts = node.getChildren(file);
    if (parts.length > 0 || node.kind === SyntaxKind.SyntaxList) return parts.flatMap(wordsIn);
    const start = node.getStart(file);
    const word = text.slice(start, node.end);
    // The compiler writes 1_000n as 1000n.
    const key = node.kind === SyntaxKind.BigIntLiteral ? word.replaceAll('_', '') : word;
    return [{ space: text.slice(node.pos, start), word, key }];
  };
  return wordsIn(file);
}

function parse(text) {
  return ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest);
}
