/** Descriptions of the fields of an object for a terminal: the help of the settings and of the calculations. */
import { type Fields, type JsonSchema, type ObjectCheck, withBounds } from './schema.ts';

/** The values that a schema accepts, in words. */
export function describeValues({ type, enum: values, ...bounds }: JsonSchema): string {
  if (Array.isArray(values)) {
    return `one of ${values.map((value) => JSON.stringify(value)).join(', ')}`;
  }
  const [bounded, ...others] = [type].flat().map(String);
  return [withBounds(bounded!, bounds), ...others].join(' or ');
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
