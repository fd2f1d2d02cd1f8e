/**
 * Measures the service against a bare node:http server that does the same calculations: `npm run bench`.
 *
 * Both servers share a core and are loaded at the same time, so that neither has the caches of the processor for itself,
 * and each is measured by its own processor time. The result is the median and the range of the ratios of all rounds,
 * because absolute times depend on the machine. Every case uses new processes, because one that has done other work is
 * slower, and several pairs, because processes differ in speed.
 */
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { operations } from '../../src/operations/operations.ts';
import { spawn, spawnSync } from '../helpers/child.ts';
import { processorTime, residentMemory } from '../helpers/command.ts';
import { root } from '../helpers/repository.ts';

const PAIRS = 4;
const ROUNDS = Number(process.env['ROUNDS'] ?? 3);
const SECONDS = 2;
const STARTS = 20;
const CAPACITY_SERVERS = 2;
/** Times the load that the service can answer. */
const OVERLOAD = 2;
/** Clients, or bulk requests, at the same time. */
const STREAMS = 4;
const MEMORY_REQUESTS = 200_000;
const MEMORY_LINES = 2_000_000;

const suffix = extname(import.meta.url);
const service = fileURLToPath(new URL(`../../src/main${suffix}`, import.meta.url));
const bare = fileURLToPath(new URL(`bare${suffix}`, import.meta.url));
const bundle = fileURLToPath(new URL('dist/utility-calculation-service.cjs', root));
const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
const isPinned = availableParallelism() > 1 && spawnSync('taskset', ['-V']).error === undefined;

/** A server to measure: its script, its settings, and flags of Node. */
interface Candidate {
  readonly script: string;
  readonly settings?: Readonly<Record<string, string>>;
  readonly flags?: readonly string[];
}

interface Server {
  readonly child: ChildProcess;
  readonly address: string;
}

/** Starts a server, pinned to the first core if there are several, and waits for its first line. */
async function start({ script, settings = {}, flags = [] }: Candidate): Promise<Server> {
  const command = [process.execPath, ...flags, script];
  const [file = '', ...args] = isPinned ? ['taskset', '-c', '0', ...command] : command;
  const child = spawn(
    file,
    args,
    { stdio: ['ignore', 'pipe', 'inherit'] },
    { PORT: '0', ...settings },
  );
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  return {
    child,
    address: String((JSON.parse(line.toString().split('\n')[0]!) as { address: string }).address),
  };
}

/** Requests per second of one round. */
async function load(
  address: string,
  path: string,
  body: string,
  connections: number,
): Promise<number> {
  return hasWrk
    ? loadWithWrk(address + path, body, connections)
    : loadWithHttp(address + path, body, connections);
}

async function loadWithWrk(url: string, body: string, connections: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const script = join(folder, 'post.lua');
  writeFileSync(
    script,
    `wrk.method = "POST"; wrk.headers["Content-Type"] = "application/json"; wrk.body = [==[${body}]==]`,
  );
  const command = ['wrk', '-t1', `-c${connections}`, `-d${SECONDS}`, '-s', script, url];
  const [file = '', ...args] = isPinned ? ['taskset', '-c', '1', ...command] : command;
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout!.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  rmSync(folder, { recursive: true });
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(output);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}

/** Measures without wrk. This process is then busier than the server, which moves the ratios toward 1. */
async function loadWithHttp(url: string, body: string, connections: number): Promise<number> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: connections });
  const headers = { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) };
  const end = performance.now() + SECONDS * 1000;
  let count = 0;
  const client = async (): Promise<void> => {
    while (performance.now() < end) {
      await new Promise<void>((resolve, reject) => {
        const request = http.request(url, { method: 'POST', headers, agent }, (response) => {
          if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
          response.resume().on('end', resolve);
        });
        request.on('error', reject).end(body);
      });
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, client));
  agent.destroy();
  return count / SECONDS;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const show = (values: readonly number[], decimals = 3): string => {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)].map(
    (value) => value.toFixed(decimals),
  );
  return `${middle} (${least} to ${most})`;
};

