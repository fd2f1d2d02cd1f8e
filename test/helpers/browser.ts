import assert from 'node:assert/strict';
import events from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { spawn } from './child.ts';
import { until, within } from './until.ts';

/** The width and height of the window, which a hidden tab does not take from the browser. */
const WINDOW = [1280, 900] as const;

/** Chromium without a user interface needs half the processor time of the browser. */
const [shell, browser] = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'] as const;

/** The path of Chromium, which the environment variable CHROMIUM replaces. */
export const chromium: string = process.env['CHROMIUM'] ?? (existsSync(shell) ? shell : browser);

/** The reason to skip the tests that need Chromium, or false. */
export const missing: string | false = !existsSync(chromium) && `${chromium} is not installed`;

const FLAGS = [
  '--remote-debugging-pipe',
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
  '--window-size=1280,900',
  '--disable-renderer-backgrounding',
  '--disable-backgrounding-occluded-windows',
  // Fewer processes: otherwise each document starts its own, and a spare one.
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
  '--disable-features=SpareRendererForSitePerProcess,ProactivelySwapBrowsingInstance,BackForwardCache',
];
/** Milliseconds until a wait ends with the text of the page as its error. No machine needs this long for one step. */
const PATIENCE = 120_000;
/** Milliseconds between two checks of a condition. */
const INTERVAL = 25;

/** The codes of keys other than letters and digits; those of other characters depend on the keyboard. */
const KEYS: Readonly<Record<string, number>> = {
  Backspace: 8,
  Tab: 9,
  Enter: 13,
  Escape: 27,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Delete: 46,
  ',': 188,
  '.': 190,
};
const MODIFIERS = { none: 0, control: 2, shift: 8 };

type Fields = Readonly<Record<string, unknown>>;

interface Message {
  readonly id?: number;
  readonly sessionId?: string;
  readonly method?: string;
  readonly params?: Fields;
  readonly result?: Fields;
  readonly error?: { readonly message: string };
}

/** Opens a page for a test. It is painted only if the test needs that. */
export type Browser = (test: TestContext, isPainted: boolean) => Promise<Page>;

/** A tab, which may use the clipboard; all tabs have the same one. */
export interface Page {
  /** Exceptions, console errors and violations of the content security policy so far. */
  readonly problems: string[];
  /** The URLs requested so far. */
  readonly requests: string[];
  /** Sends a command of the Chrome DevTools Protocol to the page. */
  send(method: string, params?: Fields): Promise<Fields>;
  /** Loads another address, as a link does. */
  load(address: string): Promise<void>;
  /** Loads an address as in a new tab, with an Accept-Language header. */
  open(address: string, languages: string): Promise<void>;
  /** Empties the page, and goes to another fragment of the same document. */
  follow(fragment: string): Promise<void>;
  /** The size of the window. */
  resize(width: number, height: number): Promise<void>;
  /** The value of an expression in the page. */
  evaluate(expression: string): Promise<unknown>;
  /** Waits until an expression in the page is true. */
  until(expression: string): Promise<void>;
  /** Presses a key, named as in `KeyboardEvent.key`. */
  press(key: string, modifier?: keyof typeof MODIFIERS): Promise<void>;
  /** Types a text key by key. */
  type(text: string): Promise<void>;
}

/**
 * Starts Chromium for the pages of an origin, or skips the test if it cannot start; it exits at the end of the test. Tests that run at the same time have a
 * profile and a renderer process each. Later tests use these profiles again, whose caches contain the scripts. Painting
 * takes half of the processor time, so that most pages are in hidden tabs.
 */
export async function startBrowser(
  test: TestContext,
  origin: string,
): Promise<Browser | undefined> {
  const send = start(test);
  try {
    await send('Browser.getVersion', {});
  } catch (error) {
    test.skip(`${chromium} cannot start: ${(error as Error).message}`);
    return undefined;
  }
  const unused: unknown[] = [];
  return async (part, isPainted) => {
    const browserContextId =
      unused.pop() ?? (await send('Target.createBrowserContext', {}))['browserContextId'];
    const options = { url: 'about:blank', browserContextId, hidden: !isPainted };
    const { targetId } = await send('Target.createTarget', options);
    // The tab stays open: a navigation of another tab could wait for a renderer that ends with this one.
    part.after(() => void unused.push(browserContextId));
    const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
    const page = await openPage(send, String(sessionId));
    await send('Browser.grantPermissions', {
      origin,
      browserContextId,
      permissions: ['clipboardReadWrite'],
    });
    await page.resize(...WINDOW);
    return page;
  };
}

/** A script that runs before those of the page, and reports violations of the content security policy. */
const PRELUDE = `
  addEventListener('securitypolicyviolation', (event) => console.error(event.violatedDirective));
`;

