/** The views of the page and their addresses. */
import { REVIEWED_THROUGH } from '../tax/law.ts';
import { isAlone, showDocumentIn } from './frame/document.ts';
import { announce, button, byId, element } from './frame/dom.ts';
import { Panel, type View } from './frame/panel.ts';
import { type Calculator, viewOf } from './frame/request.ts';
import { calculator as salary } from './salary/salary.ts';
import { format, language, text } from './frame/texts.ts';

/** Creates the views, by their fragments; those that are imported later are in another file. */
const VIEWS: Readonly<Record<string, () => View | Promise<View>>> = {
  salary: () => createPanel(salary),
  payroll: async () => new (await import('./payroll/view.ts')).PayrollView(),
  year: async () => createPanel((await import('./year.ts')).calculator),
  growth: async () => createPanel((await import('./growth.ts')).calculator),
};

const REVIEWED = format.month(REVIEWED_THROUGH);

if (isAlone) {
  showDocumentIn(language);
  byId('version').append(text('version', { month: REVIEWED }));
}

const TITLE = byId('title').textContent; // of a salary
const ABOUT = byId('about').textContent;

/** The views that were opened, by their names: what a person has entered stays in them. */
const opened = new Map<string, View>();

let shown: View | undefined; // in the page
let asked = ''; // the fragment of the view that was asked for last
let fragment = ''; // of the address of `shown`

addEventListener('hashchange', () => {
  if (location.hash !== fragment) void show();
});
addEventListener('beforeunload', (event) => {
  if ([...opened.values()].some((view) => view.hasWork?.())) event.preventDefault();
});
addEventListener('beforeprint', () => {
  for (const fold of document.querySelectorAll('.explanations > :not(.exchange)')) {
    fold.setAttribute('open', '');
    fold.dispatchEvent(new Event('toggle')); // that of the browser comes after the print
  }
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
  window.name = 'language'; // the next document of this tab gives its link the focus
  if (event.currentTarget instanceof HTMLAnchorElement) event.currentTarget.hash = location.hash;
});
if (window.name === 'language') byId('language').focus();
window.name = '';
void show();
// The other views are preloaded, so that they open offline.
addEventListener('load', () => void import('./year.ts').catch(() => undefined));

async function show(): Promise<void> {
  const { hash } = location;
  asked = hash;
  const { view: wanted, query } = viewOf(hash);
  const name = Object.hasOwn(VIEWS, wanted) ? wanted : 'salary';
  try {
    const view = opened.get(name) ?? (await VIEWS[name]?.());
    if (asked !== hash || view === undefined) return; // another was asked for meanwhile
    opened.set(name, view);
    fragment = hash;
    showHead(name);
    shown = view;
    enter(view.node);
    // The name of an unknown view is a query that no view has.
    view.start?.(name === wanted ? query : wanted);
  } catch (error) {
    console.error(error);
    fragment = hash;
    shown = undefined;
    enter(
      element('p.status', text('unloaded')),
      button(text('tryAgain'), () => show()),
    );
  }
}

/** Shows a view, which takes the focus from the one before it: screen readers read its title then. */
function enter(...nodes: readonly Node[]): void {
  const main = byId('main');
  const isFirst = main.querySelector('.late') !== null; // in the document that the service has sent
  main.replaceChildren(...nodes);
  if (isFirst) return;
  announce('', 0); // the message of the view before
  main.focus({ preventScroll: true });
  scrollTo(0, 0);
}

function showHead(name: string): void {
  document.title = text(`title.${name}`) || TITLE;
  byId('title').textContent = document.title;
  byId('about').replaceChildren(
    text(`about.${name}`) || ABOUT,
    ' ',
    name === 'growth' ? '' : text('reviewed', { month: REVIEWED }),
  );
  for (const link of byId('views').querySelectorAll('a')) {
    link.setAttribute('aria-current', link.hash === `#${name}` ? 'page' : 'false');
  }
}

function createPanel<Result>(calculator: Calculator<Result>): View {
  const panel = new Panel(calculator, (current, isNew) => {
    // Another address is a view that is about to be shown.
    if (shown === panel && location.hash === fragment) remember(current, isNew);
  });
  return panel;
}

/** Writes the values into the address. */
function remember(current: string, isNew = false): void {
  const write = isNew ? 'pushState' : 'replaceState';
  if (`#${current}` !== location.hash) history[write](null, '', `#${current}`);
  fragment = location.hash;
}
