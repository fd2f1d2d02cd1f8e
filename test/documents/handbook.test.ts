/** The operator's handbook: its tables are those of the code, and its samples those of the command. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { FREE_SIZE } from '../../src/extensions/bulk/room.ts';
import { BULK_BUFFERS_PER_PROCESS } from '../../src/composition/app.ts';
import { CLOCK_EVENTS } from '../../src/command/clock.ts';
import { environmentName } from '../../src/command/command-line.ts';
import { describeValues } from '../../src/contract/describe.ts';
import { MAXIMUM_SHOWN_LENGTH } from '../../src/contract/escape.ts';
import { MAXIMUM_VALUES } from '../../src/contract/json.ts';
import { SMALL_BODY_LIMIT } from '../../src/contract/operation.ts';
import { type JsonSchema, MAXIMUM_SHOWN_FIELDS } from '../../src/contract/schema.ts';
import { NO_ROOM } from '../../src/extensions/bulk/bulk.ts';
import { calculationsOf } from '../../src/extensions/calc/calc.ts';
import { MAXIMUM_PARAMETERS } from '../../src/extensions/documents/query.ts';
import { LINE_LIMIT } from '../../src/extensions/mcp/command.ts';
import { MESSAGE_LIMIT } from '../../src/extensions/mcp/messages.ts';
import { CALL_LIMIT, MAXIMUM_ROWS } from '../../src/extensions/mcp/tools.ts';
import { RECOVERY_TIME } from '../../src/extensions/log/request-log.ts';
import { exposition } from '../../src/extensions/metrics/metrics.ts';
import { operations } from '../../src/operations/operations.ts';
import {
  COMPARED_PLACES,
  RESERVED_PART,
  DISCARDED_BODY,
  DRAIN_GRACE,
  HEADER_LIMIT,
  HEADERS_TIMEOUT,
  IDLE_TIMEOUT,
  LINGER_SIZE,
  LINGER_TIME,
  MAXIMUM_WAITING,
  PROBE_DELAY,
  FREE_CHUNKS,
  SMALLEST_CHUNK,
  RECEIVE_BUFFER,
} from '../../src/server/limits.ts';
import { serviceOf } from '../../src/service/service.ts';
import { commandLine, commandSettings } from '../../src/composition/settings.ts';
import { run } from '../helpers/command.ts';
import { serviceOptions } from '../helpers/fixture.ts';
import { Document, namesIn, unfolded } from '../helpers/markdown.ts';
import { readText, root, sources } from '../helpers/repository.ts';

const handbook = new Document('.deploy/README.md');

/** Asserts that a table has the expected rows, and names the first row that is missing or wrong. */
function assertRows(
  heading: string,
  actual: readonly (readonly unknown[])[],
  expected: readonly (readonly unknown[])[],
): void {
  const inTable = (row: readonly unknown[]): string => `| ${row.join(' | ')} |`;
  for (const row of expected) {
    const isThere = actual.some((other) => inTable(other) === inTable(row));
    assert.ok(isThere, `${handbook.path}: "${heading}" lacks the row ${inTable(row)}`);
  }
  assert.deepEqual(actual, expected, heading);
}

test('the table of settings has every setting with its default, values and description', () => {
  const settings = commandSettings.schema['properties'] as Readonly<Record<string, JsonSchema>>;
  const rows = Object.entries(settings).map(([key, schema]) => [
    `\`${environmentName(key)}\``,
    'default' in schema ? `\`${schema['default']}\`` : '',
    describeValues(schema),
    schema['description'],
  ]);
  assertRows('Settings', handbook.table('Settings'), rows);
});

test('the text about CORS names every header of the answers', () => {
  const service = serviceOf(serviceOptions({ corsOrigins: ['*'] }));
  const routed = service.route({ method: 'OPTIONS', target: '/api/v1/hash', headers: {} });
  assert.ok(routed.kind === 'answer');
  const headers = [
    ...routed.answer.headers,
    ...service.crossOrigin('https://example.org').exposing,
  ];
  const listOf = (name: string): string[] => headers[headers.indexOf(name) + 1]!.split(', ');
  const [, exposed = ''] =
    /may have any header, and they can read (.*?) of the answers/.exec(
      unfolded(handbook.section('Settings')),
    ) ?? [];
  assert.ok(listOf('Access-Control-Allow-Headers').includes('*'));
  assert.deepEqual(namesIn(exposed), listOf('Access-Control-Expose-Headers'));
  const day = String(24 * 60 * 60);
  assert.deepEqual(listOf('Access-Control-Max-Age'), [day], 'the handbook says "a day"');
});