async function openPage(send: Connection, sessionId: string): Promise<Page> {
  const page: Events = { problems: [], requests: [], loaded: new Set() };
  send.listen((message) => message.sessionId === sessionId && record(page, message));
  const { userAgent } = await send('Browser.getVersion', {});
  const command = (method: string, params: Fields = {}): Promise<Fields> =>
    send(method, params, sessionId);
  for (const domain of ['Page', 'Runtime', 'Log', 'Network']) await command(`${domain}.enable`);
  await command('Page.setLifecycleEventsEnabled', { enabled: true });
  await command('Emulation.setFocusEmulationEnabled', { enabled: true });
  await command('Page.addScriptToEvaluateOnNewDocument', { source: PRELUDE });
  const evaluate = async (expression: string): Promise<unknown> => {
    const answer = await command('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    const { result, exceptionDetails } = answer as {
      result: { value?: unknown };
      exceptionDetails?: unknown;
    };
    assert.equal(exceptionDetails, undefined, `${expression}: ${JSON.stringify(exceptionDetails)}`);
    return result.value;
  };
  const press: Page['press'] = async (key, modifier = 'none') => {
    const isCharacter = [...key].length === 1 && modifier !== 'control';
    const code = KEYS[key] ?? (/^[a-z\d]$/i.test(key) ? key.toUpperCase().charCodeAt(0) : 0);
    const text = key === 'Enter' ? '\r' : key;
    const event = { key, code: key, windowsVirtualKeyCode: code, modifiers: MODIFIERS[modifier] };
    const commands = modifier === 'control' && key === 'a' ? ['selectAll'] : [];
    await command('Input.dispatchKeyEvent', {
      type: 'keyDown',
      ...event,
      commands,
      ...((isCharacter || key === 'Enter') && { text }),
    });
    await command('Input.dispatchKeyEvent', { type: 'keyUp', ...event });
  };
  // A navigation that begins before the last one is committed can be without an end in Chromium.
  const load: Page['load'] = async (url) => {
    const { loaderId } = await command('Page.navigate', { url });
    await until(`the load event of ${url}`, () => page.loaded.has(loaderId));
  };
  return {
    ...page,
    send: command,
    evaluate,
    press,
    load,
    async open(address, languages) {
      await command('Network.setUserAgentOverride', { userAgent, acceptLanguage: languages });
      // From another address, the browser could go to a fragment of the same document.
      await load('about:blank');
      await load(address);
    },
    async follow(fragment) {
      await evaluate(
        `document.getElementById('main').replaceChildren(); location.hash = ${JSON.stringify(fragment)}`,
      );
    },
    async resize(width, height) {
      const mobile = width < 600;
      await command('Emulation.setDeviceMetricsOverride', {
        width,
        height,
        deviceScaleFactor: 1,
        mobile,
      });
    },
    async until(expression) {
      const seen = await evaluate(waiting(expression));
      assert.equal(seen, true, `waited for ${expression}, and saw:\n${String(seen)}`);
    },
    async type(text) {
      for (const character of text) await press(character);
    },
  };
}

/** The source of a promise that resolves to true, or after PATIENCE to the text of the page. */
function waiting(expression: string): string {
  return `new Promise((resolve) => {
    const end = performance.now() + ${PATIENCE};
    const check = () => {
      if (${expression}) resolve(true);
      else if (performance.now() > end) resolve(location.href + '\\n' + document.body.innerText);
      else setTimeout(check, ${INTERVAL});
    };
    check();
  })`;
}

/** The events of a page so far. */
interface Events extends Pick<Page, 'problems' | 'requests'> {
  /** The identifiers of the navigations whose documents have had their load event. */
  readonly loaded: Set<unknown>;
}

function record({ problems, requests, loaded }: Events, { method, params }: Message): void {
  const event = (params ?? {}) as {
    name?: string;
    loaderId?: string;
    entry?: { source: string; level: string; text: string };
    request?: { url: string };
    type?: string;
    args?: unknown;
    exceptionDetails?: unknown;
  };
  if (method === 'Network.requestWillBeSent' && event.request !== undefined)
    requests.push(event.request.url);
  if (method === 'Page.lifecycleEvent' && event.name === 'load') loaded.add(event.loaderId);
  if (method === 'Log.entryAdded' && event.entry !== undefined) problems.push(event.entry.text);
  if (method === 'Runtime.consoleAPICalled' && event.type === 'error')
    problems.push(JSON.stringify(event.args));
  if (method === 'Runtime.exceptionThrown') problems.push(JSON.stringify(event.exceptionDetails));
}

interface Connection {
  (method: string, params: Fields, sessionId?: string): Promise<Fields>;
  listen(listener: (message: Message) => unknown): void;
}

/** Starts Chromium, and returns a function from command to result: JSON on two pipes, each message ends with NUL. */
function start(test: TestContext): Connection {
  const profile = mkdtempSync(join(tmpdir(), 'page-test-'));
  const child = spawn(
    chromium,
    [...FLAGS, `--user-data-dir=${profile}`],
    {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
      detached: true, // A process group of its own: all processes of the browser write to the profile until they exit.
    },
    { HOME: profile },
  );
  const ended = events.once(child, 'exit');
  test.after(async () => {
    process.kill(-child.pid!, 'SIGKILL');
    await within('the end of Chromium', ended);
    rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
  });
  const [, , , input, output] = child.stdio;
  assert.ok(input instanceof Socket && output instanceof Socket);
  const waiting = new Map<number, (message: Message) => void>();
  const listeners: ((message: Message) => unknown)[] = [];
  let rest = '';
  output.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\0');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      const message = JSON.parse(part) as Message;
      if (message.id === undefined) for (const listener of listeners) listener(message);
      else waiting.get(message.id)?.(message);
    }
  });
  input.on('error', () => undefined);
  let count = 0;
  const send = async (method: string, params: Fields, sessionId?: string): Promise<Fields> => {
    const id = ++count;
    const answer = new Promise<Message>((resolve) => waiting.set(id, resolve));
    input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    const closed = ended.then((): Message => ({ error: { message: 'Chromium has ended' } }));
    const { result, error } = await within(method, Promise.race([answer, closed]));
    waiting.delete(id);
    if (result === undefined) throw new Error(`${method}: ${error?.message}`);
    return result;
  };
  return Object.assign(send, {
    listen: (listener: (message: Message) => unknown) => void listeners.push(listener),
  });
}
