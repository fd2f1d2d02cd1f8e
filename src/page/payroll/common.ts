/* The values that hold for all rows of a payroll. */
import { currentPeriod } from '../frame/calculation.ts';
import { button, element } from '../frame/dom.ts';
import { Form } from '../frame/form.ts';
import { writeMonth } from '../frame/numbers.ts';
import type { Field, Values } from '../frame/request.ts';
import { addTexts, text } from '../frame/texts.ts';
import { COLUMNS } from './sheet.ts';

addTexts(`
unit | Unit of amounts | Đơn vị tiền trong tệp
unit.1 | đồng | đồng
unit.1000 | thousands | nghìn đồng
unit.1000000 | millions | triệu đồng
phrase.unit | in {value} | tính bằng {value}
decimal | Decimals are written like | Cách viết phần thập phân
decimal., | 1.234,5 | 1.234,5
decimal.. | 1,234.5 | 1,234.5
phrase.decimal | decimals like {value} | phần thập phân viết như {value}
`);

/** The fields of columns whose empty cells have the value for all rows. */
const SHARED = ['who', 'dependents', 'region'];

/** The notation of decimals, which the numbers of a workbook do not have. */
export const DECIMAL: Field = {
  name: 'decimal',
  kind: 'choice',
  options: [',', '.'],
  when: ({ unit, isTyped }) => unit !== '1' && isTyped !== 'true',
};

/** The values for all rows. */
export const COMMON: readonly Field[] = [
  { name: 'period', kind: 'month', isRequired: true, isBrief: true },
  {
    name: 'unit',
    kind: 'choice',
    options: ['1', '1000', '1000000'],
    initial: '1',
    isNamed: () => true,
  },
  DECIMAL,
  ...COLUMNS.filter(({ name }) => SHARED.includes(name)).map((field) => ({
    ...field,
    isExtra: false,
    isNamed: () => true,
  })),
];

/** Creates the form of the values for all rows. It offers the current month and the last one. */
export function createCommon(values: Values, edited: () => void): HTMLElement {
  const changed = (): void => {
    form.show();
    edited();
  };
  const options = { values, edited: changed, submitted: () => undefined };
  const form = new Form('payroll', COMMON, options);
  const current = currentPeriod();
  const last = new Date(Date.parse(current) - 1).toISOString().slice(0, 7);
  const buttons = [current, last].map((month) =>
    button(writeMonth(month), () => {
      values['period'] = month;
      changed();
    }),
  );
  const offered = element('div.offered', { role: 'group', 'aria-label': text('period') }, buttons);
  form.node.firstElementChild?.after(offered);
  form.show();
  return form.node;
}
