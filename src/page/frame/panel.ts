/** The view of a calculator: its form and its answer. */
import { type Reply, replyTo } from './calculation.ts';
import {
  announce,
  byId,
  button,
  type Child,
  copyButton,
  disclosure,
  element,
  redraw,
} from './dom.ts';
import { Form, phrasesOf } from './form.ts';
import {
  type ShownAnswer,
  type Calculator,
  examplesOf,
  type Field,
  fragmentOf,
  type Head,
  type Inquiry,
  isSet,
  isUsed,
  type Memory,
  PLANS,
  type Plans,
  readQuery,
  requestOf,
  type Values,
} from './request.ts';
import { addTexts, text } from './texts.ts';

addTexts(`
copyResult | Copy result | Sao chép kết quả
exchange | For developers: the request | Dành cho lập trình viên: gọi API
error | Error: {title} | Lỗi: {title}
check | Please check: | Hãy kiểm tra:
enter | Please enter: | Hãy nhập:
damaged | This link is incomplete. | Liên kết không đầy đủ.
compare.salary | + Compare with another salary | + So với lương khác
remove | Remove B | Bỏ B
`);

/** A view of the page. */
export interface View {
  readonly node: HTMLElement;
  /** Shows the answer to a query, when the node is in the document. */
  readonly start?: (query: string) => void;
  /** Whether the view has work that its address lacks, and that the person would lose. */
  readonly hasWork?: () => boolean;
}

/** Takes the fragment of the address that gives the answer, as a new entry of the history if it `isNew`. */
export type Remember = (fragment: string, isNew?: boolean) => void;

/** Milliseconds after the last change until the address has it: Safari refuses 100 in 30 s. */
const ADDRESS_PAUSE = 200;

/** The fewest digits for which a figure leaves room. */
const SHORTEST_FIGURE = 8;

/** Whether the page is a file, to which others have no link. */
const isOnDisk = globalThis.location?.protocol === 'file:';

/** Joins sentences; those that are absent are left out. */
function sentences(parts: readonly (string | undefined)[]): string {
  return parts.flatMap((part) => part?.replace(/\.$/, '') || []).join('. ');
}

/** The view of a calculator: the form of one plan or of two, and the answer. */
export class Panel<Result> implements Plans, View {
  readonly node: HTMLElement;
  private readonly calculator: Calculator<Result>;
  memory: Memory;
  private readonly remember: Remember;
  private remembering: number | undefined;
  /** The form of each plan. */
  private forms: readonly Form[] = [];
  private readonly inputs = element('div.inputs');
  private readonly headline = element('header');
  private readonly status = element('p.status');
  private readonly body = element('div.answer');
  private readonly explanations = element('div.answer.explanations');
  private readonly asked = element('div.asked');
  private inquiry: Inquiry<Result> | undefined;
  private readonly result: HTMLElement;
  /** The answer in words, to be copied. */
  private inWords = (): string => '';
  private readonly actions = this.createActions();
  private calculating: number | undefined;

  constructor(calculator: Calculator<Result>, remember: Remember) {
    this.calculator = calculator;
    this.memory = { values: examplesOf(calculator.fields) };
    this.remember = remember;
    this.headline.append(this.status);
    this.result = element(
      'section.result.refused',
      this.headline,
      this.body,
      this.asked,
      this.actions,
      this.explanations,
    );
    this.node = element('div.panel', this.inputs, this.result);
  }

  /**
   * Shows the answer to the values of a link, or else to those that the view has. A link that cannot be read as a whole
   * has no answer, and stays in the address until the person enters something.
   */
  start(query: string): void {
    const linked = readQuery(this.calculator, query);
    this.memory = linked ?? this.memory;
    this.inquiry = this.calculator.inquiry?.(this);
    redraw(this.asked, this.inquiry?.node);
    this.createForms();
    if (query === '' || linked) return this.calculate(false, false);
    for (const form of this.forms) form.show();
    announce(this.refuse([text('damaged')], true), 0);
  }

  /**
   * Calculates in a task of its own, because the task of an event also lays out what was typed. Of several changes, the
   * page calculates the last.
   */
  readonly edited = (): void => {
    clearTimeout(this.calculating);
    this.calculating = setTimeout(() => this.calculate(false));
  };

