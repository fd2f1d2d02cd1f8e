import { growthChart } from './chart.js';
import { codeBlock, disclosure, element, facts, named, table } from './dom.js';

/**
 * The answer of each calculator, from the service's `data` and the values that were asked with: a caption, a figure and
 * a note on it, and the nodes that explain them.
 */
export const ANSWERS = { salary, growth, hash };

const INSURANCES = ['bhxh', 'bhyt', 'bhtn'];

function salary(data, values, context) {
  const { text, format } = context;
  const isGrossWanted = values.type === 'net';
  const places = {
    month: format.month(data.detail.period),
    gross: format.dong(data.gross_income),
    net: format.dong(data.net_income),
  };
  return {
    caption: text(isGrossWanted ? 'grossFor' : 'netOf', places),
    figure: isGrossWanted ? places.gross : places.net,
    note: text(isGrossWanted ? 'leavesNet' : 'fromGross', places),
    nodes: [
      splitBar(data, context),
      facts([
        [text('employerCost'), format.dong(data.detail.employer.cost)],
        [text('effectiveRate'), format.percent(data.detail.effective_rate)],
        [text('marginalRate'), format.percent(data.detail.marginal_rate)],
      ]),
      insuranceTable(data, context),
      taxableTable(data, context),
      bracketTable(data, context),
      disclosure('law', text('law', places), () => [lawTable(text('law', places), data.detail, context)]),
    ],
  };
}

/** The bar is only a picture of the table under it. */
function splitBar({ gross_income: gross, insurance, tax, net_income: net }, { text, format }) {
  const parts = [['net', net], ['insurance', insurance.total], ['tax', tax]];
  const bar = element('div', { class: 'bar', 'aria-hidden': 'true' }, parts.map(([name, amount]) =>
    element('div', { class: name, '--share': gross > 0 ? amount / gross : 0 })));
  const share = (amount) => (gross > 0 ? format.share(amount / gross) : '–');
  const legend = table({
    caption: text('splitting'),
    heads: ['item', 'amount', 'share'].map(text),
    rows: parts.map(([name, amount]) => [named(name, text(name)), format.count(amount), share(amount)]),
    foot: [text('gross'), format.count(gross), share(gross)],
  });
  return element('div', { class: 'split' }, bar, legend);
}

function insuranceTable({ insurance, detail }, { text, format }) {
  const { insurance_base: base, employer } = detail;
  return table({
    caption: text('insuranceTable'),
    heads: ['item', 'base', 'employee', 'employer'].map(text),
    rows: INSURANCES.map((name) => [text(name), ...[base, insurance, employer].map((row) => format.count(row[name]))]),
    foot: [text('total'), '', format.count(insurance.total), format.count(employer.total)],
  });
}

function taxableTable(data, { text, format }) {
  const { gross_income: gross, insurance, deductions, taxable_income: taxable } = data;
  const less = (amount) => (amount === 0 ? format.count(0) : `−${format.count(amount)}`);
  return table({
    caption: text('taxableTable'),
    heads: ['item', 'amount'].map(text),
    rows: [
      [text('gross'), format.count(gross)],
      [text('insurance'), less(insurance.total)],
      [text('law.self_deduction'), less(deductions.self)],
      [text('lessDependents'), less(deductions.dependents)],
    ],
    foot: [text('taxableIncome'), format.count(taxable)],
  });
}

function bracketTable({ taxable_income: taxable, tax, detail: { brackets } }, { text, format }) {
  const range = (from, to) => (to === null
    ? text('over', { from: format.compact(from) })
    : `${format.compact(from)} – ${format.compact(to)}`);
  return table({
    caption: text('bracketTable'),
    heads: ['rate', 'range', 'taxed', 'tax'].map(text),
    rows: brackets.map((row) => [
      format.percent(row.rate), range(row.from, row.to), format.count(row.taxable_amount), format.count(row.tax),
    ]),
    foot: [text('total'), '', format.count(taxable), format.count(tax)],
    isMuted: (index) => brackets[index].taxable_amount === 0,
  });
}

function lawTable(caption, { law }, { text, format }) {
  const value = (row) => {
    if (row.rule.endsWith('_rate')) return format.percent(row.value);
    return row.rule.endsWith('_brackets') ? format.count(row.value) : format.dong(row.value);
  };
  return table({
    caption,
    heads: ['rule', 'value', 'since', 'instrument'].map(text),
    rows: law.map((row) => [
      nameOf(row.rule, text),
      value(row),
      format.month(row.effective_from),
      element('span', { lang: 'en' }, row.instrument),
    ]),
  });
}

/** What a rule of the law is called; the name that the service gives it where the page knows none. */
function nameOf(rule, text) {
  const [, side, insurance] = /^(employee|employer)_(\w+)_rate$/.exec(rule) ?? [];
  if (INSURANCES.includes(insurance)) {
    return text('insuranceRate', { kind: text(insurance), side: text(side).toLowerCase() });
  }
  return text(`law.${rule}`) ?? rule;
}

function growth(data, values, { text, format }) {
  const { timeline } = data;
  const amount = format.amount(Number(values.decimals === '' ? 2 : values.decimals));
  const totals = [[text('deposited'), amount(data.total_deposited)], [text('interest'), amount(data.total_profit)]];
  const name = text('timelineRows', { rows: format.count(timeline.length) });
  return {
    caption: text('finalBalance', { duration: format.duration(data.years) }),
    figure: amount(data.final_balance),
    note: text('effectiveAnnualRate', { rate: format.percent(data.effective_annual_rate) }),
    nodes: timeline.length === 0 ? [facts(totals)] : [
      growthChart({ timeline, amount, format, text }),
      disclosure('timeline', name, () => [table({
        caption: name,
        heads: ['years', 'deposited', 'interest', 'balance'].map(text),
        rows: timeline.map((row) => [
          format.count(row.year), amount(row.total_deposited), amount(row.total_interest), amount(row.total_balance),
        ]),
      })]),
    ],
  };
}

function hash(data, values, { text, format }) {
  const characters = format.count([...data.input].length);
  const bytes = format.count(new TextEncoder().encode(data.input).length);
  return {
    caption: text('hashCaption', { characters, bytes }),
    nodes: [
      codeBlock('SHA-256', data.sha256, text),
      codeBlock('MD5', data.md5, text, text('md5Warning')),
      codeBlock('Base64', data.base64_encoded, text),
    ],
  };
}
