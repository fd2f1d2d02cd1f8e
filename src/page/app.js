import { CALCULATORS, examplesOf, fragmentOf, readFragment } from './calculators.js';
import { element } from './dom.js';
import { formatsOf } from './numbers.js';
import { createPanel } from './panel.js';
import { LANGUAGES, languageOf, textsOf } from './texts.js';

const NAMES = Object.keys(CALCULATORS);

/** `language` is undefined while it is the browser's. */
const state = { calculator: 'salary', language: undefined };

/** The values of each calculator, and the last good answer with the values that it belongs to. */
const memories = Object.fromEntries(NAMES.map((name) => [name, { values: examplesOf(name), last: undefined }]));

const panels = {};

const byId = (id) => document.getElementById(id);

for (const name of NAMES) {
  const [tab, panel] = [`tab-${name}`, `panel-${name}`];
  byId('tabs').append(element('button', {
    type: 'button', role: 'tab', id: tab, 'aria-controls': panel, 'data-text': name, onclick: () => choose(name),
  }));
  byId('main').append(element('div', { class: 'panel', role: 'tabpanel', id: panel, 'aria-labelledby': tab }));
}
restore();
addEventListener('hashchange', restore);
byId('language').addEventListener('click', () => {
  state.language = LANGUAGES.find((language) => language !== currentLanguage());
  draw();
});
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

function restore() {
  const { calculator, language, values } = readFragment(location.hash);
  state.calculator = calculator;
  state.language = LANGUAGES.find((known) => known === language);
  if (values !== undefined) memories[calculator].values = values;
  draw();
}

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
    panels[name] = createPanel(name, memories[name], { text, language, format, remember });
    byId(`panel-${name}`).replaceChildren(...panels[name].nodes);
  }
  choose(state.calculator);
}

function choose(chosen) {
  state.calculator = chosen;
  for (const name of NAMES) {
    panels[name].stop();
    const isChosen = name === chosen;
    const tab = byId(`tab-${name}`);
    tab.setAttribute('aria-selected', isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
    byId(`panel-${name}`).hidden = !isChosen;
  }
  panels[chosen].calculate();
}

/** The address of the state. The fragment never reaches a server, so a link carries private text past every log. */
function remember() {
  history.replaceState(null, '', `#${fragmentOf({ ...state, values: memories[state.calculator].values })}`);
  return location.href;
}
