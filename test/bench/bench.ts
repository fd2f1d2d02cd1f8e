/**
 * Measures the service against a bare node:http server that does the same calculations: `npm run bench`.
 *
 * Both run at the same time, the load goes to one and then to the other in short rounds, and each round gives a ratio;
 * of these the median and the spread are shown. An absolute time would only tell about the machine.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import http from 'node:http';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { operations } from '../../src/operations.ts';

const ROUNDS = Number(process.env['ROUNDS'] ?? 9);
const SECONDS = 2;
const STARTS = 15;
const MEMORY_REQUESTS = 200_000;

const suffix = extname(import.meta.url);
const service = fileURLToPath(new URL(`../../src/main${suffix}`, import.meta.url));
const bare = fileURLToPath(new URL(`bare${suffix}`, import.meta.url));
const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
const isPinned = availableParallelism() > 1 && spawnSync('taskset', ['-V']).error === undefined;

interface Server {
  readonly child: ChildProcess;
  readonly address: string;
}

/** Starts a server, on the first core where there are two, and waits for its line. */
async function start(script: string): Promise<Server> {
  const command = [process.execPath, script];
  const [file = '', ...args] = isPinned ? ['taskset', '-c', '0', ...command] : command;
  const child = spawn(file, args, { env: { ...process.env, PORT: '0' }, stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout!, 'data') as [Buffer];
  return { child, address: String((JSON.parse(line.toString().split('\n')[0]!) as { address: string }).address) };
}

/** Requests per second of one round. */
async function load(address: string, path: string, body: string, connections: number): Promise<number> {
  return hasWrk ? loadWithWrk(address + path, body, connections) : loadWithHttp(address + path, body, connections);
}

async function loadWithWrk(url: string, body: string, connections: number): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
  const script = join(folder, 'post.lua');
  writeFileSync(script, `wrk.method = "POST"; wrk.headers["Content-Type"] = "application/json"; wrk.body = [==[${body}]==]`);
  const command = ['wrk', '-t1', `-c${connections}`, `-d${SECONDS}`, '-s', script, url];
  const [file = '', ...args] = isPinned ? ['taskset', '-c', '1', ...command] : command;
  const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  rmSync(folder, { recursive: true });
  if (/Non-2xx|Socket errors/.test(output)) throw new Error(output);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]);
}

/** The same without wrk; this process is then busier than the server, so that the ratios come out nearer to 1. */
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

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
const show = (values: readonly number[]): string =>
  `${median(values).toFixed(3)} (${Math.min(...values).toFixed(3)} to ${Math.max(...values).toFixed(3)})`;

const NDJSON_LINES = 100_000;

/** Lines per second of one upload of many lines, answered and thrown away. */
async function loadLines(address: string, path: string, lines: readonly string[]): Promise<number> {
  const file = join(tmpdir(), `bench-${process.pid}.ndjson`);
  writeFileSync(file, Array.from({ length: NDJSON_LINES }, (_, index) => lines[index % lines.length]).join('\n'));
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
  const [output] = await once(child.stdout, 'data') as [Buffer];
  await once(child, 'close');
  rmSync(file);
  return NDJSON_LINES / (Number(output.toString()) / 1000);
}

/** Resident memory in MB. */
function memory({ child }: Server): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
}

/** Milliseconds from starting a process to its first line. */
async function coldStart(script: string): Promise<number> {
  const begin = performance.now();
  const { child } = await start(script);
  const taken = performance.now() - begin;
  child.kill('SIGKILL');
  await once(child, 'close');
  return taken;
}

const [tax, interest, hash] = operations.map(({ path, examples }) => ({ path, body: JSON.stringify(Object.values(examples)[0]) }));
const cases = [
  { label: 'tax', connections: 32, ...tax! },
  { label: 'interest, 10 years', connections: 32, path: interest!.path,
    body: '{"principal":100000000,"monthly_deposit":5000000,"annual_rate":8.5,"years":10}' },
  { label: 'hash', connections: 32, ...hash! },
  { label: 'hash of 1 MiB', connections: 4, path: hash!.path, body: JSON.stringify({ text: 'a'.repeat(1_048_000) }) },
];

console.log(`Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load by ${hasWrk ? 'wrk' : 'node:http'}`
  + `${isPinned ? ', pinned' : ''}; ${ROUNDS} rounds of ${SECONDS} s; median (smallest to largest)`);
const ours = await start(service);
const theirs = await start(bare);
const idle = [memory(ours), memory(theirs)];
for (const { label, path, body, connections } of cases) {
  const ratios: number[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const first = await load(ours.address, path, body, connections);
    const second = await load(theirs.address, path, body, connections);
    if (round >= 0) ratios.push(first / second);
  }
  console.log(`requests per second, ${label}: ${show(ratios)} of bare node:http`);
}
const bulk = [
  { label: 'tax', path: tax!.path, connections: 32,
    lines: Array.from({ length: 1000 }, (_, index) => `{"income":${10_000_000 + 37_000 * index},"dependents":${index % 4}}`) },
  { label: 'interest, 10 years', path: interest!.path, connections: 32,
    lines: Array.from({ length: 1000 }, (_, index) => `{"principal":${1000 * index},"annual_rate":8.5,"years":10}`) },
  { label: 'hash', path: hash!.path, connections: 32,
    lines: Array.from({ length: 1000 }, (_, index) => `{"text":"line ${index}"}`) },
];
for (const { label, path, connections, lines } of bulk) {
  const rates: number[] = [];
  const ratios: number[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const rate = await loadLines(ours.address, path, lines);
    const single = await load(ours.address, path, lines[500]!, connections);
    if (round < 0) continue;
    rates.push(rate);
    ratios.push(rate / single);
  }
  console.log(`lines per second, ${label}: ${median(rates).toFixed(0)}, ${show(ratios)} of single requests`);
}
console.log(`memory idle: ${idle.map((value) => `${value.toFixed(0)} MB`).join(', bare ')}`);
const heavy: number[] = [];
for (let sent = 0; sent < 2 * MEMORY_REQUESTS;) {
  const rate = await load(ours.address, tax!.path, tax!.body, 32);
  if (sent < MEMORY_REQUESTS && sent + rate * SECONDS >= MEMORY_REQUESTS) heavy.push(memory(ours));
  sent += rate * SECONDS;
}
heavy.push(memory(ours));
console.log(`memory after ${MEMORY_REQUESTS} requests: ${heavy[0]!.toFixed(0)} MB; twice that: ${heavy[1]!.toFixed(0)} MB`);
for (const { child } of [ours, theirs]) child.kill('SIGTERM');
const starts: number[] = [];
for (let index = 0; index < STARTS; index += 1) starts.push(await coldStart(service) / await coldStart(bare));
console.log(`cold start: ${show(starts)} of bare node:http`);
