/**
 * No request is expensive. For each operation, a search begins with its examples and with requests
 * that are known to be expensive, and changes one of the most expensive requests so far. It compares
 * processor times without HTTP. The cost of the most expensive requests is then measured in a running
 * service, relative to that of a plain tax request in the same moments: one at a time, and 16
 * pipelined ones, on a connection that is kept. Each request is measured as it is and, if its body is
 * a small one, padded to the greatest body.
 *
 * `TRIES=20000 node dist/test/load/cost.js` searches longer. The test prints the most expensive
 * request.
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import net from 'node:net';
import { test, type TestContext } from 'node:test';
import { type Operation, SMALL_BODY_LIMIT } from '../../src/contract/operation.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { MESSAGE_LIMIT } from '../../src/extensions/mcp/messages.ts';
import { CALL_LIMIT } from '../../src/extensions/mcp/tools.ts';
import { calculateInterest } from '../../src/interest/interest.ts';
import { serviceOf } from '../../src/service/service.ts';
import { processorTime, run } from '../helpers/command.ts';
import { DEAR_GOALS, DEAR_PLANS, dearPlan } from '../helpers/dear-plans.ts';
import { calculations, serviceOptions } from '../helpers/fixture.ts';
import { type Random, seeded } from '../helpers/random.ts';
import { once } from '../helpers/until.ts';

const TRIES = Number(process.env['TRIES'] ?? 300);
/** The number of requests that the search changes, and of those that are measured. */
const KEPT = 8;
const MEASURED = 3;
const BODY_LIMIT = 1_048_576;

type Fields = Readonly<Record<string, unknown>>;

/** How to search for expensive requests to an operation. */
interface Search {
  /** The greatest cost, in plain tax requests. */
  readonly limit: number;
  readonly tries: number;
  readonly known?: readonly Fields[];
  /** Changes a request, or returns another one. */
  readonly change?: (random: Random, request: Fields) => Fields;
  readonly write?: (request: Fields) => string;
}

/** Characters in JSON, with and without escapes, that fill the body of a hash request. */
const CHARACTERS = [
  'a',
  ' ',
  'é',
  'đ',
  '漢',
  '😀',
  '\u2028',
  '\\u0000',
  '\\"',
  '\\\\',
  '\\n',
  '\\u00e9',
  '\\u6f22',
  '\\ud83d\\ude00',
];

/** Figures that nothing explains, so that every set of changes is tried, with and without the insurance and the tax. */
const KNOWN_FIGURES: readonly Fields[] = [
  // The tax of all pairs is 0, and the net income is 1 đồng from that of the first.
  {
    income: 8_000_000,
    net_income: 7_160_001,
    insurance: 840_000,
    dependents: 7,
    period: '2019-01',
    paid_in: '2026-08',
  },
  { income: 8_000_000, net_income: 7_160_001, insurance: 840_001, period: '2026-08' },
  { income: 40_000_000, net_income: 33_000_001, tax: 1_500_010, period: '2020-03' },
  { income: 40_000_000, net_income: 33_000_001, period: '2026-08' },
  { income: 30_000_000, net_income: 28_086_083, insurance: 557_550, period: '2026-08' },
  { income: 200_000_000, net_income: 150_000_001, insurance: 5_200_000, period: '2026-08' },
  {
    income: 90_000_000,
    net_income: 60_000_001,
    insurance: 4_000_000,
    period: '2026-08',
    paid_in: '2025-12',
    exempt_income: 5_000_000,
    voluntary_pension: 1_000_000,
    self_deduction: false,
    insurance_salary: 90_000_000,
  },
];

/** The greatest cost of a request without a hash, which `src/server/limits.ts` states. */
const LIMIT = 80;
/** The search of an operation that has none of its own. */
const PLAIN_SEARCH: Search = { limit: LIMIT, tries: TRIES };
const SEARCHES: Readonly<Record<string, Search>> = {
  calculateInterest: {
    ...PLAIN_SEARCH,
    tries: 3 * TRIES,
    known: Object.values(DEAR_PLANS),
    change: changePlan,
  },
  solveInterest: { ...PLAIN_SEARCH, tries: 2 * TRIES, known: DEAR_GOALS, change: changeGoal },
  reconcileTax: { ...PLAIN_SEARCH, known: KNOWN_FIGURES },
  // A body of 1 MiB has as many bytes as 30,000 plain requests.
  hashText: { limit: 30_000, tries: TRIES / 10, change: changeText, write: fullText },
};

