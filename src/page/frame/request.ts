/** Fields, requests and links. */
import type { JsonSchema } from '../../contract/schema.ts';
import type { Calculation, Request } from './calculation.ts';
import type { Child } from './dom.ts';
import { NUMBER } from './numbers.ts';
import { type Kind, type Period, READ } from './reading.ts';
import { language } from './texts.ts';

/** The values of the fields of a form, by their names: texts in JSON notation. */
export type Values = Record<string, string>;

export type { Kind } from './reading.ts';

/** A field of the request of a calculator: what the contract says of it, and its place in the form. */
export interface Field {
  readonly name: string;
  readonly kind: Kind;
  readonly options?: readonly string[];
  /** The default of the service, which is not sent. */
  readonly initial?: string;
  /** The bounds of the service. */
  readonly range?: readonly [minimum: number, maximum: number];
  readonly isRequired?: boolean;
  /** The value on the first visit. */
  readonly example?: string;
  readonly unit?: '₫' | '%';
  /** The period of an amount: in a field per month, 25tr/tháng is 25tr. */
  readonly per?: Period;
  /** The key of the label, if it is not the name. */
  readonly label?: string;
  /** Whether the field is among the further options, which are folded. */
  readonly isExtra?: boolean;
  /** Whether a list of the values in words names this one; by default, if it is set. */
  readonly isNamed?: (values: Values) => boolean;
  /** Whether the field is in sight only if a link or a reason has set it. */
  readonly isRare?: boolean;
  /** The members of the request, in JSON notation, for which a choice stands. */
  readonly members?: (values: Values) => Values;
  /** An amount below this one is asked about, because its unit may be thousands or millions. */
  readonly least?: number;
  /** A rate or an amount per year below this one is asked about, because it may be that of a month. */
  readonly leastPerYear?: number;
  /** An example that an empty field shows. */
  readonly placeholder?: string;
  /** Whether the field has no hint. */
  readonly isBrief?: boolean;
  /** Whether the field is used; always, if absent. */
  readonly when?: (values: Values) => boolean;
}

/** What the page adds to fields, by their names, in the order of the form. */
type Layout = Readonly<Record<string, Partial<Field>>>;

/** The part of JSON Schema that the contract of a field has. */
export type Schema = {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
};

/** The fields of a request by its contract, in the order of the layout. */
export function fieldsOf({ schema }: { readonly schema: JsonSchema }, layout: Layout): Field[] {
  const { properties, required } = schema as {
    readonly properties: Readonly<Record<string, Schema>>;
    readonly required: readonly string[];
  };
  return Object.entries(layout).map(([name, place]) => {
    const { isRequired = required.includes(name) } = place;
    return { name, ...fieldOf(properties[name] ?? {}, isRequired), ...place };
  });
}

/** A choice that may be left out has an empty option. */
function fieldOf(schema: Schema, isRequired: boolean): Omit<Field, 'name'> {
  const { minimum, exclusiveMinimum = minimum, maximum = Infinity } = schema;
  const isOptional = !isRequired && schema.default === undefined;
  const options = schema.enum?.map(String);
  return {
    kind: kindOf(schema),
    isRequired,
    initial: String(schema.default ?? ''),
    ...(options && { options: isOptional ? ['', ...options] : options }),
    ...(exclusiveMinimum !== undefined && { range: [exclusiveMinimum, maximum] }),
  };
}

function kindOf({ type, enum: options }: Schema): Kind {
  if (options !== undefined) return 'choice';
  if (type === 'boolean') return 'flag';
  if (type === 'string') return 'month';
  return type === 'integer' ? 'integer' : 'amount';
}

/** The names of two plans side by side. */
export const PLANS = ['A', 'B'] as const;

/** The headline of an answer. */
export interface Head {
  readonly caption: string;
  /** The figure of each plan. */
  readonly figures: readonly string[];
  readonly note?: string;
  /** The difference of the second plan, in a sentence. */
  readonly verdict?: string;
}

/** An explanation: its heading, and the function that creates it when it is opened. */
export interface Explanation {
  readonly heading: string;
  readonly content: () => readonly Child[] | Promise<readonly Child[]>;
}

/** An answer as the page shows it. */
export interface ShownAnswer extends Head {
  readonly nodes: readonly Child[];
  /** The explanation of the answer to each plan, which stands folded below the actions. */
  readonly explanations?: readonly Explanation[];
  /** Why less than the value of a field counts, by the names of the fields, for each plan. */
  readonly limits?: readonly Values[];
}

/** The request of a calculator: its name in addresses, its fields, and further members. */
export interface RequestForm {
  readonly name: string;
  readonly fields: readonly Field[];
  /** The fields in links, by default those of the form. */
  readonly linked?: readonly Field[];
  /** The members of every request. */
  readonly always?: Request;
}

/** A calculator: the form of a request, its calculation, and its answer. */
export interface Calculator<Result> extends RequestForm {
  readonly calculationOf: (values: Values) => Calculation<Result>;
  readonly answer: (own: PlanResult<Result>, other?: PlanResult<Result>) => ShownAnswer;
  /** The values that follow from changed ones. */
  readonly follow?: (values: Values) => Values;
  /** The values of a new second plan in place of those of the first. */
  readonly secondPlan?: Values;
  /** Creates a question that follows the answer. */
  readonly inquiry?: (plans: Plans) => Inquiry<Result>;
}

/** The plans of a view. */
export interface Plans {
  readonly memory: Memory;
  /** Calculates anew after a change of the values. */
  readonly edited: () => void;
  /** Takes the values of the second plan. */
  readonly compare: (others: Values) => void;
}

