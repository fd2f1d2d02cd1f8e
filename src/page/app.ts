import { REVIEWED_THROUGH } from '../tax/law.ts';
import './polyfills.ts';
import { SalaryComparison } from './compare.ts';
import { isAlone, showDocumentIn } from './document.ts';
import { announce, button, byId, element } from './dom.ts';
import { WIDE } from './form.ts';
import { Panel, type View } from './panel.ts';
import {
  bounded,
  type Calculator,
  examplesOf,
  type Memory,
  readQuery,
  type RequestForm,
  type Values,
  viewOf,
} from './request.ts';
import { calculator as salary } from './salary.ts';
import { format, language, text } from './texts.ts';

/** The views, by their fragments; another file has those that are imported later. */
const VIEWS: Readonly<Record<string, (query: string) => View | Promise<View>>> = {
  salary: (query) => createPanel({ ...salary, Comparison: SalaryComparison }, query),
  payroll: async () => (await import('./payroll/view.ts')).createTool(),
  year: async (query) => {
    const { calculatorWith } = await import('./year.ts');
    return createPanel(calculatorWith(memoryOf(salary).values), query);
  },
  growth: async (query) => createPanel((await import('./growth.ts')).calculator, query),
  hash: async (query) => createPanel((await import('./hash.ts')).calculator, query),
  api: async (query) => (await import('./reference.ts')).createTool(query),
};

const REVIEWED = format.month(REVIEWED_THROUGH);

if (isAlone) {
  showDocumentIn(language);
  byId('version').append(text('version', { month: REVIEWED }));
}

const TITLE = byId('title').textContent; // of a salary
const ABOUT = byId('about').textContent;

const memories = new Map<string, Memory>(); // of the calculators that were opened

let shown: View | undefined; // in the page
let fragment = ''; // of the address of `shown`

addEventListener('hashchange', () => {
  if (location.hash !== fragment) void show();
});
addEventListener('beforeunload', (event) => {
  if (shown?.hasWork?.()) event.preventDefault();
});
// One listener for the folds of every form: one per form would keep the form in memory.
matchMedia(WIDE).addEventListener('change', ({ matches }) => openFolds(matches));
addEventListener('beforeprint', () => {
  openFolds(true);
  byId('printed').textContent = text('printed', {
    address: location.href,
    date: new Date().toLocaleDateString(language === 'vi' ? 'vi-VN' : 'en-GB'),
    month: REVIEWED,
  });
});
document.querySelector('.skip')?.addEventListener('click', (event) => {
  event.preventDefault(); // the fragment of the address is the view
  byId('main').focus();
});
byId('language').addEventListener('click', (event) => {
  if (event.currentTarget instanceof HTMLAnchorElement) event.currentTarget.hash = location.hash;
});
document
  .querySelector('footer')
  ?.append(element('p', text('stored'), ' ', button(text('forget'), forget, 'inline')));
void show();
// The other views are at hand when they are needed, even if the network is not.
addEventListener('load', () => void import('./year.ts').catch(() => undefined));

function openFolds(isOpen: boolean): void {
  for (const fold of document.querySelectorAll<HTMLDetailsElement>('.fold')) fold.open = isOpen;
}

async function show(): Promise<void> {
  const { hash } = location;
  if (shown?.hasWork?.() && !confirm(text('leave'))) {
    history.replaceState(null, '', fragment);
    return;
  }
  fragment = hash;
  const { view: wanted, query } = viewOf(hash);
  const name = Object.hasOwn(VIEWS, wanted) ? wanted : 'salary';
  try {
    const view = await VIEWS[name]?.(query);
    if (location.hash !== hash || view === undefined) return; // another was opened meanwhile
    showHead(name);
    shown = view;
    byId('main').replaceChildren(view.node);
    view.start?.();
  } catch (error) {
    console.error(error);
    shown = undefined;
    byId('main').replaceChildren(
      element('p.status', text('unloaded')),
      button(text('tryAgain'), () => show()),
    );
  }
}

function showHead(name: string): void {
  document.title = text(`title.${name}`) || TITLE;
  byId('title').textContent = document.title;
  const isLaw = name === 'salary' || name === 'year' || name === 'payroll';
  byId('about').replaceChildren(
    (isAlone && text(`about.${name}.alone`)) || text(`about.${name}`) || ABOUT,
    ' ',
    isLaw ? text('reviewed', { month: REVIEWED }) : '',
  );
  const views = byId('views');
  for (const link of views.querySelectorAll('a')) {
    if (link.hash === `#${name}`) {
      link.setAttribute('aria-current', 'page');
      // On a phone, the links scroll sideways. scrollIntoView would also move the start of Tab.
      views.scrollLeft = link.offsetLeft - views.clientWidth / 2;
    } else {
      link.removeAttribute('aria-current');
    }
  }
}

function createPanel<Result>(calculator: Calculator<Result>, query: string): View {
  const memory = memoryOf(calculator);
  const { values, others } = readQuery(calculator, query);
  if (values !== undefined) Object.assign(memory, { values, others });
  const panel = new Panel(calculator, memory, (current) => {
    // Another address is a view that is about to be shown.
    if (shown === panel && location.hash === fragment) remember(calculator, memory.values, current);
  });
  return panel;
}

function memoryOf(form: RequestForm): Memory {
  const known = memories.get(form.name);
  if (known !== undefined) return known;
  const memory = { values: { ...examplesOf(form), ...stored(form) }, others: {} };
  memories.set(form.name, memory);
  return memory;
}

/** Forgets the values of every calculator, which the storage, the memory and the address have. */
function forget(): void {
  try {
    for (const key of Object.keys(localStorage)) {
      if (key.startsWith('values.')) localStorage.removeItem(key);
    }
  } catch {
    // A browser that refuses to store values has none.
  }
  memories.clear();
  history.replaceState(null, '', `#${viewOf(fragment).view}`);
  void show();
  announce(text('forgotten'));
}

/** The address has the values, and the next visit begins with them, except private ones. */
function remember({ name, fields }: RequestForm, values: Values, current: string): void {
  if (`#${current}` !== location.hash) history.replaceState(null, '', `#${current}`);
  fragment = location.hash;
  if (fields.some(({ isPrivate }) => isPrivate)) return;
  try {
    localStorage.setItem(`values.${name}`, JSON.stringify(values));
  } catch {
    // A browser may refuse to store values.
  }
}

/**
 * The values of the last visit, without its months: a reload gives the address a month, which
 * another month must not keep. Another program of this origin may have stored anything.
 */
function stored({ name, fields }: RequestForm): Values {
  try {
    // The storage may hold any JSON. Only the members that are values of fields are taken.
    const all: unknown = JSON.parse(localStorage.getItem(`values.${name}`) ?? '{}');
    const known = new Map<string, unknown>(Object.entries(Object(all)));
    return Object.fromEntries(
      fields
        .filter((field) => known.has(field.name) && field.kind !== 'month')
        .map((field) => [field.name, bounded(String(known.get(field.name)))]),
    );
  } catch {
    return {};
  }
}