/** Lines per second of one bulk request with `count` lines, whose answers are discarded. */
async function loadLines(
  address: string,
  path: string,
  lines: readonly string[],
  count: number,
): Promise<number> {
  const file = join(tmpdir(), `bench-${process.pid}.ndjson`);
  writeFileSync(
    file,
    Array.from({ length: count }, (_, index) => lines[index % lines.length]).join('\n'),
  );
  const script = `const http = require('node:http'), fs = require('node:fs');
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const begin = performance.now();
    const request = http.request(${JSON.stringify(address + path)}, { method: 'POST', headers }, (response) => {
      response.resume().on('end', () => console.log(performance.now() - begin));
    });
    fs.createReadStream(${JSON.stringify(file)}, { highWaterMark: 262144 }).pipe(request);`;
  const command = [process.execPath, '--eval', script];
  const [program = '', ...args] = isPinned ? ['taskset', '-c', '1', ...command] : command;
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [output] = (await once(child.stdout!, 'data')) as [Buffer];
  await once(child, 'close');
  rmSync(file);
  return count / (Number(output.toString()) / 1000);
}

/** An answer to a request of an overload, and its time in milliseconds. */
interface Timed {
  readonly status: number | undefined;
  readonly time: number;
}

/** Sends a request, with POST if it has a body. */
async function timed(agent: http.Agent, url: string, body?: string): Promise<Timed> {
  const begin = performance.now();
  const method = body === undefined ? 'GET' : 'POST';
  const headers = { 'Content-Type': 'application/json' };
  const request = http.request(url, { method, headers, agent });
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  await once(response.resume(), 'end');
  return { status: response.statusCode, time: performance.now() - begin };
}

/** The time in which a share of the answers arrived. */
function percentile(answers: readonly Timed[], share: number): string {
  const times = answers.map(({ time }) => time).sort((left, right) => left - right);
  return `${times[Math.floor(times.length * share)]?.toFixed(0)} ms`;
}

/** Sends hashes of a long text faster than the service can answer, and health checks. */
async function overload(path: string): Promise<string> {
  const server = await start({ script: service });
  const agent = new http.Agent({ keepAlive: true });
  const body = JSON.stringify({ text: 'đ'.repeat(100_000) });
  const rate = (await loadWithHttp(server.address + path, body, STREAMS)) * OVERLOAD;
  const sent: Promise<Timed>[] = [];
  const checks: Promise<Timed>[] = [];
  const begin = performance.now();
  for (let passed = 0; passed < SECONDS; passed = (performance.now() - begin) / 1000) {
    while (sent.length < passed * rate) sent.push(timed(agent, server.address + path, body));
    checks.push(timed(agent, `${server.address}/healthz`));
    await sleep(20);
  }
  const answers = await Promise.all(sent);
  const health = await Promise.all(checks);
  agent.destroy();
  await end(server);
  const accepted = answers.filter(({ status }) => status === 200);
  return (
    `overload, ${rate.toFixed(0)} hashes of 200 kB per second: ${accepted.length} of ${answers.length} accepted, `
    + `p90 ${percentile(accepted, 0.9)}; health checks p90 ${percentile(health, 0.9)}`
  );
}

/** Sends single requests and health checks while bulk requests run, each from a process of its own. */
async function besideStreams(
  path: string,
  line: string,
  single: string,
  body: string,
): Promise<string> {
  const server = await start({ script: service });
  const script = `
    const headers = { 'Content-Type': 'application/x-ndjson' };
    const url = ${JSON.stringify(server.address + path)};
    const request = require('node:http').request(url, { method: 'POST', headers }, (response) => {
      response.resume().once('data', () => console.log('streaming'));
    });
    const lines = ${JSON.stringify(`${line}\n`)}.repeat(1000);
    const write = () => {
      while (request.write(lines));
    };
    request.on('drain', write).on('error', () => process.exit());
    write();`;
  const clients = Array.from({ length: STREAMS }, () =>
    spawn(process.execPath, ['--eval', script], { stdio: ['ignore', 'pipe', 'inherit'] }),
  );
  await Promise.all(clients.map(({ stdout }) => once(stdout!, 'data')));
  const agent = new http.Agent({ keepAlive: true });
  const answers: Timed[] = [];
  for (const begin = performance.now(); performance.now() < begin + SECONDS * 1000; ) {
    answers.push(
      await timed(agent, server.address + single, body),
      await timed(agent, `${server.address}/healthz`),
    );
  }
  agent.destroy();
  for (const client of clients) client.kill('SIGKILL');
  await end(server);
  return (
    `single requests beside ${STREAMS} bulk requests: median ${percentile(answers, 0.5)}, `
    + `p99 ${percentile(answers, 0.99)}`
  );
}