/** A question that follows an answer. */
export interface Inquiry<Result> {
  readonly node: HTMLElement;
  /** Answers it anew for the result of the first plan; without one, there is no answer. */
  readonly update: (own: Result | undefined) => void;
}

/** The values of a calculator. */
export interface Memory {
  readonly values: Values;
  /** All values of the second plan, if there is one. */
  others?: Values | undefined;
}

/** A result, and the values that give it. */
export interface PlanResult<Result> {
  readonly data: Result;
  readonly values: Values;
}

/** The maximum length of a value. A longer value is cut, and is then not a number. */
const LONGEST_VALUE = 100;

/** A value without spaces around it; of one that is too long, the beginning with an ellipsis. */
export function bounded(value: string): string {
  const bare = value.trim();
  return bare.length > LONGEST_VALUE ? `${bare.slice(0, LONGEST_VALUE)}…` : bare;
}

/** The page asks about smaller payments other than a salary, in đồng. */
export const LEAST_PAYMENT = 100_000;

/** Whether a field is used with these values. */
export function isUsed({ when }: Field, values: Values): boolean {
  return when?.(values) ?? true;
}

/** Whether all of these values are among others. */
export function isPart(some: Values, all: Values): boolean {
  return Object.entries(some).every(([name, value]) => all[name] === value);
}

/** The values of the first visit. */
export function examplesOf(fields: readonly Field[]): Values {
  return Object.fromEntries(
    fields.map(({ name, example, initial = '' }) => [name, example ?? initial]),
  );
}

/** Whether a value is neither empty nor the default. */
export function isSet({ initial = '' }: Field, value = ''): boolean {
  return value !== '' && value !== initial;
}

/** The request with these values. */
export function requestOf({ fields, always }: RequestForm, values: Values): Request {
  const members = fields
    .filter((field) => isUsed(field, values))
    .filter((field) => field.members !== undefined || isSet(field, values[field.name]))
    .map((field) => membersFor(field, values));
  return Object.assign({}, ...members, always) as Request;
}

/** The request with these values as JSON. */
export function bodyOf(form: RequestForm, values: Values): string {
  return JSON.stringify(requestOf(form, values));
}

/** The member of a request for a field, or the members that a choice stands for. */
function membersFor(field: Field, values: Values): Request {
  const { name, members, options = [] } = field;
  const value = values[name] ?? '';
  // The service refuses a choice that the list does not have.
  if (members === undefined || !options.includes(value))
    return { [name]: inJson(value, field.kind) };
  return Object.fromEntries(
    Object.entries(members(values)).map(([member, given]) => [member, inJson(given)]),
  );
}

/**
 * The value of a member: a number or a flag by its notation in JSON, and another text as a string, which the service
 * refuses. The integer 1.000 is such a text: 1 in JSON, but 1000 in Vietnam.
 */
function inJson(value: string, kind?: Kind): unknown {
  const isExact = NUMBER.test(value) || /^(?:true|false)$/.test(value);
  return isExact && !(kind === 'integer' && value.includes('.')) ? JSON.parse(value) : value;
}

/**
 * The fragment with these values, such as `salary?income=30000000`. The second plan has the values in which it differs.
 */
export function fragmentOf(form: RequestForm, { values, others }: Memory): string {
  const { name: view, fields, linked = fields } = form;
  const parameters = new URLSearchParams();
  for (const field of linked) {
    const { name, isRequired, initial = '' } = field;
    const value = values[name] ?? '';
    const isWanted = isRequired || value !== initial;
    if (isUsed(field, values) && isWanted) parameters.set(name, value);
  }
  if (others !== undefined) {
    const used = fields.filter((field) => isUsed(field, others));
    const own = used.filter(({ name }) => others[name] !== values[name]);
    // A link to equal plans has a value of the second one, too.
    for (const { name } of own.length > 0 ? own : used.slice(0, 1)) {
      parameters.set(`vs.${name}`, others[name] ?? '');
    }
  }
  const query = String(parameters);
  return query === '' ? view : `${view}?${query}`;
}

/**
 * The view of a fragment and its query. Mail and other programs write the fragment of a link as HTML, or encode it as a
 * whole.
 */
export function viewOf(fragment: string): { readonly view: string; readonly query: string } {
  const isEncoded = /^[^?]*%3f/i.test(fragment);
  const whole = isEncoded ? fragment.replace(/(?:%[\da-f]{2})+/gi, decoded) : fragment;
  const [view = '', query = ''] = whole
    .replace(/^#/, '')
    .replaceAll('&amp;', '&')
    .split(/\?(.*)/s);
  return { view, query };
}

/** The text of bytes in percent-encoding; other bytes than those of a text stay as they are. */
function decoded(bytes: string): string {
  try {
    return decodeURIComponent(bytes);
  } catch {
    return bytes;
  }
}

/** A value in JSON notation, or one that a person has written. */
function readLinked({ kind, per }: Field, value: string): string {
  const written = bounded(value);
  const read = READ[kind];
  return NUMBER.test(written) || !read ? written : read(written, language, per);
}

/** Reads the query of a fragment; undefined if it names no field, or one that the form does not have. */
export function readQuery(
  { fields, linked = fields }: RequestForm,
  query: string,
): Memory | undefined {
  const parameters = new URLSearchParams(query);
  const values = Object.fromEntries(fields.map(({ name, initial = '' }) => [name, initial]));
  const own: Values = {};
  for (const [key, value] of parameters) {
    const name = key.replace(/^vs\./, '');
    const field = linked.find((one) => one.name === name);
    if (field === undefined) return undefined;
    (key === name ? values : own)[name] = readLinked(field, value);
  }
  if (fields.every(({ name }) => !parameters.has(name))) return undefined;
  return { values, others: Object.keys(own).length > 0 ? { ...values, ...own } : undefined };
}