function changePlan(random: Random, request: Fields): Fields {
  const other: Fields = { ...dearPlan(random) };
  const name = random.pick(Object.keys(other));
  const changed: Fields = { ...request, [name]: other[name] };
  return random.pick([other, changed]);
}

/** A solve request for one number of a plan; its target is often the balance of the plan. */
function changeGoal(random: Random): Fields {
  const plan = dearPlan(random);
  const sought = random.pick(['monthly_deposit', 'principal', 'years', 'annual_rate'] as const);
  const { [sought]: _, ...given } = plan;
  const { final_balance: balance } = calculateInterest(plan);
  const target = random.pick([
    balance,
    balance,
    1e-15,
    1.005,
    plan.principal,
    random.next() * 1e15,
  ]);
  return { solve_for: sought, ...given, target: Math.min(1e15, Math.max(1e-15, target)) };
}

function changeText(random: Random): Fields {
  return { text: random.pick(CHARACTERS) + random.pick(['', ...CHARACTERS]) };
}

/** A hash request whose text repeats some characters up to the limit of the body. */
function fullText({ text }: Fields): string {
  const characters = String(text);
  const count = Math.floor((BODY_LIMIT - 20) / Buffer.byteLength(characters));
  return `{"text":"${characters.repeat(count)}"}`;
}

/** Sets a field of a request to a value that its schema allows, or removes it. */
function changeField(
  random: Random,
  request: Fields,
  properties: Readonly<Record<string, JsonSchema>>,
): Fields {
  const name = random.pick(Object.keys(properties));
  const { type, enum: values, minimum = 0, maximum = 1e12 } = properties[name]!;
  const number = Number(minimum) + random.next() * (Number(maximum) - Number(minimum));
  const value = random.pick<unknown>([
    ...(Array.isArray(values) ? values : []),
    ...(type === 'integer' ? [minimum, maximum, Math.round(number)] : []),
    ...(type === 'number' ? [minimum, maximum, number, Number(number.toPrecision(3))] : []),
    ...(type === 'boolean' ? [true, true, false] : []),
    ...(type === 'string' && values === undefined ? ['2015-01', '2020-07', '2026-08'] : []),
    undefined,
  ]);
  return { ...request, [name]: value };
}

const service = serviceOf(serviceOptions({ bodyLimit: BODY_LIMIT }));
const headers = { 'content-type': 'application/json' };

function answer(path: string, body: Uint8Array): void {
  service.answer({ method: 'POST', target: path, headers }, body);
}

function runOf(path: string, { write = JSON.stringify }: Search, request: Fields): () => void {
  const body = Buffer.from(write(request));
  return () => answer(path, body);
}

const PLAIN_TAX = '{"income":30000000,"dependents":1}';
const TAX_PATH = '/api/v1/tax/calculate';

/** Processor time in microseconds. */
function timeOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** The most expensive requests that a search finds, in a single run. */
function expensiveRequests(random: Random, operation: Operation, search: Search): Fields[] {
  const {
    path,
    request: { schema },
    examples,
  } = operation;
  const { tries, known = [], change } = search;
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>>;
  const first = [...(Object.values(examples) as Fields[]), ...known];
  let worst: { readonly request: Fields; readonly time: number }[] = [];
  for (let count = 0; count < tries; count += 1) {
    const earlier = first[count] ?? random.pick(worst).request;
    const changed = change?.(random, earlier) ?? changeField(random, earlier, properties);
    const request = count < first.length ? earlier : changed;
    const run = runOf(path, search, request);
    const single = timeOf(run);
    const isAmongWorst = worst.length < KEPT || single > worst.at(-1)!.time;
    const time = isAmongWorst ? Math.min(single, timeOf(run), timeOf(run), timeOf(run)) : single;
    worst = [...worst, { request, time }]
      .sort((left, right) => right.time - left.time)
      .slice(0, KEPT);
  }
  return worst.map(({ request }) => request);
}