  /** Creates a form for each plan, with a button that adds the second one, or removes it. */
  private createForms(): void {
    const { values, others } = this.memory;
    const isPair = others !== undefined;
    this.forms = isPair
      ? [this.createForm(values, others), this.createForm(others, values, 1)]
      : [this.createForm(values)];
    this.node.classList.toggle('pair', isPair);
    this.inputs.replaceChildren(...this.forms.map(({ node }) => node));
    this.status.replaceChildren(); // its buttons focus fields of the replaced forms
    const label = text(`compare.${this.calculator.name}`); // '' if there is nothing to compare
    if (label !== '' && !isPair) this.inputs.append(button(label, () => this.add()));
    if (isPair) joinFolds(this.forms);
  }

  /** Creates the form of a plan. Beside another one, the further options that one of them states are in sight. */
  private createForm(values: Values, beside = values, index = 0): Form {
    const { name, fields } = this.calculator;
    const { [index]: plan } = beside === values ? [] : PLANS;
    const isStated = (field: Field): boolean =>
      [values, beside].some((one) => isUsed(field, one) && isSet(field, one[field.name]));
    const shown = fields
      .filter((field) => field.isRare !== true || isStated(field))
      .map((field) => (plan && isStated(field) ? { ...field, isExtra: false } : field));
    const { edited } = this;
    const submitted = (): void => this.calculate(true);
    const form = new Form(name, shown, { values, beside, plan, edited, submitted });
    const remove = index > 0 && button(text('remove'), () => this.remove());
    if (plan !== undefined) form.node.prepend(element('div.heads', plan, remove));
    return form;
  }

  /** Adds a second plan with the values of the first. Its first value is selected: typing replaces it. */
  private add(): void {
    this.compare({ ...this.memory.values, ...this.calculator.secondPlan });
    const input = this.forms[1]?.node.querySelector<HTMLInputElement>('.field:not([hidden]) input');
    input?.focus();
    input?.select();
  }

  private remove(): void {
    this.compare(undefined);
    this.inputs.querySelector<HTMLElement>(':scope > button')?.focus();
  }

  /** Takes the values of the second plan, or removes it. The Back button leads to the plans before. */
  readonly compare = (others: Values | undefined): void => {
    this.remember(this.fragment());
    this.memory.others = others;
    this.remember(this.fragment(), true);
    this.createForms();
    this.calculate(false);
  };

  /** Calculates, and tells screen readers the answer, unless it is the first one. */
  private calculate(isSubmitted: boolean, isAnnounced = true): void {
    clearTimeout(this.calculating);
    this.follow();
    if (isAnnounced) this.rememberSoon();
    else this.remember(this.fragment());
    const replies = this.forms.map((form) => this.reply(form));
    const message = this.showReplies(replies, isSubmitted);
    if (isAnnounced || this.status.hasChildNodes()) announce(message);
  }

  private follow(): void {
    const { follow } = this.calculator;
    for (const { values } of this.forms) Object.assign(values, follow?.(values));
  }

  private rememberSoon(): void {
    clearTimeout(this.remembering);
    this.remembering = setTimeout(() => this.remember(this.fragment()), ADDRESS_PAUSE);
  }

  private reply(form: Form): Reply<Result> {
    const { calculator } = this;
    const { values } = form;
    const reply = replyTo(calculator.calculationOf(values), requestOf(calculator, values));
    const problems = form.problems();
    return problems.length > 0 ? { problems: [...problems, ...reply.problems] } : reply;
  }

  private showReplies(replies: readonly Reply<Result>[], isSubmitted: boolean): string {
    const results = replies.flatMap(({ data }, index) =>
      data === undefined ? [] : { data, values: { ...this.forms[index]?.values } },
    );
    const [own, other] = results;
    if (own === undefined || results.length < replies.length) {
      this.inquiry?.update(undefined);
      return this.showRefusals(replies, isSubmitted);
    }
    const answer = this.calculator.answer(own, other);
    this.forms.forEach((form, index) => form.show([], answer.limits?.[index]));
    this.inquiry?.update(own.data);
    return this.showAnswer(answer);
  }

