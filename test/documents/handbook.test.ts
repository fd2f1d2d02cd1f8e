/** The operator's handbook: its tables are those of the code, and its samples those of the command. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { BULK_BUFFERS_PER_PROCESS } from '../../src/composition/app.ts';
import { CLOCK_EVENTS } from '../../src/command/clock.ts';
import { MAXIMUM_VALUES } from '../../src/contract/json.ts';
import { SMALL_BODY_LIMIT } from '../../src/contract/operation.ts';
import { NO_ROOM } from '../../src/extensions/bulk/bulk.ts';
import { MAXIMUM_PARAMETERS } from '../../src/extensions/documents/query.ts';
import { exposition } from '../../src/extensions/metrics/metrics.ts';
import {
  DISCARDED_BODY,
  HEADER_LIMIT,
  HEADERS_TIMEOUT,
  IDLE_TIMEOUT,
  MAXIMUM_WAITING,
  PROBE_DELAY,
} from '../../src/server/limits.ts';
import { serviceOf } from '../../src/service/service.ts';
import { run } from '../helpers/command.ts';
import { sendJson, serviceOptions } from '../helpers/fixture.ts';
import { Document, namesIn } from '../helpers/markdown.ts';
import { readText, root, sources } from '../helpers/repository.ts';

const handbook = new Document('.deploy/README.md');

test('a browser keeps a preflight for a day, and lets a request have any header', () => {
  const routed = serviceOf(serviceOptions({ corsOrigins: ['*'] })).route({
    method: 'OPTIONS',
    target: '/api/v1/hash',
    headers: {},
  });
  assert.ok(routed.kind === 'answer');
  const valueOf = (name: string): string => {
    const { headers } = routed.answer;
    return headers[headers.indexOf(name) + 1]!;
  };
  assert.ok(valueOf('Access-Control-Allow-Headers').split(', ').includes('*'));
  assert.equal(valueOf('Access-Control-Max-Age'), String(24 * 60 * 60));
});

test('the values of the limits are those of the code', () => {
  const kibibytes = (size: number): string => `${size / 1024} KiB`;
  const seconds = (time: number): string => `${time / 1000} s`;
  const values = handbook.table('Limits').map(([, value]) => value);
  assert.deepEqual(values, [
    kibibytes(HEADER_LIMIT),
    `${seconds(HEADERS_TIMEOUT)}, or \`REQUEST_TIMEOUT\` if that is shorter`,
    kibibytes(SMALL_BODY_LIMIT),
    String(MAXIMUM_VALUES),
    String(MAXIMUM_PARAMETERS),
    String(MAXIMUM_WAITING),
    `${seconds(IDLE_TIMEOUT)}, noticed within ${seconds(2 * IDLE_TIMEOUT)}`,
    `${BULK_BUFFERS_PER_PROCESS} × \`BULK_BUFFER\``,
    seconds(PROBE_DELAY),
    kibibytes(DISCARDED_BODY),
  ]);
});

/** The value of a constant that its file does not export. */
function constantOf(path: string, name: string): number {
  const [, value] =
    new RegExp(`const ${name} = ([\\d_* ]+);`).exec(readText(path)) ?? assert.fail(name);
  const factors = value!.replaceAll('_', '').split('*').map(Number);
  return factors.reduce((product, factor) => product * factor);
}

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
  await (await sendJson(address + String(shown['path']), body)).text();
  const written = await command.event('request');
  assert.deepEqual(Object.keys(shown), Object.keys(written));
  for (const key of ['client', 'method', 'path', 'status', 'bytes'])
    assert.equal(shown[key], written[key], key);
});

test('each metric has a HELP line, which describes it', () => {
  const text = exposition([]);
  const names = [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name = '']) => name);
  assert.ok(names.length >= 8);
  for (const name of names) assert.match(text, new RegExp(`^# HELP ${name} [A-Z].{10,}$`, 'm'));
});

test('the handbook links to every recipe', () => {
  const links = handbook.links(handbook.section('Recipes')).map(({ target }) => target);
  const recipes = readdirSync(new URL('.deploy/', root)).filter((name) => name !== 'README.md');
  for (const name of recipes) assert.ok(links.includes(name), name);
});

test('the summary of each alarm has its threshold and a remedy', () => {
  /** An amount as the rules have it. A share of the slowest requests is the complement of a quantile. */
  const UNITS: Readonly<Record<string, (number: number) => RegExp>> = {
    minute: (number) => new RegExp(`\\b${number}m\\b`),
    '%': (number) => new RegExp(`\\b(?:${number / 100}|${1 - number / 100})\\b`),
    MB: (number) => new RegExp(`> ${number}e6`),
    's ': (number) => new RegExp(`> ${number}\\b`),
  };
  const rules = readText('.deploy/alerts.yml').split('- alert: ').slice(1);
  assert.ok(rules.length > 5);
  for (const rule of rules) {
    const [condition = '', summary = ''] = rule.split('summary: ');
    assert.match(summary, /[:,] (?:restart|report|add|raise|read|look)|Upgrade/, rule);
    const text = summary.replace(/healthz takes .*/, '');
    for (const [amount, number = '', unit = ''] of text.matchAll(/([\d.]+) (minute|%|MB|s )/g))
      assert.match(condition, UNITS[unit]!(Number(number)), `${rule}: ${amount}`);
  }
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
  const flood = handbook.table('Scaling', 1).at(-1)!;
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

test('the commands that calculate print an answer', async (context) => {
  const examples = handbook.section('Commands').matchAll(/`calc (\w+) '(.*)'`/g);
  for (const [, name = '', request = ''] of examples) {
    const command = run(context, ['calc', name, request]);
    assert.equal(await command.ended(), 0);
    assert.match(command.lines.join(), /^\{"status":"success",/);
  }
});