async function end({ child }: Server): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'close');
}

/** Milliseconds from starting a process to its first line. */
async function coldStart(script: string): Promise<number> {
  const server = await start({ script });
  const taken = processorTime(server.child);
  await end(server);
  return taken;
}

/**
 * The number of requests, or lines, for which a server uses one second of processor time, in each round; the first round
 * of each server is a warm-up. `measure` returns the number that it sends.
 */
async function perCoreSecond(measure: (address: string) => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  for (let index = 0; index < CAPACITY_SERVERS; index += 1) {
    const server = await start({ script: bundle });
    for (let round = -1; round < ROUNDS; round += 1) {
      const before = processorTime(server.child);
      const count = await measure(server.address);
      const seconds = (processorTime(server.child) - before) / 1000;
      if (round >= 0) all.push(count / seconds);
    }
    await end(server);
  }
  return all;
}

/**
 * The ratios of the requests per second of processor time of two servers that share a core; the first round of each pair
 * is a warm-up.
 */
async function ratiosOnOneCore(
  one: Candidate,
  other: Candidate,
  measure: (address: string) => Promise<number>,
): Promise<number[]> {
  const all: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const servers = [await start(one), await start(other)];
    for (let round = -1; round < ROUNDS; round += 1) {
      const [first, second] = await Promise.all(
        servers.map(async ({ child, address }) => {
          const before = processorTime(child);
          const count = await measure(address);
          return count / (processorTime(child) - before);
        }),
      );
      if (round >= 0) all.push(first! / second!);
    }
    await Promise.all(servers.map(end));
  }
  return all;
}

/** The ratios of two measurements, each with its own server; the first round of each pair is a warm-up. */
async function ratios(
  [one, measureOne]: readonly [Candidate, (address: string) => Promise<number>],
  [other, measureOther]: readonly [Candidate, (address: string) => Promise<number>],
): Promise<number[]> {
  const all: number[] = [];
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const servers = [await start(one), await start(other)] as const;
    for (let round = -1; round < ROUNDS; round += 1) {
      const ratio =
        (await measureOne(servers[0].address)) / (await measureOther(servers[1].address));
      if (round >= 0) all.push(ratio);
    }
    await Promise.all(servers.map(end));
  }
  return all;
}

const ids = ['calculateTax', 'settleYear', 'calculateInterest', 'solveInterest', 'hashText'];
const [tax, year, interest, goal, hash] = ids.map((id) => {
  const { path, examples } = operations.find((operation) => operation.id === id)!;
  return { path, body: JSON.stringify(Object.values(examples)[0]) };
});
const cases = [
  { label: 'tax', connections: 32, ...tax! },
  {
    label: 'interest, 10 years',
    connections: 32,
    path: interest!.path,
    body: '{"principal":100000000,"monthly_deposit":5000000,"annual_rate":8.5,"years":10}',
  },
  { label: 'hash', connections: 32, ...hash! },
  {
    label: 'hash of 1 MiB',
    connections: 4,
    path: hash!.path,
    body: JSON.stringify({ text: 'a'.repeat(1_048_000) }),
  },
];
const bulk = [
  {
    label: 'tax',
    path: tax!.path,
    count: 500_000,
    lines: Array.from(
      { length: 1000 },
      (_, index) => `{"income":${10_000_000 + 37_000 * index},"dependents":${index % 4}}`,
    ),
  },
  {
    label: 'interest, 10 years',
    path: interest!.path,
    count: 50_000,
    lines: Array.from(
      { length: 1000 },
      (_, index) => `{"principal":${1000 * index},"annual_rate":8.5,"years":10}`,
    ),
  },
  {
    label: 'hash',
    path: hash!.path,
    count: 500_000,
    lines: Array.from({ length: 1000 }, (_, index) => `{"text":"line ${index}"}`),
  },
];

