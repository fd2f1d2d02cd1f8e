/**
 * The Model Context Protocol with the programs of its authors: the clients in TypeScript, the conformance suite and the
 * inspector. They come from the npm registry into a temporary folder, so that `npm test` does not run this file.
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { spawn } from '../helpers/child.ts';
import { freePort } from '../helpers/command.ts';
import { calculations } from '../helpers/fixture.ts';
import { EARLIER, listenMcp, REVISION } from '../helpers/mcp.ts';
import { command } from '../helpers/repository.ts';
import { once, within } from '../helpers/until.ts';

const PACKAGES = [
  '@modelcontextprotocol/sdk@1.32.2',
  'earliest@npm:@modelcontextprotocol/sdk@1.0.4',
  '@modelcontextprotocol/client@2.4.0',
  '@modelcontextprotocol/conformance@0.2.0-alpha.12',
  '@modelcontextprotocol/inspector@2.12.0',
];
const MINIMUM_NODE = 22;
const CONFORMANCE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const INSPECTOR = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';

const folder = mkdtempSync(join(tmpdir(), 'mcp-'));
const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

/** The end of a program. */
interface End {
  readonly code: unknown;
  readonly output: string;
}

/** Runs a program in the temporary folder to its end. */
async function runToEnd(
  program: string,
  args: readonly string[],
  settings: Readonly<Record<string, string>> = {},
): Promise<End> {
  const options = { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] } as const;
  const child = spawn(program, args, { ...options, stdio: [...options.stdio] }, settings);
  running.add(child);
  const ended = once(child, 'close');
  const written = Promise.all([text(child.stdout!), text(child.stderr!)]);
  const [code] = await ended.catch((error: Error) => [error.message]);
  running.delete(child);
  return { code, output: (await within('the output', written)).join('') };
}

/** Runs npm with the environment of its user, which may have another registry, a proxy, or certificates. */
function npm(args: readonly string[]): Promise<End> {
  return runToEnd('npm', args, process.env as Record<string, string>);
}

/** Installs the programs. Returns the reason for which the tests cannot run, if there is one. */
async function install(): Promise<string | false> {
  const [major = ''] = process.versions.node.split('.');
  if (Number(major) < MINIMUM_NODE) return `needs Node.js ${MINIMUM_NODE} or later`;
  const viewed = await npm(['view', '--fetch-retries=0', PACKAGES[0]!, 'version']);
  if (viewed.code !== 0) return 'the npm registry cannot be reached';
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--save-exact'];
  const installed = await npm(['install', ...options, ...PACKAGES]);
  assert.equal(installed.code, 0, installed.output);
  return false;
}

const skip = await install();

/** A program of the clients: it prints what each of them receives, as JSON. */
const CLIENTS = `
import { Client as First } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FirstStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as FirstHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { Client as Earliest } from 'earliest/client/index.js';
import { StdioClientTransport as EarliestStdio } from 'earliest/client/stdio.js';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

const [, , address, main] = process.argv;
const url = new URL(address);
const server = { command: process.execPath, args: [main, 'mcp'] };
const about = { name: 'test', version: '1' };
const modes = ['legacy', 'auto', { pin: '${REVISION}' }];
const clients = [
  [new Earliest(about, { capabilities: {} }), new EarliestStdio(server)],
  [new First(about), new FirstHttp(url)],
  [new First(about), new FirstStdio(server)],
  ...modes.flatMap((mode) => [
    [new Client(about, { versionNegotiation: { mode } }), new StreamableHTTPClientTransport(url)],
    [new Client(about, { versionNegotiation: { mode } }), new StdioClientTransport(server)],
  ]),
];
const received = [];
for (const [client, transport] of clients) {
  await client.connect(transport);
  const { tools } = await client.listTools();
  const given = { income: 30_000_000, dependents: 1, period: '2026-08', insurance_salary: null };
  const { structuredContent, content } = await client.callTool({ name: 'calculateTax', arguments: given });
  const refused = await client.callTool({ name: 'calculateTax', arguments: { income: '30' } });
  const long = await client.callTool({ name: 'hashText', arguments: { text: 'a'.repeat(60_000) } });
  const error = await client.callTool({ name: 'unknown', arguments: {} }).catch((reason) => reason);
  received.push({
    revision: client.getNegotiatedProtocolVersion?.(),
    tools: tools.map(({ name }) => name),
    net: structuredContent.net_income,
    hasCase: content[1].text.includes('month 2026-08; paid in the same month; region 1'),
    isError: refused.isError,
    problem: JSON.parse(refused.content[0].text).error.details[0].code,
    isTooLong: JSON.parse(long.content[0].text).error.code === 'body_too_large',
    code: error.code,
    server: client.getServerVersion().name,
    hasInstructions: client.getInstructions?.().length > 0,
  });
  await client.close();
}
console.log(JSON.stringify(received));
`;

