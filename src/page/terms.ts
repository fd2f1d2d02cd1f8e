import { type Child, element } from './dom.ts';
import { addTexts, text } from './texts.ts';

/* The explanations of terms. */
addTexts(`
why.region | By decree, each commune is in one of four minimum-wage regions: inner Hanoi and Ho Chi
    Minh City in I, the lowest wages in IV. Unemployment insurance is paid on up to 20 times the
    minimum wage.
  | Nghị định xếp mỗi xã, phường vào một trong bốn vùng lương tối thiểu: nội thành Hà Nội và TP. Hồ
    Chí Minh ở vùng I, mức thấp nhất ở vùng IV. Tiền lương làm căn cứ đóng BHTN tối đa bằng 20 lần
    lương tối thiểu vùng.
why.taxation | A resident on a contract of three months or more pays by brackets. Others pay a flat
    tax: non-residents 20%, residents 10% of a payment of at least 5 million đồng (until December
    2025: 2 million, from which many withheld it until June 2026).
  | Cá nhân cư trú có hợp đồng từ ba tháng trở lên nộp theo biểu lũy tiến. Người khác nộp thuế suất
    toàn phần: không cư trú 20%, cư trú 10% của khoản chi trả từ 5 triệu đồng (đến tháng 12/2025:
    2 triệu, nhiều nơi khấu trừ theo mức này đến tháng 6/2026).
why.cap | Contributions are paid on up to 20 times the base salary (since July 2025 the reference
    level) for social and health insurance, and 20 times the minimum wage of the region for
    unemployment insurance.
  | Tiền lương làm căn cứ đóng BHXH và BHYT tối đa bằng 20 lần lương cơ sở (từ tháng 7/2025 là mức
    tham chiếu), đóng BHTN tối đa bằng 20 lần lương tối thiểu vùng.
`);

/** Creates the explanation of a term, and the button that opens it. */
export function explanation(key: string, term: string): Child {
  const content = element('span.term', { hidden: '' }, text(`why.${key}`));
  const show = (isShown: boolean): void => {
    content.hidden = !isShown;
    why.setAttribute('aria-expanded', String(isShown));
  };
  const why = element(
    'button.why',
    {
      type: 'button',
      'aria-label': text('explain', { term }),
      'aria-expanded': 'false',
      onclick: () => show(content.hidden === true),
      onkeydown: (event: KeyboardEvent) => event.key === 'Escape' && show(false),
    },
    '?',
  );
  return [why, content];
}
