/** Descriptions of the fields of an object for a terminal, such as the help of the settings. */
import { type Fields, type JsonSchema, type ObjectCheck, withBounds } from './schema.ts';

const NUMBERS: readonly string[] = ['number', 'integer'];
/** Columns of a line. */
const WIDTH = 100;

/** The indentation of a description, and of a continued line. */
const INDENT = '      ';

/** Breaks a text into lines of at most WIDTH columns. All but the first begin with `indent`. */
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

/** Describes each field: its names, default and values in columns, then its description. */
export function describeFields(
  check: ObjectCheck<Fields>,
  namesOf: (field: string) => readonly string[] = (field) => [field],
): string {
  const { properties, required } = check.schema as {
    readonly properties: Readonly<Record<string, JsonSchema>>;
    readonly required: readonly string[];
  };
  const rows = Object.entries(properties).map(([field, schema]) => {
    const byDefault = 'default' in schema ? JSON.stringify(schema['default']) : '-';
    const presence = required.includes(field) ? 'required' : byDefault;
    return [...namesOf(field), presence, describeValues(schema), String(schema['description'])];
  });
  const inColumns = (cell: string, column: number): string =>
    `  ${cell.padEnd(Math.max(...rows.map((row) => row[column]!.length)))}`;
  return rows
    .flatMap((row) => [row.slice(0, -1).map(inColumns).join(''), INDENT + row.at(-1)!])
    .map((line) => `${folded(line, INDENT)}\n`)
    .join('');
}