/** The numbers of requests that are sent at once, of which the answers are then awaited. */
const AT_ONCE = [1, 16] as const;
/** Requests of a turn, or as many as take this processor time in microseconds. */
const SENT = 32;
const ENOUGH = 30_000;
/** A busy machine needs more turns than a quiet one until neither request is slowed down. */
const TURNS = 7;
const MOST_TURNS = 50;

type Request = readonly [path: string, body: string];

/** Waits for a number of answers on a connection. */
async function receiveAnswers(socket: net.Socket, count: number): Promise<void> {
  const nextChunk = async (): Promise<Buffer> => ((await once(socket, 'data')) as [Buffer])[0];
  let bytes: Buffer = Buffer.alloc(0);
  for (let received = 0; received < count; ) {
    const end = bytes.indexOf('\r\n\r\n');
    if (end === -1) {
      bytes = Buffer.concat([bytes, await nextChunk()]);
      continue;
    }
    const head = bytes.toString('latin1', 0, end);
    assert.match(head, /^HTTP\/1\.1 (200|4..) /);
    let rest = end + 4 + Number(/content-length: (\d+)/i.exec(head)?.[1]);
    for (; bytes.length < rest; bytes = await nextChunk()) rest -= bytes.length;
    bytes = bytes.subarray(rest);
    received += 1;
  }
}

/** The processor time of a service in microseconds for a request, of which some are sent at once. */
async function costIn(
  { child, port }: Service,
  [path, body]: Request,
  atOnce: number,
  count: number = SENT,
): Promise<number> {
  const head =
    `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`
    + `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
  const requests = (head + body).repeat(atOnce);
  const socket = net.connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const before = processorTime(child);
  for (let sent = 0; sent < count; sent += atOnce) {
    const answers = receiveAnswers(socket, atOnce);
    socket.write(requests);
    await answers;
  }
  const time = processorTime(child) - before;
  socket.destroy();
  return (1000 * time) / count;
}

/** The median ratio of the costs of two requests that take turns; it should be below a limit. */
async function ratioOf(
  running: Service,
  request: Request,
  other: Request,
  limit: number,
  atOnce: number = Math.max(...AT_ONCE),
): Promise<number> {
  const first = await costIn(running, request, atOnce, atOnce);
  const count = Math.min(SENT, atOnce * Math.ceil(ENOUGH / (atOnce * first)));
  const ratios: number[] = [];
  let median = Infinity;
  while (ratios.length < TURNS || (median > limit && ratios.length < MOST_TURNS)) {
    const cost = await costIn(running, request, atOnce, count);
    ratios.push(cost / (await costIn(running, other, atOnce)));
    median = ratios.toSorted((a, b) => a - b)[ratios.length >> 1]!;
  }
  return median;
}

/** A request as it is, and padded with an id of escapes and with spaces up to the limit of a small body. */
function paddings(body: string): string[] {
  const padded = `${body.slice(0, -1)},"id":"${'\\u6f22'.repeat(128)}"`;
  const spaces = SMALL_BODY_LIMIT - padded.length - 1;
  return spaces < 0 ? [body] : [body, `${padded}${' '.repeat(spaces)}}`];
}

interface Service {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Starts a service that has optimized the path of a plain request. */
async function start(context: TestContext): Promise<Service> {
  const { child, ready } = run(context, ['--port=0']);
  const { port } = await ready();
  for (let turn = 0; turn < 100; turn += 1) {
    for (const atOnce of AT_ONCE) await costIn({ child, port }, [TAX_PATH, PLAIN_TAX], atOnce);
  }
  return { child, port };
}

const onLinux = { skip: process.platform === 'linux' ? false : 'needs procfs' };

for (const operation of calculations) {
  const { id, path } = operation;
  const search = SEARCHES[id] ?? PLAIN_SEARCH;
  const { tries, write = JSON.stringify } = search;
  test(`finds no expensive request to ${path} in ${tries} tries`, onLinux, async (context) => {
    const running = await start(context);
    const found = expensiveRequests(seeded(TRIES), operation, search);
    for (const body of found.slice(0, MEASURED).flatMap((request) => paddings(write(request)))) {
      for (const atOnce of AT_ONCE) {
        const plain: Request = [TAX_PATH, PLAIN_TAX];
        const ratio = await ratioOf(running, [path, body], plain, search.limit, atOnce);
        const sizes = `${atOnce} at once, ${body.length} bytes`;
        const cost = `${ratio.toFixed(1)} plain requests, ${sizes}: ${body.slice(0, 400)}`;
        context.diagnostic(cost);
        assert.ok(ratio < search.limit, cost);
      }
    }
  });
}

/** A text between two others, repeated until they have as many bytes as a message may have. */
function fullMessage(before: string, repeated: string, after = '}'): string {
  const bytes = MESSAGE_LIMIT - before.length - after.length;
  return before + repeated.repeat(Math.floor(bytes / Buffer.byteLength(repeated))) + after;
}

const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"';
const names = Array.from({ length: 280 }, (_, index) => `"${'x'.repeat(220)}${index}":1`).join();
const MESSAGES: Readonly<Record<string, string>> = {
  spaces: fullMessage(PING, ' '),
  'spaces after a colon in a string': fullMessage(`${PING},"a":":"`, ' '),
  escapes: fullMessage(`${PING},"a":"`, '\\"', '"}'),
  'characters like quotes': fullMessage(`${PING},"a":"`, '\u6f22', '"}'),
  'an id of escapes': fullMessage('{"jsonrpc":"2.0","method":"ping","id":"', '\\n', '"}'),
  digits: fullMessage(`${PING},"a":`, '1'),
  names: `${PING},"a":":",${names}}`,
  nesting: `${PING},"a":":","b":${'['.repeat(850)}${']'.repeat(850)}}`,
  'a string without an end': fullMessage(`${PING},"a":"`, '\\"', ''),
  'a refused call': fullMessage(callOf('calculateTax', { income: '' }).slice(0, -4), 'a', '"}}}'),
};