console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load by ${hasWrk ? 'wrk' : 'node:http'}`
    + `${isPinned ? ', pinned' : ''}; ${PAIRS} pairs, ${ROUNDS} rounds of ${SECONDS} s; median (smallest to largest)`,
);

const capacity = [
  ...cases,
  { label: 'year', connections: 32, ...year! },
  { label: 'goal', connections: 32, ...goal! },
];
for (const { label, path, body, connections } of capacity) {
  const all = await perCoreSecond(
    async (address) => (await load(address, path, body, connections)) * SECONDS,
  );
  console.log(`requests per core second, ${label}: ${show(all, 0)}`);
}
for (const { label, path, count, lines } of bulk) {
  const all = await perCoreSecond(async (address) => {
    await loadLines(address, path, lines, count);
    return count;
  });
  console.log(`lines per core second, ${label}: ${show(all, 0)}`);
}

for (const { label, path, body, connections } of cases) {
  const measure = (address: string): Promise<number> => load(address, path, body, connections);
  const all = await ratiosOnOneCore({ script: service }, { script: bare }, measure);
  console.log(`requests per core second, ${label}: ${show(all)} of bare node:http`);
}
const measureTax = (address: string): Promise<number> => load(address, tax!.path, tax!.body, 32);
const logged = await ratiosOnOneCore(
  { script: service, settings: { LOG: 'requests' } },
  { script: service },
  measureTax,
);
console.log(`requests per core second with LOG=requests: ${show(logged)} of those without`);

for (const { label, path, count, lines } of bulk) {
  const rates: number[] = [];
  const measure = async (address: string): Promise<number> => {
    const rate = await loadLines(address, path, lines, count);
    rates.push(rate);
    return rate;
  };
  const single = (address: string): Promise<number> => load(address, path, lines[500]!, 32);
  const all = await ratios([{ script: service }, measure], [{ script: service }, single]);
  console.log(
    `lines per second, ${label}: ${median(rates).toFixed(0)}, ${show(all)} of single requests`,
  );
}

console.log(await overload(hash!.path));
console.log(await besideStreams(tax!.path, tax!.body, hash!.path, hash!.body));

for (const flags of [[], ['--max-semi-space-size=4']]) {
  const server = await start({ script: service, flags });
  const idle = residentMemory(server.child);
  const above: number[] = [];
  const rates: number[] = [];
  for (let sent = 0; sent < MEMORY_LINES; sent += bulk[0]!.count) {
    rates.push(await loadLines(server.address, tax!.path, bulk[0]!.lines, bulk[0]!.count));
    above.push(residentMemory(server.child) - idle);
  }
  await end(server);
  console.log(
    `${['memory of streams', ...flags].join(' ')}: up to ${Math.max(...above).toFixed(0)} MB above idle in `
      + `${MEMORY_LINES} lines, ${median(rates).toFixed(0)} per second`,
  );
}

const idle: number[] = [];
for (const script of [bundle, service, bare]) {
  const server = await start({ script });
  idle.push(residentMemory(server.child));
  await end(server);
}
const idleSizes = idle.map((value) => `${value.toFixed(0)} MB`).join(', ');
console.log(`memory idle: bundle, npm start, bare node:http: ${idleSizes}`);
const server = await start({ script: service });
const heavy: number[] = [];
for (let sent = 0; sent < 2 * MEMORY_REQUESTS; ) {
  const requests = (await measureTax(server.address)) * SECONDS;
  if (sent < MEMORY_REQUESTS && sent + requests >= MEMORY_REQUESTS)
    heavy.push(residentMemory(server.child));
  sent += requests;
}
heavy.push(residentMemory(server.child));
await end(server);
console.log(
  `memory after ${MEMORY_REQUESTS} requests: ${heavy[0]!.toFixed(0)} MB; twice that: ${heavy[1]!.toFixed(0)} MB`,
);
const starts: Record<'bundle' | 'service', number[]> = { bundle: [], service: [] };
for (let index = 0; index < STARTS; index += 1) {
  const bareStart = await coldStart(bare);
  starts.bundle.push((await coldStart(bundle)) / bareStart);
  starts.service.push((await coldStart(service)) / bareStart);
}
console.log(
  `processor time of a cold start, relative to bare node:http: bundle ${show(starts.bundle)}, `
    + `npm start ${show(starts.service)}`,
);
