import { Failure } from './failure.ts';

type State = 'start' | 'first' | 'name' | 'colon' | 'value' | 'more' | 'end';

interface Rule {
  readonly takes: RegExp;
  readonly expected: string;
  readonly next: State | undefined;
}

/**
 * The grammar of JSON (RFC 8259) as far as a body needs it, one object of simple values: what each state takes after
 * white space (of a string, its quote), how a message says that, and which state is next. A closing brace leads to the
 * end from everywhere.
 */
const GRAMMAR: Readonly<Record<State, Rule>> = {
  start: { takes: /\{/y, expected: 'an object', next: 'first' },
  first: { takes: /["}]/y, expected: 'a name in double quotes or "}"', next: 'colon' },
  name: { takes: /"/y, expected: 'a name in double quotes', next: 'colon' },
  colon: { takes: /:/y, expected: 'a colon', next: 'value' },
  value: {
    takes: /"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y,
    expected: 'a simple value',
    next: 'more',
  },
  more: { takes: /[,}]/y, expected: 'a comma or "}"', next: 'name' },
  end: { takes: /$/y, expected: 'the end', next: undefined },
};
const SPACE = /[ \t\n\r]*/y;
const COLON = /[ \t\n\r]*:/y;
/** No valid body has nearly as many; to look further into a hostile one would only cost time. */
const MAXIMUM_TOKENS = 1000;
const SHOWN_CHARACTERS = 40;

/**
 * Parses the JSON object that a body is. A name given twice is refused, for it leaves open which value counts. Throws
 * `invalid_json`, which says where; the wording does not depend on the JavaScript engine.
 */
export function parseObject(text: string): object {
  checkSize(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw faultIn(text);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Failure('invalid_json', 'Expected a JSON object at the top, got another kind of value');
  }
  checkNames(text, Object.keys(value).length);
  return value;
}

/**
 * Throws where there are more values than any valid body has. Engines keep names and strings that look like numbers in
 * hash tables, and those of some Node versions can be filled with collisions (CVE-2026-21717).
 */
function checkSize(text: string): void {
  if (text.length <= MAXIMUM_TOKENS) return;
  const mark = /[[{,"]/g;
  for (let count = 0; mark.test(text); count += 1) {
    const at = mark.lastIndex - 1;
    if (count === MAXIMUM_TOKENS) throw failureAt(at, `up to ${MAXIMUM_TOKENS} values`, 'more');
    if (text[at] === '"') mark.lastIndex = endOfString(text, at);
  }
}

/** Throws where the outer object of a valid JSON text has a name twice; `known` names were left of it. */
function checkNames(text: string, known: number): void {
  // Each name has its colon: where there is none beside those of the known names, no other name was there.
  let colons = 0;
  for (let at = text.indexOf(':'); at !== -1 && colons <= known; at = text.indexOf(':', at + 1)) colons += 1;
  if (colons === known) return;
  const names = new Set<string>();
  let depth = 0;
  let end = 0;
  for (let start = text.indexOf('"'); start !== -1; start = text.indexOf('"', end)) {
    for (let at = end; at < start; at += 1) depth += depthOf(text[at]!);
    end = endOfString(text, start);
    COLON.lastIndex = end;
    if (depth === 1 && COLON.test(text)) {
      const quoted = text.slice(start, end);
      const name = quoted.includes('\\') ? String(JSON.parse(quoted)) : quoted.slice(1, -1);
      if (names.has(name)) {
        throw failureAt(start, 'each name once', JSON.stringify(name.slice(0, SHOWN_CHARACTERS)));
      }
      names.add(name);
    }
  }
}

function depthOf(character: string): number {
  if (character === '{' || character === '[') return 1;
  return character === '}' || character === ']' ? -1 : 0;
}

/** The first place where a text is not an object of simple values, as a failure. */
function faultIn(text: string): Failure {
  let rule = GRAMMAR.start;
  SPACE.lastIndex = 0;
  for (let count = 0; count < MAXIMUM_TOKENS; count += 1) {
    SPACE.test(text);
    const at = SPACE.lastIndex;
    rule.takes.lastIndex = at;
    const token = rule.takes.exec(text)?.[0];
    const end = token === '"' ? endOfString(text, at) : rule.takes.lastIndex;
    if (token === undefined || (token === '"' && !isString(text.slice(at, end)))) {
      const [character] = text.slice(at, at + 2);
      return failureAt(at, rule.expected, character === undefined ? 'the end' : JSON.stringify(character));
    }
    if (rule.next === undefined) break;
    SPACE.lastIndex = end;
    rule = GRAMMAR[token === '}' ? 'end' : rule.next];
  }
  return new Failure('invalid_json');
}

/** One past the closing quote of the string that begins at `start`; the end of the text where nothing closes it. */
function endOfString(text: string, start: number): number {
  for (let quote = text.indexOf('"', start + 1); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let first = quote;
    while (text[first - 1] === '\\') first -= 1;
    if ((quote - first) % 2 === 0) return quote + 1;
  }
  return text.length;
}

function isString(token: string): boolean {
  try {
    JSON.parse(token);
    return true;
  } catch {
    return false;
  }
}

function failureAt(at: number, expected: string, came: string): Failure {
  return new Failure('invalid_json', `Expected ${expected}, got ${came} at character ${at + 1} of the body`);
}
