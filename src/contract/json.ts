import { Failure } from './failure.ts';

/** `kind` is the mark itself, `"` for any string, `0` for any other scalar, and `$` for the end of the text. */
interface Token {
  readonly at: number;
  readonly kind: string;
  readonly text: string;
}

/** The grammar of JSON (RFC 8259): which kinds of token each state takes. */
const TAKES = {
  'value': '{["0',
  'first value': '{["0]',
  'name': '"',
  'first name': '"}',
  'colon': ':',
  'next in {': ',}',
  'next in [': ',]',
  'end': '$',
} as const;

/** No valid body comes near this; to look further into a hostile one would only cost time. */
const MAXIMUM_TOKENS = 1000;
const SHOWN_CHARACTERS = 20;

/**
 * Parses the JSON object that a body is. A name given twice is refused, for it leaves open which value counts. Throws
 * `invalid_json`, which says where; the wording does not depend on the JavaScript engine.
 */
export function parseObject(text: string): object {
  if (text.trim() === '') throw new Failure('invalid_json', 'Expected a JSON object, got an empty body');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const token = findFault(text);
    throw token === undefined ? new Failure('invalid_json') : failureAt(token, 'valid JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Failure('invalid_json', 'Expected a JSON object at the top, got another kind of value');
  }
  // With no more colons than members, no name is repeated and there is no need to look closer.
  const repeated = hasMoreColons(text, Object.keys(value).length) ? findRepeatedName(text) : undefined;
  if (repeated !== undefined) throw failureAt(repeated, 'each name once');
  return value;
}

function failureAt({ at, kind, text }: Token, expected: string): Failure {
  const what = kind === '$' ? 'the end of the text' : JSON.stringify(text.slice(0, SHOWN_CHARACTERS));
  return new Failure('invalid_json', `Expected ${expected}, got ${what} at character ${at + 1}`);
}

function hasMoreColons(text: string, limit: number): boolean {
  let count = 0;
  for (let at = text.indexOf(':'); at !== -1 && count <= limit; at = text.indexOf(':', at + 1)) count += 1;
  return count > limit;
}

/** The first name of the outer object that it already has, in valid JSON. Inner objects are no field's value here. */
function findRepeatedName(text: string): Token | undefined {
  const names = new Set<unknown>();
  let depth = 0;
  let previous: Token | undefined;
  for (const token of tokensOf(text)) {
    if (token.kind === '{' || token.kind === '[') depth += 1;
    if (token.kind === '}' || token.kind === ']') depth -= 1;
    if (token.kind === ':' && depth === 1 && previous !== undefined) {
      const name: unknown = JSON.parse(previous.text);
      if (names.has(name)) return previous;
      names.add(name);
    }
    previous = token;
  }
  return undefined;
}

/** The first token that the grammar does not allow. */
function findFault(text: string): Token | undefined {
  let open = '';
  let state: keyof typeof TAKES = 'value';
  for (const token of tokensOf(text)) {
    const { kind } = token;
    if (!TAKES[state].includes(kind) || !isSound(token)) return token;
    if (kind === '{' || kind === '[') open += kind;
    if (kind === '}' || kind === ']') open = open.slice(0, -1);
    state = follow(kind, state, open.at(-1));
  }
  return undefined;
}

function follow(kind: string, state: keyof typeof TAKES, inside: string | undefined): keyof typeof TAKES {
  if (kind === '{') return 'first name';
  if (kind === '[') return 'first value';
  if (kind === ':') return 'value';
  if (kind === ',') return inside === '{' ? 'name' : 'value';
  if (kind === '"' && (state === 'name' || state === 'first name')) return 'colon';
  if (inside === undefined) return 'end';
  return inside === '{' ? 'next in {' : 'next in [';
}

/** Whether a string or scalar is one by itself; the marks always are. */
function isSound({ kind, text }: Token): boolean {
  if (kind !== '"' && kind !== '0') return true;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function* tokensOf(text: string): Generator<Token> {
  const pattern = /[ \t\n\r]*([{}[\]:,"]|[^ \t\n\r{}[\]:,"]+|$)/y;
  for (let count = 0; count < MAXIMUM_TOKENS; count += 1) {
    const word = pattern.exec(text)?.[1] ?? '';
    const at = pattern.lastIndex - word.length;
    if (word === '"') pattern.lastIndex = endOfString(text, at);
    const kind = word === '' ? '$' : '{}[]:,"'.includes(word) ? word : '0';
    yield { at, kind, text: text.slice(at, pattern.lastIndex) };
    if (kind === '$') return;
  }
  throw new Failure('invalid_json', `Expected JSON of up to ${MAXIMUM_TOKENS} tokens`);
}

/** One past the closing quote of the string that begins at `start`; the end of the text where none closes it. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let escapes = quote;
    while (text[escapes - 1] === '\\') escapes -= 1;
    if ((quote - escapes) % 2 === 0) return quote + 1;
  }
  return text.length;
}
