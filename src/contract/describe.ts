/** Descriptions of the fields of an object for a terminal: the help of the settings and of the calculations. */
import { type Fields, type JsonSchema, type ObjectCheck, withBounds } from './schema.ts';

const NUMBERS: readonly string[] = ['number', 'integer'];

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
      return `${head}\n      ${String(schema['description'])}\n`;
    })
    .join('');
}
