/* Two plans: what differs between their values, and between their results. */
import { phraseOf } from './form.ts';
import { type Comparison, type Field, isUsed, type Values } from './request.ts';
import { addTexts, format, text } from './texts.ts';

addTexts(`
same | as above | như trên
difference | Difference | Chênh lệch
change.1 | {difference} more | thêm {difference}
change.0 | no difference | không chênh lệch
change.-1 | {difference} less | bớt {difference}
`);

/** The values of another plan that are not empty. */
export function ownOf(others: Values): Values {
  return Object.fromEntries(Object.entries(others).filter(([, value]) => value !== ''));
}

/**
 * The fields of the form of another plan: those of the comparison, and those of a link. An empty
 * one has the value of the first plan.
 */
export function fieldsOfOther<Result>(
  fields: readonly Field[],
  { layout, valuesOf }: Comparison<Result>,
  values: Values,
  others: Values,
): Field[] {
  return fields
    .filter(({ name }) => name in layout || name in others)
    .map((field) => ({
      ...asOptional({ ...field, isExtra: true, ...layout[field.name] }),
      when: () => isUsed(field, valuesOf(values, ownOf(others))),
    }));
}

/** A field that may be left empty, without the hints of the first plan. */
function asOptional(field: Field): Field {
  const { kind, options = kind === 'flag' ? ['true', 'false'] : undefined, isExtra } = field;
  return {
    ...field,
    kind: options === undefined ? kind : 'choice',
    ...(options && { options: ['', ...options.filter((option) => option !== '')] }),
    initial: '',
    placeholder: isExtra === true ? text('same') : '',
    isRequired: false,
    isNamed: false,
    isBrief: true,
  };
}

/** The phrases for the fields in which two plans differ, for each plan. */
export function phrasesApart(
  fields: readonly Field[],
  values: Values,
  others: Values,
): [own: string[], other: string[]] {
  const different = fields.filter(
    (field) =>
      values[field.name] !== others[field.name] && (isUsed(field, values) || isUsed(field, others)),
  );
  const phrasesOf = (of: Values): string[] =>
    different.map((field) => phraseOf(field, of[field.name] ?? ''));
  return [phrasesOf(values), phrasesOf(others)];
}

/** A difference in đồng, in words. */
export function changeBy(difference: number): string {
  const amount = format.dong(Math.abs(difference));
  return text(`change.${Math.sign(difference)}`, { difference: amount });
}
