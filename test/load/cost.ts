/**
 * No request is expensive. For each operation, a search begins with its examples and with requests
 * that are known to be expensive, and changes one of the most expensive requests so far. The cost
 * of a request is its processor time, relative to that of a plain tax request in the same moment,
 * both without HTTP. Messages of MCP are measured over HTTP, in a running service.
 *
 * `TRIES=20000 node dist/test/load/cost.js` searches longer. The test prints the most expensive
 * request.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import type { Operation } from '../../src/contract/operation.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { MESSAGE_LIMIT } from '../../src/extensions/mcp/messages.ts';
import { CALL_LIMIT } from '../../src/extensions/mcp/tools.ts';
import { calculateInterest } from '../../src/interest/interest.ts';
import type { Plan } from '../../src/interest/plan.ts';
import { serviceOf } from '../../src/service/service.ts';
import { run } from '../helpers/command.ts';
import { calculations, serviceOptions } from '../helpers/fixture.ts';
import { hardPlan, randomPlan } from '../helpers/plans.ts';
import { type Random, seeded } from '../helpers/random.ts';

const TRIES = Number(process.env['TRIES'] ?? 300);
/** The number of requests that the search changes. */
const KEPT = 8;
const ROUNDS = 60;
/** Plain requests whose processor time is measured together, because one is too short. */
const PLAIN_REQUESTS = 300;
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

const KNOWN_PLANS: readonly Fields[] = [
  {
    principal: 0.5713064999999999,
    monthly_deposit: 1_987_472_742_330.283,
    annual_rate: -100,
    years: 100,
    deposit_timing: 'start',
    decimals: 6,
    timeline: 'monthly',
  },
  {
    principal: 1e9 + 0.0000005,
    monthly_deposit: 0.000001,
    annual_rate: -1.2000000000000001e-12,
    years: 100,
    deposit_timing: 'start',
    decimals: 6,
    timeline: 'monthly',
  },
  {
    principal: 0,
    monthly_deposit: 9_999_999_999.999998,
    annual_rate: -99.99999999999999,
    years: 100,
    compounding: 'annually',
    deposit_timing: 'start',
    decimals: 6,
    timeline: 'monthly',
  },
  {
    principal: 5.005,
    monthly_deposit: 49_999_999_997.5,
    annual_rate: 500,
    years: 100,
    deposit_timing: 'start',
    decimals: 6,
    timeline: 'monthly',
  },
];
const KNOWN_GOALS: readonly Fields[] = [
  {
    solve_for: 'principal',
    monthly_deposit: 49_999_999_997.5,
    annual_rate: 500,
    years: 100,
    decimals: 6,
    timeline: 'monthly',
    target: 1e15,
  },
  {
    solve_for: 'monthly_deposit',
    principal: 1e-15,
    annual_rate: 1.2e-15,
    years: 100,
    deposit_timing: 'start',
    decimals: 6,
    timeline: 'monthly',
    target: 1e15,
  },
];
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

