import { Failure } from './failure.ts';

const SPACE = /[ \t\n\r]*/y;
const COLON = /[ \t\n\r]*:/y;
const STRING = String.raw`"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[^"\\\u0000-\u001f]*)*"`;
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;

type State = 'start' | 'first' | 'name' | 'colon' | 'value' | 'more' | 'end';

interface Rule {
  readonly takes: RegExp;
  readonly expected: string;
  readonly next: State | undefined;
}

/**
 * The grammar of JSON (RFC 8259) as far as a body needs it, one object of simple values: what each state takes after
 * white space, how a message says that, and which state is next. A closing brace leads to the end from everywhere.
 */
const GRAMMAR: Readonly<Record<State, Rule>> = {
  start: { takes: /\{/y, expected: 'an object', next: 'first' },
  first: { takes: new RegExp(`${STRING}|\\}`, 'y'), expected: 'a name in double quotes or "}"', next: 'colon' },
  name: { takes: new RegExp(STRING, 'y'), expected: 'a name in double quotes', next: 'colon' },
  colon: { takes: /:/y, expected: 'a colon', next: 'value' },
  value: { takes: new RegExp(`${STRING}|${NUMBER}|true|false|null`, 'y'), expected: 'a simple value', next: 'more' },
  more: { takes: /[,}]/y, expected: 'a comma or "}"', next: 'name' },
  end: { takes: /$/y, expected: 'the end', next: undefined },
};
const NEW_NAME = 'each name once';
/** No object here has nearly as many fields; to look further would only cost time. */
const MAXIMUM_NAMES = 100;

/**
 * Parses the JSON object that a body is. A name given twice is refused, for it leaves open which value counts. Throws
 * `invalid_json`, which says where; the wording does not depend on the JavaScript engine.
 */
export function parseObject(text: string): object {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw failureAt(text, findFault(text));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Failure('invalid_json', 'Expected a JSON object at the top, got another kind of value');
  }
  const fault = hasMoreNames(text, Object.keys(value).length) ? findFault(text) : undefined;
  if (fault?.expected === NEW_NAME) throw failureAt(text, fault);
  return value;
}

/** Whether more quotes are followed by a colon than there are members. If not, no name is repeated: the usual case. */
function hasMoreNames(text: string, members: number): boolean {
  let count = 0;
  for (let at = text.indexOf('"'); at !== -1 && count <= members; at = text.indexOf('"', at + 1)) {
    COLON.lastIndex = at + 1;
    if (COLON.test(text)) count += 1;
  }
  return count > members;
}

/** The first place where a text is not an object of simple values with different names. */
function findFault(text: string): { readonly at: number; readonly expected: string } | undefined {
  const names = new Set<unknown>();
  let rule = GRAMMAR.start;
  SPACE.lastIndex = 0;
  for (;;) {
    SPACE.test(text);
    const at = SPACE.lastIndex;
    rule.takes.lastIndex = at;
    const token = rule.takes.exec(text)?.[0];
    if (token === undefined) return { at, expected: rule.expected };
    if (rule.next === undefined) return undefined;
    if (rule.next === 'colon' && token !== '}') {
      const name: unknown = JSON.parse(token);
      if (names.has(name)) return { at, expected: NEW_NAME };
      if (names.size === MAXIMUM_NAMES) return { at, expected: `up to ${MAXIMUM_NAMES} names` };
      names.add(name);
    }
    SPACE.lastIndex = rule.takes.lastIndex;
    rule = GRAMMAR[token === '}' ? 'end' : rule.next];
  }
}

function failureAt(text: string, fault = { at: 0, expected: 'JSON' }): Failure {
  const [character] = text.slice(fault.at, fault.at + 2);
  const came = character === undefined ? 'the end' : JSON.stringify(character);
  const place = `character ${fault.at + 1} of the body`;
  return new Failure('invalid_json', `Expected ${fault.expected}, got ${came} at ${place}`);
}