function callOf(name: string, given: object): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, arguments: given },
  });
}

/** The arguments of a call that repeat a character, written in JSON, up to the limit of a call. */
function fullCall(character: string): Fields {
  const bytes = CALL_LIMIT - callOf('hashText', { text: '' }).length;
  const written = character.repeat(Math.floor(bytes / Buffer.byteLength(character)));
  return { text: JSON.parse(`"${written}"`) as string };
}

test(`a message of MCP costs at most ${LIMIT} plain tax requests`, onLinux, async (context) => {
  const running = await start(context);
  for (const [name, message] of Object.entries(MESSAGES)) {
    const ratio = await ratioOf(running, ['/mcp', message], [TAX_PATH, PLAIN_TAX], LIMIT);
    context.diagnostic(`${name}: ${ratio.toFixed(1)} plain requests`);
    assert.ok(ratio < LIMIT, `${name}: ${ratio} plain requests`);
  }
});

test('a call of a tool costs at most twice its request over HTTP', onLinux, async (context) => {
  const running = await start(context);
  const longer: Readonly<Record<string, readonly object[]>> = {
    // Calls return at most 120 monthly rows.
    calculateInterest: Object.values(DEAR_PLANS).map((plan) => ({ ...plan, years: 10 })),
    hashText: CHARACTERS.map(fullCall),
  };
  for (const { id, path, examples } of calculations) {
    for (const request of [...Object.values(examples), ...(longer[id] ?? [])]) {
      const ratio = await ratioOf(
        running,
        ['/mcp', callOf(id, request)],
        [path, JSON.stringify(request)],
        2,
      );
      const text = JSON.stringify(request).slice(0, 80);
      context.diagnostic(`${ratio.toFixed(2)}: ${text}`);
      assert.ok(ratio < 2, `${ratio}: ${text}`);
    }
  }
});