test('the table of limits has the values of the code', () => {
  const kibibytes = (size: number): string => `${size / 1024} KiB`;
  const seconds = (time: number): string => `${time / 1000} s`;
  const linger = `${LINGER_SIZE / 2 ** 20} MiB`;
  const afterLarge = `${seconds(IDLE_TIMEOUT)} after an answer over ${kibibytes(RECEIVE_BUFFER)}`;
  assertRows('Limits', handbook.table('Limits'), [
    ['request line and headers', kibibytes(HEADER_LIMIT)],
    [
      'time for the headers to arrive',
      `${seconds(HEADERS_TIMEOUT)}, or \`REQUEST_TIMEOUT\` if that is shorter`,
    ],
    [
      'requests that wait on a connection (pipelining); one more resets the connection',
      String(MAXIMUM_WAITING),
    ],
    [
      `chunks of a body, after which an average below ${SMALLEST_CHUNK} bytes resets the connection`,
      String(FREE_CHUNKS),
    ],
    ['parameters in a query string', String(MAXIMUM_PARAMETERS)],
    [
      'time without a byte in either direction while a client does not read an answer, or during a bulk request',
      `${seconds(IDLE_TIMEOUT)}, noticed within ${seconds(2 * IDLE_TIMEOUT)}`,
    ],
    [
      `memory of one process for the bodies of bulk requests, beyond ${kibibytes(FREE_SIZE)} of each`,
      `${BULK_BUFFERS_PER_PROCESS} × \`BULK_BUFFER\``,
    ],
    [
      'time without traffic after which the kernel probes a client; one that has vanished is disconnected',
      seconds(PROBE_DELAY),
    ],
    [
      'connections compared when one more than `MAX_CONNECTIONS` arrives; the one that has moved the fewest bytes lately is closed',
      String(COMPARED_PLACES),
    ],
    [
      'part of `MAX_CONNECTIONS`, the latest connections, of which none is closed for a new one',
      `1/${1 / RESERVED_PART}`,
    ],
    [
      'body with a `Content-Length` discarded after a refusal, to keep the connection',
      kibibytes(DISCARDED_BODY),
    ],
    [
      'any other body discarded after a refusal, before the connection closes',
      `${seconds(LINGER_TIME)} without a byte (${afterLarge}), \`REQUEST_TIMEOUT\`, ${linger}`,
    ],
    [
      'input discarded after the refusal of a malformed or late request or of CONNECT',
      `${seconds(LINGER_TIME)} in all (${afterLarge}), ${linger}`,
    ],
    ['body of a request, except a hash request', kibibytes(SMALL_BODY_LIMIT)],
    ['values in a request', String(MAXIMUM_VALUES)],
    ['unknown fields that a refusal lists', String(MAXIMUM_SHOWN_FIELDS)],
    ['characters of an invalid value that a message repeats', String(MAXIMUM_SHOWN_LENGTH)],
    ['message of MCP over HTTP', kibibytes(MESSAGE_LIMIT)],
    [
      'message of MCP on standard input; a longer one ends the process',
      `${LINE_LIMIT / 2 ** 20} MiB`,
    ],
    ['message of MCP that calls a tool', kibibytes(CALL_LIMIT)],
    ['monthly rows of a timeline in the result of a call of MCP', String(MAXIMUM_ROWS)],
  ]);
});

/** The value of a constant that its file does not export. */
function constantOf(path: string, name: string): number {
  const [, value] =
    new RegExp(`const ${name} = ([\\d_* ]+);`).exec(readText(path)) ?? assert.fail(name);
  const factors = value!.replaceAll('_', '').split('*').map(Number);
  return factors.reduce((product, factor) => product * factor);
}

test('the times and sizes in the text are those of the code', () => {
  const NUMERALS: Readonly<Record<number, string>> = { 1: 'one', 8: 'eight' };
  const { bulkBuffer } = commandLine.parse([], {}).settings;
  const buffer = `${bulkBuffer / 2 ** 20} MiB`;
  const free = `${FREE_SIZE / 1024} KiB`;
  const cluster = (name: string): number => constantOf('src/extensions/workers/cluster.ts', name);
  const log = (name: string): number => constantOf('src/extensions/log/log.ts', name);
  const signalTime = constantOf('src/command/signals.ts', 'SIGNAL_TIME');
  const stated: readonly (readonly [section: string, ...texts: string[]])[] = [
    [
      'Stopping',
      `closes idle ones after ${DRAIN_GRACE} ms`,
      `Signals within ${signalTime / 1_000} s of the first count as one`,
      `is replaced within ${cluster('LONGEST_DELAY') / 1_000} s`,
      `if ${NUMERALS[cluster('MAXIMUM_EARLY_EXITS')]} in a row exit`,
      `exit within ${cluster('HEALTHY_UPTIME') / 1_000} s of their start`,
    ],
    [
      'Log',
      `up to ${log('CAPACITY') / 2 ** 20} MiB of lines wait`,
      `after ${NUMERALS[log('FLUSH_TIMEOUT') / 1_000]} second without progress`,
      `Nothing has been refused for ${NUMERALS[RECOVERY_TIME / 1_000]} second.`,
    ],
    ['Bulk requests', `up to \`BULK_BUFFER\` (${buffer},`, `A body of up to ${free} needs none`],
  ];
  for (const [section, ...texts] of stated) {
    for (const text of texts) assert.ok(unfolded(handbook.section(section)).includes(text), text);
  }
  assert.ok(unfolded(readText('src/API.md')).includes(buffer));
});

