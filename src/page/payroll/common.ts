/* The values that hold for all rows of a payroll. */
import { currentPeriod } from '../frame/calculation.ts';
import { button, element } from '../frame/dom.ts';
import { Form } from '../frame/form.ts';
import { writeMonth } from '../frame/numbers.ts';
import { choice, type Field, type Values } from '../frame/request.ts';
import { form as salary } from '../salary/salary-form.ts';
import { addTexts, text } from '../frame/texts.ts';

addTexts(`
unit | Amounts in the file | Số tiền trong tệp
unit.1 | đồng | đồng
unit.1000 | thousands | nghìn đồng
unit.1000000 | millions | triệu đồng
phrase.unit | in {value} | tính bằng {value}
decimal | Decimals are written like | Số lẻ viết như
decimal., | 1.234,5 | 1.234,5
decimal.. | 1,234.5 | 1,234.5
phrase.decimal | decimals like {value} | số lẻ viết như {value}
`);

/** The values for all rows. */
export const COMMON: readonly Field[] = [
  { name: 'period', kind: 'month', isRequired: true, isBrief: true },
  choice('unit', ['1', '1000', '1000000'], { isNamed: true }),
  choice('decimal', [',', '.'], { when: ({ unit }) => unit !== '1', initial: '' }),
  ...salary.fields
    .filter(({ name }) => name === 'region' || name === 'dependents')
    .map((field) => ({ ...field, isExtra: false, isNamed: true })),
];

/** Creates the form of the values for all rows. It offers some months besides the current one and the last. */
export function createCommon(
  values: Values,
  named: readonly string[],
  edited: () => void,
): HTMLElement {
  const form = new Form('payroll', COMMON, { values, edited, submitted: () => undefined });
  const current = currentPeriod();
  const last = new Date(Date.parse(current) - 1).toISOString().slice(0, 7);
  const buttons = [...new Set([...named, current, last])].map((month) =>
    button(writeMonth(month), () => {
      values['period'] = month;
      form.refresh();
      edited();
    }),
  );
  const offered = element('div.offered', { role: 'group', 'aria-label': text('period') }, buttons);
  form.node.firstElementChild?.after(offered);
  return form.node;
}
