/**
 * Scripts made of modules, for the bundle and the page: each module is a function that runs when
 * the module is first loaded, and that returns its exports.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';

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

/** The body of the function of a module, and the paths of the modules that it imports. */
function functionOf(path, text) {
  const resolve = (specifier) => posix.join(posix.dirname(path), specifier);
  const later = [];
  const code = text.replace(DYNAMIC_IMPORT, (_, specifier) => {
    later.push(resolve(specifier));
    return `loadLater('${resolve(specifier)}')`;
  });
  const file = parse(code);
  const imported = [];
  const exported = [];

  const importOf = ({ importClause, moduleSpecifier: { text: specifier } }) => {
    const isNode = specifier.startsWith('node:');
    if (!isNode) imported.push(resolve(specifier));
    const call = isNode ? `require('${specifier}');` : `load('${resolve(specifier)}');`;
    if (importClause === undefined) return call;
    const { name, namedBindings } = importClause;
    const names = name?.text ?? namedBindings.getText(file).replaceAll(' as ', ': ');
    return `const ${names} = ${call}`;
  };
  const statementOf = (statement) => {
    if (ts.isImportDeclaration(statement)) return importOf(statement);
    const declaration = statement.getText(file);
    const isExported = statement.modifiers?.[0].kind === SyntaxKind.ExportKeyword;
    if (!isExported) return declaration;
    const named = statement.declarationList?.declarations ?? [statement];
    exported.push(...named.map(({ name }) => name.text));
    return declaration.replace('export ', '');
  };
  const statements = file.statements.map(
    (statement) => code.slice(statement.pos, statement.getStart(file)) + statementOf(statement),
  );
  const end = `${file.endOfFileToken.getFullText(file).trimEnd()}\n`;
  const result = exported.length === 0 ? '' : `\nreturn { ${exported.join(', ')} };\n`;
  return { body: statements.join('') + end + result, imported, later };
}

/** A module in JavaScript, as the compiler writes it: without comments. */
export function transpile(text, target = ts.ScriptTarget.ES2023) {
  const compilerOptions = {
    target,
    module: ts.ModuleKind.ESNext,
    verbatimModuleSyntax: true,
    removeComments: true,
  };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}

/**
 * A module without its types, and otherwise as it is: the words that the compiler writes, each with
 * the spaces and comments before it.
 */
export function withoutTypes(source) {
  const text = source.replace(SHEBANG, '');
  const words = wordsOf(text);
  const compiled = transpile(text);
  const expected = wordsOf(compiled).map(({ key }) => key);
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
  if (transpile(result) !== compiled) throw new Error(`expected ${compiled}, got ${result}`);
  return result;
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
