import { appendStyle, element } from './dom.js';
import { Panel } from './panel.js';
import { examplesOf, readQuery, reviewedThrough, viewOf } from './request.js';
import * as salary from './salary.js';
import { format, text } from './texts.js';

/** A module has a `calculator` or the function `createTool`. */
const VIEWS = {
  salary: () => salary,
  payroll: () => import('./payroll.js'),
  year: () => import('./year.js'),
  growth: () => import('./growth.js'),
  hash: () => import('./hash.js'),
  api: () => import('./reference.js'),
};

const byId = (id) => document.getElementById(id);
const [TITLE, ABOUT] = ['title', 'about'].map((id) => byId(id).textContent); // those of a salary

const memories = {}; // of the calculators that were opened

let shown; // the view in the page
let fragment; // of the address that it belongs to

addEventListener('hashchange', () => location.hash !== fragment && show());
addEventListener('online', () => shown?.retry?.());
byId('language').addEventListener('click', (event) => {
  event.currentTarget.hash = location.hash;
});
show();

async function show() {
  shown?.stop?.();
  const { hash } = location;
  fragment = hash;
  const { view, query } = viewOf(hash);
  const name = Object.hasOwn(VIEWS, view) ? view : 'salary';
  try {
    const [{ calculator, createTool }] = await Promise.all([VIEWS[name](), name !== 'salary' && appendStyle('more')]);
    if (location.hash !== hash) return; // another was opened meanwhile
    showHead(name);
    shown = calculator ? createPanel(calculator, query) : createTool();
    byId('main').replaceChildren(shown.node);
    await shown.calculate?.();
    appendStyle('more'); // which the first answer can do without
  } catch {
    byId('main').replaceChildren(element('p.status', text('unreachable')));
  }
}

function showHead(name) {
  document.title = text(`title.${name}`) ?? TITLE;
  byId('title').textContent = document.title;
  const reviewed = element('span');
  byId('about').replaceChildren(text(`about.${name}`) ?? ABOUT, ' ', reviewed);
  for (const link of byId('views').children) link.ariaCurrent = link.hash === `#${name}` ? 'page' : null;
  if (name !== 'salary' && name !== 'year') return;
  reviewedThrough().then((month) => month && reviewed.append(text('reviewed', { month: format.month(month) })));
}

function createPanel(calculator, query) {
  memories[calculator.name] ??= { values: { ...examplesOf(calculator), ...stored(calculator) }, others: {} };
  const memory = memories[calculator.name];
  const { values, others } = readQuery(calculator, query);
  if (values !== undefined) Object.assign(memory, { values, others });
  const panel = new Panel(calculator, memory, (current) => remember(calculator, memory.values, current));
  if (values !== undefined) panel.node.classList.add('linked');
  return panel;
}

/** The address has the values, and the next visit begins with them, except private ones. */
function remember({ name, fields }, values, current) {
  if (`#${current}` !== location.hash) history.replaceState(null, '', `#${current}`);
  fragment = location.hash;
  try {
    if (!fields.some(({ isPrivate }) => isPrivate)) localStorage.setItem(`values.${name}`, JSON.stringify(values));
  } catch {
    // A browser may refuse to store values.
  }
}

function stored({ name }) {
  try {
    return JSON.parse(localStorage.getItem(`values.${name}`), (key, value) => (key ? String(value) : value));
  } catch {
    return {};
  }
}
