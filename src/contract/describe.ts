/** Descriptions of the fields of an object for a terminal: the help of the settings and of the calculations. */
import { type Fields, type JsonSchema, type ObjectCheck, withBounds } from './schema.ts';

const NUMBERS: readonly string[] = ['number', 'integer'];
/** Columns of a line. */
const WIDTH = 100;

/** The space before a description, and before the rest of a line that is broken. */
const INDENT = '      ';

/** Breaks a text between words into lines of up to WIDTH columns, of which all but the first begin with `indent`. */
export function folded(text: string, indent = ''): string {
  const line = new RegExp(`(.{1,${WIDTH - indent.length}})(?: |$)`, 'g');
  return text.replace(line, `$1\n${indent}`).trimEnd();
}

/** The values that a schema accepts, in words. */
export function describeValues({ type, enum: values, anyOf, ...bounds }: JsonSchema): string {
  if (Array.isArray(anyOf)) return anyOf.map(describeValues).join(' or ');
  if (Array.isArray(values)) {
    const texts = values.map((value) => JSON.stringify(value));
    return texts.length === 1 ? texts[0]! : `one of ${texts.join(', ')}`;
  }
  return [type]
    .flat()
    .map(String)
    .map((name) => (NUMBERS.includes(name) ? withBounds(name, bounds) : name))
    .join(' or ');
}

/** Describes each field on two lines: its name with its values and its default, and its description. */
export function describeFields(
  check: ObjectCheck<Fields>,
  nameOf: (field: string) => string = String,
): string {
  const { properties, required } = check.schema as {
    readonly properties: Readonly<Record<string, JsonSchema>>;
    readonly required: readonly string[];
  };
  return Object.entries(properties)
    .map(([field, schema]) => {
      const byDefault = 'default' in schema ? `; default ${JSON.stringify(schema['default'])}` : '';
      const presence = required.includes(field) ? '; required' : byDefault;
      const head = `  ${nameOf(field)}: ${describeValues(schema)}${presence}`;
      const description = folded(String(schema['description']), INDENT);
      return `${folded(head, INDENT)}\n${INDENT}${description}\n`;
    })
    .join('');
}
