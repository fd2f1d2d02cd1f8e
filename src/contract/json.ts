/** The strict parser of JSON (RFC 8259). */
import { quoted, quotedShort } from './escape.ts';
import { Failure } from './failure.ts';
import { NDJSON_TYPE } from './media-types.ts';

type State = 'start' | 'first' | 'name' | 'colon' | 'value' | 'more' | 'end';

interface Rule {
  readonly accepts: RegExp;
  readonly expected: string;
  readonly next: State;
}

/**
 * The grammar of JSON (RFC 8259), limited to one object of simple values, as every valid request is. Each state has the
 * tokens that it accepts after white space (for a string, its opening quote), their description for messages, and the
 * next state. A closing brace always leads to `end`, which no token follows.
 *
 * It only describes a mistake in a text that JSON.parse has refused. A message of MCP has nested values, which it would
 * take for the mistake: `mcp/messages.ts` recognizes such a description by its `cause`, and leaves it out.
 */
const GRAMMAR: Readonly<Record<State, Rule>> = {
  start: { accepts: /\{/y, expected: 'an object', next: 'first' },
  first: { accepts: /["}]/y, expected: 'a name in double quotes or "}"', next: 'colon' },
  name: { accepts: /"/y, expected: 'a name in double quotes', next: 'colon' },
  colon: { accepts: /:/y, expected: 'a colon', next: 'value' },
  value: {
    accepts: /"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y,
    expected: 'a string, a number, true, false or null',
    next: 'more',
  },
  more: { accepts: /[,}]/y, expected: 'a comma or "}"', next: 'name' },
  end: { accepts: /(?!)/y, expected: 'the end', next: 'end' },
};
const BYTE_ORDER_MARK = 0xfeff;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
/** Digits in groups, as people write amounts: 30.000.000, 30,000,000 or 30_000_000. */
const GROUPED = /^\d{1,3}([.,_])\d{3}(?:\1\d{3}){0,5}$/;
const LONGEST_AMOUNT = 30;
const SPACE = /[ \t\n\r]*/y;
/** Values that any request may have. Marks are counted, not values: numbers in arrays have none but a comma. */
export const MAXIMUM_VALUES = 300;
/** Each value has up to three marks: a comma before it, the quote of its name, and its own quote, bracket or brace. */
const MAXIMUM_MARKS = 3 * MAXIMUM_VALUES;

/**
 * Parses a JSON object. A duplicate name is refused, because it is unclear which value counts. Throws `invalid_json`
 * with the position of the error; the wording does not depend on the JavaScript engine.
 */
export function parseObject(text: string): object {
  if (text[0] !== '{' && text.trimStart().startsWith('[')) {
    throw new Failure(
      'invalid_json',
      'Expected a JSON object at the top level, got an array; several requests are one object per '
        + `line, without brackets, as ${NDJSON_TYPE}`,
    );
  }
  checkValueCount(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw syntaxErrorIn(text, error);
  }
  if (typeof value !== 'object' || value === null) {
    throw new Failure('invalid_json', 'Expected a JSON object at the top level, got another value');
  }
  checkDuplicateNames(text, value);
  return value;
}

/**
 * Refuses a text with more values than any valid request has. V8 keeps names, and strings that look like numbers, in
 * hash tables, which crafted collisions slow down in some versions of Node (CVE-2026-21717).
 */
function checkValueCount(text: string): void {
  if (text.length <= MAXIMUM_MARKS) return;
  const mark = /[[{,"]/g;
  for (let count = 0; mark.test(text); count += 1) {
    const at = mark.lastIndex - 1;
    if (count === MAXIMUM_MARKS) throw failureAt(at, `up to ${MAXIMUM_VALUES} values`, 'more');
    if (text[at] === '"') mark.lastIndex = endOfString(text, at);
  }
}

/** Refuses a JSON text with a duplicate name in an object. `value` is the parsed text, which has each name once. */
function checkDuplicateNames(text: string, value: object): void {
  // Each name of the text has a colon. If the text has no more colons than the value has names, no name is a duplicate:
  // this decides most requests in less time than the search.
  let furtherColon = text.indexOf(':');
  for (let count = nameCount(value); count > 0; count -= 1) {
    furtherColon = text.indexOf(':', furtherColon + 1);
  }
  if (furtherColon === -1) return;
  /** The names in each object or array that is open at the current position, the outermost first. */
  const around: Set<string>[] = [];
  const mark = /["{}[\]]/g;
  while (mark.test(text)) {
    const at = mark.lastIndex - 1;
    const character = text[at]!;
    if (character === '"') mark.lastIndex = addName(text, at, around.at(-1)!);
    else if ('{['.includes(character)) around.push(new Set());
    else around.pop();
  }
}

/** The number of names in a value. Its depth is bounded by its number of values. */
function nameCount(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const members: readonly unknown[] = Object.values(value);
  let count = Array.isArray(value) ? 0 : members.length;
  for (const member of members) count += nameCount(member);
  return count;
}

/** Adds the string that begins at `start` to the names around it if it is a name. Returns the position behind it. */
function addName(text: string, start: number, names: Set<string>): number {
  const end = endOfString(text, start);
  if (text[afterSpace(text, end)] !== ':') return end;
  const literal = text.slice(start, end);
  const name = literal.includes('\\') ? String(JSON.parse(literal)) : literal.slice(1, -1);
  if (names.has(name)) throw failureAt(start, 'unique names', `${quotedShort(name)} again`);
  names.add(name);
  return end;
}

/** The position after the white space that begins at `start`, if any. */
function afterSpace(text: string, start: number): number {
  SPACE.lastIndex = start;
  SPACE.test(text);
  return SPACE.lastIndex;
}

/** The failure for the first position at which a text is not an object of simple values. */
function syntaxErrorIn(text: string, cause: unknown): Failure {
  let rule = GRAMMAR.start;
  let end = 0;
  for (;;) {
    const at = afterSpace(text, end);
    rule.accepts.lastIndex = at;
    const token = rule.accepts.exec(text)?.[0];
    end = token === '"' ? endOfString(text, at) : rule.accepts.lastIndex;
    if (token === undefined || (token === '"' && !isJson(text.slice(at, end)))) {
      return failureAt(at, rule.expected, describeCharacter(text.codePointAt(at)), {
        cause,
        hint: numberHint(text, at),
      });
    }
    rule = GRAMMAR[token === '}' ? 'end' : rule.next];
  }
}

/** Advice if a position is within an amount in groups, such as 30.000.000; else an empty text. */
function numberHint(text: string, at: number): string {
  const [before] = /[\d.,_]*$/.exec(text.slice(Math.max(0, at - LONGEST_AMOUNT), at))!;
  const [after] = /^[\d.,_]*\d/.exec(text.slice(at, at + LONGEST_AMOUNT)) ?? [''];
  const amount = before + after;
  return GROUPED.test(amount) ? `; write ${amount} as ${amount.replace(/\D/g, '')}` : '';
}

function describeCharacter(codePoint: number | undefined): string {
  if (codePoint === undefined) return 'the end';
  return codePoint === BYTE_ORDER_MARK
    ? 'a byte order mark'
    : quoted(String.fromCodePoint(codePoint));
}

/** The position after the closing quote of the string that begins at `start`, or the end of the text without one. */
function endOfString(text: string, start: number): number {
  const quoteAt = text.indexOf('"', start + 1);
  if (quoteAt === -1) return text.length;
  if (text[quoteAt - 1] !== '\\') return quoteAt + 1;
  // A loop over the characters takes a tenth of the time of a search per quote in a text of escaped quotes.
  for (let at = start + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit === BACKSLASH) at += 1;
  }
  return text.length;
}

/** Whether a text is JSON. */
export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function failureAt(
  at: number,
  expected: string,
  received: string,
  { hint = '', ...options }: ErrorOptions & { readonly hint?: string } = {},
): Failure {
  const place = `at character ${at + 1} of the body`;
  return new Failure(
    'invalid_json',
    `Expected ${expected}, got ${received} ${place}${hint}`,
    options,
  );
}