test('mcp: the official clients call the tools over HTTP and stdio', { skip }, async (context) => {
  writeFileSync(join(folder, 'clients.js'), CLIENTS);
  const url = await listenMcp(context);
  const { code, output } = await runToEnd(process.execPath, ['clients.js', url, command]);
  assert.equal(code, 0, output);
  const latest = EARLIER.at(-1);
  const revisions = [
    undefined,
    undefined,
    undefined,
    latest,
    latest,
    REVISION,
    REVISION,
    REVISION,
    REVISION,
  ];
  const expected = revisions.map((revision, index) => ({
    ...(revision !== undefined && { revision }),
    tools: calculations.map(({ id }) => id),
    net: 26_592_500,
    hasCase: true,
    isError: true,
    problem: 'wrong_type',
    isTooLong: true,
    code: -32_602,
    server: 'utility-calculation-service',
    // The earliest client has no such method.
    hasInstructions: index > 0,
  }));
  assert.deepEqual(JSON.parse(output), expected);
});

/**
 * The scenarios of the conformance suite that concern a server with tools only, by the revision whose requirements they
 * are, and their checks that need more: tools of the suite, prompts or resources.
 */
const SCENARIOS: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  '2025-11-25': {
    'server-initialize': [],
    ping: [],
    'tools-list': [],
    'dns-rebinding-protection': [],
  },
  [REVISION]: {
    'server-stateless': [
      'sep-2575-server-rejects-undeclared-capability',
      'sep-2575-missing-capability-http-400',
      'sep-2575-http-server-no-independent-requests-on-stream',
      'sep-2575-server-no-log-without-loglevel',
    ],
    'tools-list': [],
    'server-sse-multiple-streams': [],
    'dns-rebinding-protection': [],
    caching: [
      'sep-2549-prompts-list-caching-hints',
      'sep-2549-resources-list-caching-hints',
      'sep-2549-resources-templates-list-caching-hints',
    ],
    'http-header-validation': [],
    'input-required-result-unsupported-methods': [],
    'input-required-result-validate-input': [],
  },
};

/** A check of the conformance suite. */
interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'INFO' | 'SKIPPED';
  readonly errorMessage?: string;
}

for (const [revision, scenarios] of Object.entries(SCENARIOS)) {
  test(`mcp: conforms to the requirements of ${revision}`, { skip }, async (context) => {
    const port = await freePort();
    const child = spawn(
      process.execPath,
      [command, `--port=${port}`, `--cors-origin=http://127.0.0.1:${port}`],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    context.after(() => void child.kill('SIGKILL'));
    await once(child.stdout!, 'data');
    const results = join(folder, revision);
    const url = `http://127.0.0.1:${port}/mcp`;
    const args = ['server', '--url', url, '--requirements', revision, '--output-dir', results];
    const { output } = await runToEnd(process.execPath, [CONFORMANCE, ...args]);
    const folders = readdirSync(results);
    for (const [scenario, excepted] of Object.entries(scenarios)) {
      const name = folders.find(
        (one) => one.replace(/-\d{4}-\d\d-\d\dT.*$/, '') === `server-${scenario}`,
      );
      assert.ok(name !== undefined, `${scenario}: ${output}`);
      const path = join(results, name, 'checks.json');
      const checks = JSON.parse(readFileSync(path, 'utf8')) as readonly Check[];
      assert.ok(
        checks.some(({ status }) => status === 'SUCCESS'),
        scenario,
      );
      const failed = checks.filter(({ status }) => status === 'FAILURE' || status === 'WARNING');
      const messages = failed.map(({ id, errorMessage }) => `${id}: ${errorMessage}`).join('\n');
      assert.deepEqual(
        failed.map(({ id }) => id),
        excepted,
        `${scenario}\n${messages}`,
      );
    }
    // Whatever a scenario asks for, each message of the service has the form of its revision.
    for (const name of folders) {
      const path = join(results, name, 'checks.json');
      const checks = JSON.parse(readFileSync(path, 'utf8')) as readonly Check[];
      const isWrong = ({ id, status }: Check): boolean =>
        id === 'wire-schema-valid' && status !== 'SUCCESS';
      assert.ok(!checks.some(isWrong), name);
    }
  });
}

test(
  'mcp: the inspector lists and calls the tools over HTTP and stdio',
  { skip },
  async (context) => {
    const url = await listenMcp(context);
    const call = ['--method', 'tools/call', '--tool-name', 'calculateTax', '--tool-arg'];
    for (const target of [
      [url, '--transport', 'http'],
      [process.execPath, command, 'mcp'],
    ]) {
      const inspect = (args: readonly string[]): Promise<End> =>
        runToEnd(process.execPath, [INSPECTOR, '--cli', ...target, ...args], { HOME: folder });
      // With --strict, an error in a schema fails.
      const listed = await inspect(['--method', 'tools/list', '--strict']);
      assert.equal(listed.code, 0, listed.output);
      for (const { id } of calculations) assert.ok(listed.output.includes(`"name": "${id}"`), id);
      const called = await inspect([...call, 'income=30000000', 'period=2026-08']);
      assert.equal(called.code, 0, called.output);
      assert.ok(called.output.includes('"net_income": 26215000'), called.output);
    }
  },
);