  /** Shows an answer, and returns its headline. */
  private showAnswer({ nodes, explanations = [], ...head }: ShownAnswer): string {
    redraw(this.body, ...nodes);
    const headings = this.named(
      explanations.map(({ heading }) => heading),
      ':',
    );
    const folds = explanations.map(({ content }, index) =>
      disclosure(`explanation.${index}`, headings[index], content),
    );
    redraw(this.explanations, ...folds, this.createExchange());
    this.status.replaceChildren();
    const { caption, figures, note = '', verdict } = head;
    const { fields } = this.calculator;
    const headline = `${caption}: ${this.named(figures).join(' · ')}${note && ` (${note})`}`;
    this.inWords = () => {
      const given = this.forms.map(({ values }) => phrasesOf(fields, values).join(' · '));
      return sentences([...this.named(given, ':'), headline, verdict]);
    };
    this.showHead(head);
    this.result.classList.remove('refused');
    this.node.classList.add('answered');
    return sentences([headline, verdict]);
  }

  /** Texts with the names of their plans, if there are two. */
  private named(texts: readonly string[], mark = ''): string[] {
    return texts.map((one, index) => (texts.length > 1 ? `${PLANS[index]}${mark} ${one}` : one));
  }

  private showHead({ caption, figures, note, verdict = '' }: Head): void {
    const length = Math.max(SHORTEST_FIGURE, ...figures.map((figure) => figure.length));
    const isPair = figures.length > 1;
    redraw(
      this.headline,
      element('h2', caption),
      this.status,
      element(
        'div.figures',
        { '--length': isPair ? 2 * length + 4 : length },
        figures.map((figure, index) =>
          element(
            'p.figure',
            isPair && element('span.plan', PLANS[index], ' '),
            element('b', figure),
          ),
        ),
      ),
      element('p.verdict', verdict),
      element('p.note', note),
    );
    document.title = `${figures[0]} · ${caption} – ${byId('title').textContent}`;
  }

  private showRefusals(replies: readonly Reply<Result>[], isSubmitted: boolean): string {
    const invalid = this.forms.flatMap((form, index) => form.show(replies[index]?.problems));
    const links = invalid.map(({ label, focus, plan }, at) => [
      at > 0 ? ', ' : ' ',
      button(plan === undefined ? label : `${label} (${plan})`, focus, 'inline'),
    ]);
    const isEmpty = invalid.every(({ value }) => value() === '');
    const reason = [text(isEmpty ? 'enter' : 'check'), links];
    const message = this.refuse(reason, !isEmpty);
    if (isSubmitted) invalid[0]?.focus();
    return message;
  }

  /** Shows a reason instead of the result, and returns it. */
  private refuse(reason: readonly Child[], isError: boolean): string {
    redraw(this.status, reason);
    const title = byId('title').textContent;
    document.title = isError ? text('error', { title }) : title;
    this.result.classList.add('refused');
    return this.status.textContent ?? '';
  }

  /** The fragment of the address that gives this answer. */
  private fragment(): string {
    return fragmentOf(this.calculator, this.memory);
  }

  private createActions(): HTMLElement {
    const address = location.href.split('#')[0];
    const source = (): string =>
      sentences([this.inWords(), isOnDisk ? '' : `${address}#${this.fragment()}`]);
    return element('div.actions', copyButton(text('copyResult'), source));
  }

  /** The request and the response, those of the first plan. */
  private createExchange(): HTMLElement {
    const { calculator } = this;
    const { values } = this.memory;
    const blocks = async (): Promise<Child[]> => {
      const { exchangeBlocks } = await import('./developer.ts');
      return exchangeBlocks(calculator.calculationOf(values), requestOf(calculator, values));
    };
    const summary = [text('exchange'), this.forms.length > 1 && ` (${PLANS[0]})`];
    const fold = disclosure('exchange', summary, blocks);
    fold.classList.add('exchange');
    return fold;
  }
}

/** Opens and closes the further options of all plans together. */
function joinFolds(forms: readonly Form[]): void {
  const folds = forms.map(({ more }) => more);
  for (const fold of folds) {
    fold.addEventListener('toggle', () => {
      for (const other of folds) other.open = fold.open;
    });
  }
}