/** Figures that nothing explains, so that every set of changes is tried, with and without the insurance. */
const KNOWN_FIGURES: readonly Fields[] = [
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

/** The search of an operation that has none of its own. */
const PLAIN_SEARCH: Search = { limit: 60, tries: TRIES };
const SEARCHES: Readonly<Record<string, Search>> = {
  calculateInterest: { limit: 2500, tries: TRIES, known: KNOWN_PLANS, change: changePlan },
  solveInterest: { limit: 2500, tries: TRIES, known: KNOWN_GOALS, change: changeGoal },
  reconcileTax: { limit: 80, tries: TRIES, known: KNOWN_FIGURES },
  // A body of 1 MiB has as many bytes as 30,000 plain requests.
  hashText: { limit: 30_000, tries: TRIES / 10, change: changeText, write: fullText },
};

function longPlan(random: Random): Plan {
  const years = (random.below(2) === 0 ? 1200 - random.below(12) : 1 + random.below(1200)) / 12;
  return {
    ...random.pick([hardPlan, randomPlan])(random, 1200),
    years,
    timeline: random.pick(['monthly', 'yearly']),
  };
}

function changePlan(random: Random, request: Fields): Fields {
  const other: Fields = longPlan(random);
  const name = random.pick(Object.keys(other));
  return random.pick([other, { ...request, [name]: other[name] }]);
}

/** A solve request for one number of a plan; its target is often the balance of the plan. */
function changeGoal(random: Random): Fields {
  const plan = longPlan(random);
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

const service = serviceOf(
  serviceOptions({ bodyLimits: { 'small-body': 16_384, 'large-body': BODY_LIMIT } }),
);
const headers = { 'content-type': 'application/json' };

function answer(path: string, body: Uint8Array): void {
  service.answer({ method: 'POST', target: path, headers }, body);
}

function runOf(path: string, { write = JSON.stringify }: Search, request: Fields): () => void {
  const body = Buffer.from(write(request));
  return () => answer(path, body);
}

const PLAIN_TAX = Buffer.from('{"income":30000000,"dependents":1}');
const plainTax = (): void => {
  for (let count = 0; count < PLAIN_REQUESTS; count += 1)
    answer('/api/v1/tax/calculate', PLAIN_TAX);
};

/** Processor time in microseconds. */
function timeOf(run: () => void): number {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** The least processor time of several runs, and of plain requests in between. */
function costOf(run: () => void): {
  readonly milliseconds: number;
  readonly plainRequests: number;
} {
  const times: number[] = [];
  const plainTimes: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    times.push(timeOf(run));
    plainTimes.push(timeOf(plainTax));
  }
  const time = Math.min(...times);
  return {
    milliseconds: time / 1000,
    plainRequests: time / (Math.min(...plainTimes) / PLAIN_REQUESTS),
  };
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
    const once = timeOf(run);
    const isAmongWorst = worst.length < KEPT || once > worst.at(-1)!.time;
    const time = isAmongWorst ? Math.min(once, timeOf(run), timeOf(run), timeOf(run)) : once;
    worst = [...worst, { request, time }]
      .sort((left, right) => right.time - left.time)
      .slice(0, KEPT);
  }
  return worst.map(({ request }) => request);
}

for (const operation of calculations) {
  test(`finds no expensive request to ${operation.path} in ${TRIES} tries`, (context) => {
    const search = SEARCHES[operation.id] ?? PLAIN_SEARCH;
    for (let count = 0; count < 30; count += 1) plainTax();
    const costs = expensiveRequests(seeded(TRIES), operation, search)
      .map((request) => ({ request, ...costOf(runOf(operation.path, search, request)) }))
      .sort((left, right) => right.plainRequests - left.plainRequests);
    const [{ request, milliseconds, plainRequests }] = costs as [(typeof costs)[0]];
    const cost = `${milliseconds} ms, ${Math.round(plainRequests)} plain requests`;
    context.diagnostic(`${cost}: ${JSON.stringify(request)}`);
    assert.ok(plainRequests < search.limit, `${cost}: ${JSON.stringify(request)}`);
  });
}

/** Requests whose processor time is measured together, over HTTP. */
const TURN = 50;
const TURNS = 7;

/** Processor time of all threads of a process in microseconds. */
function processTime(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const times = threads.map((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8'),
  );
  return times.reduce((sum, text) => sum + Number(text.split(' ', 1)[0]) / 1000, 0);
}

/** Returns the function that measures the processor time that a request takes in a service, in microseconds. */
function meterOf(url: string, pid: number): (path: string, body: string) => Promise<number> {
  return async (path, body) => {
    const before = processTime(pid);
    for (let count = 0; count < TURN; count += 1) {
      const response = await fetch(url + path, { method: 'POST', headers, body });
      await response.arrayBuffer();
    }
    return (processTime(pid) - before) / TURN;
  };
}

/** The ratio of the costs of two requests, each in the turn in which it took the least. */
async function ratioOf(
  measure: ReturnType<typeof meterOf>,
  request: readonly [path: string, body: string],
  other: readonly [path: string, body: string],
): Promise<number> {
  const times: [number, number][] = [];
  for (let turn = 0; turn < TURNS; turn += 1) {
    times.push([await measure(...request), await measure(...other)]);
  }
  return Math.min(...times.map(([time]) => time)) / Math.min(...times.map(([, time]) => time));
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

const onLinux = { skip: process.platform === 'linux' ? false : 'needs procfs' };

test('a message of MCP costs at most 80 plain tax requests', onLinux, async (context) => {
  const { child, ready } = run(context, ['--port=0']);
  const { port } = await ready();
  const measure = meterOf(`http://127.0.0.1:${port}`, child.pid!);
  for (const [name, message] of Object.entries(MESSAGES)) {
    const plain = ['/api/v1/tax/calculate', PLAIN_TAX.toString()] as const;
    const ratio = await ratioOf(measure, ['/mcp', message], plain);
    context.diagnostic(`${name}: ${ratio.toFixed(1)} plain requests`);
    assert.ok(ratio < 80, `${name}: ${ratio} plain requests`);
  }
});

test('a call of a tool costs at most twice its request over HTTP', onLinux, async (context) => {
  const { child, ready } = run(context, ['--port=0']);
  const { port } = await ready();
  const measure = meterOf(`http://127.0.0.1:${port}`, child.pid!);
  const longer: Readonly<Record<string, readonly object[]>> = {
    calculateInterest: KNOWN_PLANS,
    hashText: CHARACTERS.map(fullCall),
  };
  for (const { id, path, examples } of calculations) {
    for (const request of [...Object.values(examples), ...(longer[id] ?? [])]) {
      const ratio = await ratioOf(
        measure,
        ['/mcp', callOf(id, request)],
        [path, JSON.stringify(request)],
      );
      const text = JSON.stringify(request).slice(0, 80);
      context.diagnostic(`${ratio.toFixed(2)}: ${text}`);
      assert.ok(ratio < 2, `${ratio}: ${text}`);
    }
  }
});