test('the table of log events lists every event', () => {
  const text = sources().map(readText).join('\n');
  const events = [
    ...text.matchAll(/(?:log\.line\([^,]+, |membersOf\('\w+', |"msg":)['"]([^'"]+)['"]/g),
  ].map(([, event = '']) => event);
  assert.ok(events.includes('worker exited') && events.includes('request'));
  events.push(...Object.keys(CLOCK_EVENTS));
  const listed = handbook.table('Log').flatMap(([event = '']) => namesIn(event));
  assert.deepEqual(listed.sort(), [...new Set(events)].sort());
});

test('the sample log line equals a line of the command, except for variable values', async (context) => {
  const [sample = ''] = handbook.code('json');
  const shown = JSON.parse(sample) as Record<string, unknown>;
  const command = run(context, ['--port=0', '--log=requests']);
  const { address } = await command.ready();
  const [, body = ''] = /tax\/calculate -H .* \\\n {2}-d '(.*)'/.exec(readText('README.md')) ?? [];
  const headers = { 'content-type': 'application/json' };
  await (await fetch(address + String(shown['path']), { method: 'POST', headers, body })).text();
  const written = await command.event('request');
  assert.deepEqual(Object.keys(shown), Object.keys(written));
  for (const key of ['client', 'method', 'path', 'status', 'bytes'])
    assert.equal(shown[key], written[key], key);
});

test('the table of metrics lists every metric with its type and help text', () => {
  const lines = [...exposition([]).matchAll(/# HELP (\S+) (.+)\n# TYPE \S+ (\S+)/g)];
  assert.ok(lines.length >= 8);
  const expected = lines.map(([, name, meaning, kind]) => [`\`${name}\``, kind, meaning]);
  assertRows(
    'Metrics',
    handbook.table('Metrics').map((row) => row.slice(0, 3)),
    expected,
  );
});

test('the table of alarms lists every rule of alerts.yml', () => {
  const rules = [...readText('.deploy/alerts.yml').matchAll(/^ +- alert: (\w+)$/gm)].map(
    ([, name]) => `\`${name}\``,
  );
  assert.ok(rules.length > 5);
  assert.deepEqual(
    handbook.table('Alarms').map(([name]) => name),
    rules,
  );
});

test('the table of what was run names every recipe', () => {
  const files = handbook.table('Recipes').flatMap(([names = '']) => namesIn(names));
  const recipes = readdirSync(new URL('.deploy/', root)).filter((name) => name !== 'README.md');
  assert.deepEqual(files.sort(), recipes.sort());
});

test('the thresholds of the alarms are those of alerts.yml, in the table and in the summaries', () => {
  /** An amount as the rules have it. A share of the slowest requests is the complement of a quantile. */
  const UNITS: Readonly<Record<string, (number: number) => RegExp>> = {
    minute: (number) => new RegExp(`\\b${number}m\\b`),
    '%': (number) => new RegExp(`\\b(?:${number / 100}|${1 - number / 100})\\b`),
    MB: (number) => new RegExp(`> ${number}e6`),
    's ': (number) => new RegExp(`> ${number}\\b`),
  };
  const rules = readText('.deploy/alerts.yml').split('- alert: ').slice(1);
  const rows = handbook.table('Alarms');
  assert.ok(rows.some(([, condition = '']) => condition.includes('500 MB')));
  rows.forEach(([name, condition = ''], index) => {
    const [rule = '', summary = ''] = rules[index]!.split('summary: ');
    const text = `${condition} ${summary.replace(/healthz takes .*/, '')}`;
    for (const [amount, number = '', unit = ''] of text.matchAll(/([\d.]+) (minute|%|MB|s )/g)) {
      assert.match(rule, UNITS[unit]!(Number(number)), `${name}: ${amount}`);
    }
  });
});

test('the time in which an instance answers /healthz is the same in all files', () => {
  const files = ['.deploy/README.md', '.deploy/alerts.yml', '.deploy/kubernetes.yaml'];
  const times = files.flatMap((path) =>
    [
      ...readText(path).matchAll(
        /healthz`? (?:within|takes longer than) (\d+) s|healthz, .*timeoutSeconds: (\d+)/g,
      ),
    ].map(([, text, timeout]) => text ?? timeout),
  );
  assert.deepEqual(
    times,
    files.map(() => times[0]),
  );
});

test('the memory under a flood is below the bound of its test and the threshold of the alarm', () => {
  const bound = constantOf('test/load/soak.ts', 'MAXIMUM_MEMORY');
  const flood = handbook.table('Scaling', 2).at(-1)!;
  const sizes = flood
    .join()
    .match(/\d+(?= MB|–)/g)!
    .map(Number);
  assert.ok(flood[0]!.includes(`${constantOf('test/load/soak.ts', 'CLIENTS')} hostile clients`));
  assert.ok(sizes.length >= 3 && sizes.every((size) => size < bound), String(sizes));
  const [, threshold] = /> (\d+)e6/.exec(readText('.deploy/alerts.yml')) ?? [];
  assert.ok(bound < Number(threshold));
});

test('the recipes limit the memory to twice the threshold of its alarm', () => {
  const [, threshold] = /> (\d+)e6/.exec(readText('.deploy/alerts.yml')) ?? [];
  assert.equal(Number(threshold) * 2, 1_000);
  assert.match(readText('.deploy/kubernetes.yaml'), /limits: \{ memory: 1Gi \}/);
  assert.match(readText('.deploy/Dockerfile'), / --memory 1g /);
  assert.match(readText('.deploy/utility-calculation-service.service'), /^MemoryMax=1G$/m);
});

/** Amounts of the section on scaling, such as that before "per core second". */
function amountsIn(pattern: RegExp): number[] {
  const [, ...amounts] = pattern.exec(unfolded(handbook.section('Scaling'))) ?? [];
  return amounts.map((amount) => Number(amount.replaceAll(',', '')));
}

test('the capacities on paper follow from the amounts beside them', () => {
  const [utilization] = amountsIn(/requests per core second ÷ ([\d.]+), rounded up/);
  const [requests, perCore, cores, instances, balancers, bandwidth, size] = amountsIn(
    /On paper, ([\d,]+) tax requests per second, at ([\d,]+) per core second, need (\d+) cores of the service \((\d+) instances of one core in three zones\), (\d+) cores of HAProxy without TLS, and (\d+) Gbit\/s for (\d+) kB per request/,
  );
  const [perBalancer] = amountsIn(/HAProxy used a core second for ([\d,]+) to/);
  const coresFor = (perCoreSecond: number): number =>
    Math.ceil(requests! / perCoreSecond / utilization!);
  assert.equal(cores, coresFor(perCore!));
  assert.equal(instances, Math.ceil((cores! * 1.5) / 3) * 3);
  assert.equal(balancers, coresFor(perBalancer!));
  assert.equal(bandwidth! * 1e9, requests! * size! * 1_000 * 8);
  const manifest = readText('.deploy/kubernetes.yaml');
  const [replicas, percent] = [/maxReplicas: (\d+)/, /averageUtilization: (\d+)/].map((pattern) =>
    Number(pattern.exec(manifest)?.[1]),
  );
  assert.equal(percent! / 100, utilization);
  const end = replicas! * perCore! * utilization!;
  assert.deepEqual(amountsIn(/`maxReplicas` is (\d+), which ends at ([\d,]+) tax requests/), [
    replicas,
    end,
  ]);
});

test('the messages of status 503 equal those of the service', () => {
  const service = serviceOf(serviceOptions({ isReady: () => false }));
  const routed = service.route({ method: 'GET', target: '/readyz', headers: {} });
  assert.ok(routed.kind === 'answer');
  const messages = [service.overloaded, NO_ROOM, routed.answer].map(({ status, body }) => {
    assert.equal(status, 503);
    return (JSON.parse(String(body)) as { error: { message: string } }).error.message;
  });
  assert.deepEqual(
    handbook
      .table('Status 503')
      .map(([message]) => message)
      .slice(0, -1),
    messages,
  );
});

test('the table of commands names the calculations, and no others', () => {
  const cells = handbook.table('Commands').flat();
  const listed = namesIn(cells.find((cell) => cell.includes('`calc` accepts')) ?? '').slice(1);
  for (const name of calculationsOf(operations).keys()) {
    assert.ok(
      listed.includes(name),
      `${handbook.path}: "Commands" lacks the calculation \`${name}\``,
    );
  }
  assert.deepEqual(listed, [...calculationsOf(operations).keys()]);
});
