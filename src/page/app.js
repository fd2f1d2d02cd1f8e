import { CALCULATORS, examplesOf, fragmentOf, readFragment } from './calculators.js';
import { formatsOf } from './numbers.js';
import { createPanel } from './panel.js';
import { LANGUAGES, languageOf, textsOf } from './texts.js';

const NAMES = Object.keys(CALCULATORS);

/** What the page shows. `language` is undefined while it is the browser's. */
const state = {
  calculator: 'salary',
  language: undefined,
  values: Object.fromEntries(NAMES.map((name) => [name, examplesOf(name)])),
};

const panels = {};

const byId = (id) => document.getElementById(id);

restore();
addEventListener('hashchange', restore);
byId('language').addEventListener('click', () => {
  state.language = LANGUAGES.find((language) => language !== currentLanguage());
  draw();
});
for (const name of NAMES) byId(`tab-${name}`).addEventListener('click', () => choose(name));
byId('tabs').addEventListener('keydown', (event) => {
  const index = NAMES.indexOf(state.calculator);
  const targets = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: -1 };
  if (targets[event.key] === undefined) return;
  event.preventDefault();
  choose(NAMES.at(targets[event.key] % NAMES.length));
  byId(`tab-${state.calculator}`).focus();
});

function currentLanguage() {
  return state.language ?? languageOf(navigator.languages);
}

/** Takes the state from the address, and draws it. */
function restore() {
  const { calculator, language, values } = readFragment(location.hash);
  state.calculator = calculator;
  state.language = LANGUAGES.find((known) => known === language);
  if (values !== undefined) state.values[calculator] = values;
  draw();
}

/** Draws everything anew, in the current language. */
function draw() {
  const language = currentLanguage();
  const text = textsOf(language);
  const format = formatsOf(language);
  document.documentElement.lang = language;
  document.title = text('title');
  for (const node of document.querySelectorAll('[data-text]')) node.textContent = text(node.dataset.text);
  byId('tabs').setAttribute('aria-label', text('calculators'));
  byId('language').lang = LANGUAGES.find((other) => other !== language);
  for (const name of NAMES) {
    panels[name]?.stop();
    panels[name] = createPanel(name, state.values[name], { text, language, format, remember });
    byId(`panel-${name}`).replaceChildren(...panels[name].nodes);
  }
  choose(state.calculator);
}

/** Shows one calculator. */
function choose(chosen) {
  state.calculator = chosen;
  for (const name of NAMES) {
    const isChosen = name === chosen;
    const tab = byId(`tab-${name}`);
    tab.setAttribute('aria-selected', isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
    byId(`panel-${name}`).hidden = !isChosen;
  }
  panels[chosen].calculate();
}

/** The fragment never reaches a server, so a link carries private text past every log. */
function remember() {
  history.replaceState(null, '', `#${fragmentOf(state)}`);
}
