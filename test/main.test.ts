import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { CLOCK_EVENTS } from '../src/command/clock.ts';
import { listenFailure } from '../src/command/serve.ts';
import { VERSION } from '../src/command/service-settings.ts';
import { REVIEWED_THROUGH } from '../src/tax/law.ts';
import { endOf, monthAt } from '../src/tax/period.ts';
import { spawn, spawnSync } from './helpers/child.ts';
import { freePort, type Run, run } from './helpers/command.ts';
import { collect, postHead, sendJson, statusesIn } from './helpers/fixture.ts';
import { command, part } from './helpers/repository.ts';
import { finish, openRequest } from './helpers/client.ts';
import { once, until, written } from './helpers/until.ts';

const TAX = '/api/v1/tax/calculate';

/** Lets the time in which signals count as one last, so that they arrive in it however slow the machine is. */
const ENDLESS_SIGNAL = `--import=data:text/javascript,${encodeURIComponent(`
  const start = setTimeout;
  globalThis.setTimeout = (end, time, ...values) => start(end, time === 500 ? 1e9 : time, ...values);
`)}`;

/** A configuration of OpenSSL that leaves only the random numbers that Node needs to start. */
const NO_DIGESTS = `
nodejs_conf = init
[init]
alg_section = algorithms
random = random
[algorithms]
default_properties = provider=none
[random]
random = CTR-DRBG
cipher = AES-256-CTR
properties = provider=default
seed = SEED-SRC
seed_properties = provider=default
`;

/** A program that runs a command on a terminal of its own. */
const TERMINAL = 'import pty, sys; pty.spawn(sys.argv[1:])';
const hasTerminal = spawnSync('python3', ['-c', 'import pty; pty.openpty()']).status === 0;

test(
  'shows the address on a terminal, and how to stop',
  { skip: hasTerminal ? false : 'python3 opens no terminal' },
  async (context) => {
    const words = ['-c', TERMINAL, process.execPath, command, '--port=0', '--host=0.0.0.0'];
    const child = spawn('python3', words, { stdio: ['pipe', 'pipe', 'inherit'] }, {});
    context.after(() => void child.kill('SIGKILL'));
    let output = '';
    child.stdout!.on('data', (part: Buffer) => {
      output += part.toString();
    });
    const shown = /Open (http:\/\/localhost:\d+) in a browser\. Ctrl\+C stops the service\./;
    await until('the line for people', () => shown.test(output));
    assert.equal((await fetch(`${shown.exec(output)![1]}/healthz`)).status, 200);
    child.stdin!.write('\x03');
    await until('the end', () => output.includes('"stopped"'));
  },
);

test('starts on a free port, logs the address, answers, and exits with 0 on SIGTERM, SIGINT and SIGHUP', async (context) => {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    const settings = { PORT: '0', TAX_PERIOD: '2025-12', MAX_CONNECTIONS: '100' };
    const service = run(context, [], settings);
    const { address } = await service.ready();
    const response = await sendJson(address + TAX, '{"income":30000000,"detail":true}');
    const { data } = (await response.json()) as { data: { detail: { period: string } } };
    assert.equal(data.detail.period, '2025-12');
    // SIGUSR1 would open the debugger, which reports its address on standard error.
    service.child.kill('SIGUSR1');
    await fetch(`${address}/healthz`);
    service.child.kill(signal);
    assert.equal(await service.ended(), 0);
    assert.equal(service.errors, '');
    const messages = service.messages();
    assert.deepEqual(messages, ['ready', 'draining', 'stopped']);
  }
});

/** npm forwards Ctrl+C once more, `timeout` sends SIGTERM twice, and systemd may add SIGHUP and SIGCONT. */
const SUCCESSIONS: readonly NodeJS.Signals[][] = [
  ['SIGTERM', 'SIGTERM', 'SIGHUP', 'SIGCONT'],
  ['SIGINT', 'SIGINT', 'SIGTERM'],
];

for (const workers of [1, 2]) {
  test(
    `exits at once on a later signal, workers: ${workers}`,
    { timeout: 120_000 },
    async (context) => {
      // A worker that is killed while it exits would leave an empty coverage file, which prevents the report of Node 24.
      const environment = { NODE_V8_COVERAGE: '' };
      const args = ['--port=0', `--workers=${workers}`, '--shutdown-timeout=3600'];
      const service = run(context, args, environment);
      const { port } = await service.ready();
      const stuck = net.connect(port, '127.0.0.1');
      const closed = collect(stuck);
      await written(stuck, postHead(TAX, 20));
      service.child.kill('SIGTERM');
      await service.event('draining');
      // Those that arrive soon after the first are ignored.
      const later = setInterval(() => service.child.kill('SIGTERM'), 100);
      context.after(() => clearInterval(later));
      // Otherwise the service would wait for the rest of the request for an hour.
      assert.equal(await service.ended(), 128 + 15);
      assert.equal(await closed, '');
    },
  );

  test(`takes signals in quick succession for one, in ${part(SUCCESSIONS).length} of ${SUCCESSIONS.length} orders, workers: ${workers}`, async (context) => {
    await Promise.all(
      part(SUCCESSIONS).map(async ([first, ...others]) => {
        const service = run(context, ['--port=0', `--workers=${workers}`], {}, [ENDLESS_SIGNAL]);
        const { address } = await service.ready();
        const open = await Promise.all([1, 2, 3].map(() => openRequest(address)));
        service.child.kill(first);
        await service.event('draining');
        for (const signal of others) service.child.kill(signal);
        // A service that has answered twice has received the signals that it was sent before.
        for (const request of open) assert.equal(await finish(request), 200);
        assert.equal(await service.ended(), 0);
      }),
    );
  });
}

test('takes signals that arrive while the process is paused for one', async (context) => {
  const service = run(context, ['--port=0']);
  await service.event('ready');
  for (const signal of ['SIGSTOP', 'SIGHUP', 'SIGINT', 'SIGTERM', 'SIGCONT'] as const) {
    service.child.kill(signal);
  }
  assert.equal(await service.ended(), 0);
  assert.equal(service.lines.filter((line) => line.includes('"draining"')).length, 1);
});

test('answers an incomplete request with 503 after the shutdown timeout', async (context) => {
  const service = run(context, ['--port=0', '--shutdown-timeout=1']);
  const { port } = await service.ready();
  const stuck = net.connect(port, '127.0.0.1');
  const bytes = collect(stuck);
  await written(stuck, postHead(TAX, 20));
  await service.stop();
  assert.deepEqual(statusesIn(await bytes), [503]);
});

test('reports a port in use in one line, also for two workers, and exits with 1', async (context) => {
  const server = net.createServer().listen(0, '127.0.0.1');
  context.after(() => server.close());
  await once(server, 'listening');
  const settings = { PORT: String((server.address() as AddressInfo).port) };
  for (const service of [1, 2].map((workers) => run(context, [`--workers=${workers}`], settings))) {
    assert.equal(await service.ended(), 1);
    assert.match(service.errors, /^utility-calculation-service: [^\n]*EADDRINUSE[^\n]*\n$/);
    assert.deepEqual(service.lines, []);
  }
});

/** The errors of listening, with the setting that is their cause, and 2 if a later start has them, too. */
const LISTEN_ERRORS: readonly (readonly [code: string, setting: string, exitCode: number])[] = [
  ['EADDRINUSE', 'PORT', 1],
  ['EACCES', 'PORT', 2],
  ['EADDRNOTAVAIL', 'HOST', 1],
  ['EAI_AGAIN', 'HOST', 1],
  ['ENOTFOUND', 'HOST', 2],
  ['EINVAL', 'HOST', 2],
  ['ENOBUFS', 'HOST or PORT', 1],
];

test('names the setting for which it cannot listen, and whether a later start may', () => {
  for (const [code, setting, exitCode] of LISTEN_ERRORS) {
    const error = Object.assign(new Error(`listen ${code}`), { code });
    assert.deepEqual(listenFailure(error), [`${setting}: listen ${code}`, exitCode]);
  }
});

test('exits with 2 if it can never listen with these settings', async (context) => {
  const failing = `--import=data:text/javascript,${encodeURIComponent(`
    import net from 'node:net';
    net.Server.prototype.listen = function () {
      const error = Object.assign(new Error('listen EACCES'), { code: 'EACCES' });
      process.nextTick(() => this.emit('error', error));
    };`)}`;
  const runs = [1, 2].map((workers) => run(context, [`--workers=${workers}`], {}, [failing]));
  for (const service of runs) {
    assert.equal(await service.ended(), 2);
    assert.equal(service.errors, 'utility-calculation-service: PORT: listen EACCES\n');
  }
});

/** Arguments that no command accepts, and an invalid setting, with their messages. */
const REFUSED: readonly (readonly [message: string, args: readonly string[], port?: string])[] = [
  ['expected serve, healthcheck, calc, mcp or help, got "start"', ['start']],
  [
    'calc: expected one of tax, annual, reconcile, interest, solve, hash, got "taxes"',
    ['help', 'calc', 'taxes'],
  ],
  ['PORT: expected a whole number from 0 up to 65535, got the string "80a"', [], '80a'],
];

test('exits with 2 after invalid arguments or settings, and names the accepted values in one line', async (context) => {
  const runs = REFUSED.map(([, args, port]) => run(context, args, port ? { PORT: port } : {}));
  for (const [index, [message]] of REFUSED.entries()) {
    const command = runs[index]!;
    assert.equal(await command.ended(), 2, message);
    assert.equal(command.errors, `utility-calculation-service: ${message}\n`);
    assert.deepEqual(command.lines, []);
  }
});

test('prints the version and the usage', async (context) => {
  const [version, help] = [run(context, ['--version']), run(context, ['--help'])];
  assert.equal(await version.ended(), 0);
  assert.deepEqual(version.lines, [VERSION]);
  assert.equal(await help.ended(), 0);
  assert.match(String(help.lines[0]), /^Usage: utility-calculation-service /);
  for (const line of help.lines) assert.ok(line.length <= 100, line);
});

test('checks the health of the service that the settings name', async (context) => {
  const settings = { HOST: '0.0.0.0', PORT: String(await freePort()) };
  const before = run(context, ['healthcheck'], settings);
  assert.equal(await before.ended(), 1);
  assert.match(
    before.errors,
    /^utility-calculation-service: healthcheck: [^\n]*ECONNREFUSED[^\n]*\n$/,
  );
  const service = run(context, [], settings);
  await service.event('ready');
  // Node.js 22 and later send the requests of the default agent to this proxy. Node.js 22 warns that this is experimental.
  const proxy = {
    NODE_USE_ENV_PROXY: '1',
    NODE_NO_WARNINGS: '1',
    HTTP_PROXY: `http://127.0.0.1:${await freePort()}`,
  };
  const during = run(context, ['healthcheck'], { ...settings, ...proxy });
  assert.equal(await during.ended(), 0);
  assert.equal(during.errors + during.lines.join(), '');
});

/** Answers that never end: a byte of a header, or a further interim response, per 0.1 s. */
const ENDLESS: readonly (readonly [string, string, string])[] = [
  ['a header without an end', 'HTTP/1.1 200 OK\r\nA: ', 'a'],
  ['interim responses', '', 'HTTP/1.1 102 Processing\r\n\r\n'],
];

for (const [title, head, piece] of ENDLESS) {
  test(`the health check fails after 3 s of ${title}`, async (context) => {
    const server = net.createServer((socket) => {
      socket.on('error', () => undefined);
      socket.write(head);
      const timer = setInterval(() => socket.write(piece), 100);
      socket.on('close', () => clearInterval(timer));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    context.after(() => server.close());
    const { port } = server.address() as AddressInfo;
    const check = run(context, ['healthcheck', `--port=${port}`]);
    assert.equal(await check.ended(), 1);
    assert.equal(
      check.errors,
      'utility-calculation-service: healthcheck: expected an answer within 3 seconds, got none\n',
    );
  });
}

test('prints no character of an argument or a setting that a terminal obeys', async (context) => {
  const commands: readonly (readonly string[])[] = [
    ['\u001b[31m'],
    ['calc', 'tax', '\u001b[31m/\u009b31m\u202e'],
  ];
  const runs = commands.map((args) => run(context, args));
  const environment = run(context, [], { HOST: 'a\u001b[31m', CORS_ORIGIN: '\u009b31m' });
  for (const service of [...runs, environment]) {
    assert.ok([1, 2].includes(Number(await service.ended())));
    assert.deepEqual(service.lines, []);
    assert.match(service.errors, /^[\P{C}\n]+$/u);
  }
});

test('exits with 0 when the reader of its output has closed the pipe', async (context) => {
  for (const args of [['--version'], ['calc', 'tax', '{"income":1}']]) {
    const command = run(context, args);
    command.child.stdout?.destroy();
    assert.equal(await command.ended(), 0, command.errors);
    assert.equal(command.errors, '');
  }
});

test('answers 501 to hash requests without MD5 in OpenSSL, and serves the other operations', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'openssl-'));
  context.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'openssl.cnf');
  writeFileSync(file, NO_DIGESTS);
  const service = run(context, ['--port=0'], {}, [`--openssl-config=${file}`]);
  const { address } = await service.ready();
  const send = async (path: string, body: string): Promise<{ status: number; text: string }> => {
    const response = await sendJson(address + path, body);
    return { status: response.status, text: await response.text() };
  };
  const hash = await send('/api/v1/hash', '{"text":"a"}');
  assert.equal(hash.status, 501);
  assert.equal(
    hash.text,
    '{"status":"error","error":{"code":"digest_unavailable",'
      + '"message":"The OpenSSL of this installation does not provide MD5"}}',
  );
  assert.equal((await send(TAX, '{"income":1}')).status, 200);
  assert.equal(
    (await send('/api/v1/interest/calculate', '{"principal":1,"annual_rate":1,"years":1}')).status,
    200,
  );
});

/** Code that runs before the command: its clock shows the times in order, the next one after each SIGUSR2. */
const clockOf = (times: readonly number[]): string =>
  `--import=data:text/javascript,${encodeURIComponent(`
    const times = ${JSON.stringify(times)};
    Date.now = () => times[0];
    process.on('SIGUSR2', () => times.shift());
    const { setInterval } = globalThis;
    const hour = 3_600_000;
    globalThis.setInterval = (run, time, ...all) => setInterval(run, time === hour ? 10 : time, ...all);`)}`;

const outdated = endOf(REVIEWED_THROUGH);

for (const workers of part([2, 1])) {
  test(`logs each change of the relation between the clock and the law tables, workers: ${workers}`, async (context) => {
    const times = [outdated - 1, outdated, 0, outdated - 1];
    const args = ['--port=0', `--workers=${workers}`];
    const service = run(context, args, {}, [clockOf(times)]);
    const ready = await service.event('ready');
    assert.deepEqual([ready['level'], ready['reviewed_through']], ['info', REVIEWED_THROUGH]);
    const lines: unknown[] = [];
    for (const message of ['law outdated', 'wrong clock', 'law current']) {
      assert.ok(!service.lines.some((line) => line.includes(message)));
      service.child.kill('SIGUSR2');
      const { level, month, reviewed_through } = await service.event(message);
      lines.push([level, month, reviewed_through]);
    }
    assert.deepEqual(lines, [
      ['warn', monthAt(outdated), REVIEWED_THROUGH],
      ['warn', '1970-01', REVIEWED_THROUGH],
      ['info', REVIEWED_THROUGH, REVIEWED_THROUGH],
    ]);
    await service.stop();
    const logged = service.lines.filter((line) =>
      Object.keys(CLOCK_EVENTS).some((message) => line.includes(`"msg":"${message}"`)),
    );
    assert.equal(logged.length, 3, logged.join('\n'));
  });
}

test('compares the clock with the law tables when it starts', async (context) => {
  const start = (time: number, ...args: string[]): Run =>
    run(context, ['--port=0', ...args], {}, [clockOf([time])]);
  const wrong = start(0, '--tax-period=2026-08');
  assert.equal((await wrong.event('wrong clock'))['month'], '1970-01');
  const later = start(4e12);
  assert.equal((await later.event('law outdated'))['month'], '2096-10');
});

for (const workers of part([1, 2])) {
  test(`says how current the law is: in the index and in the metrics, workers: ${workers}`, async (context) => {
    const metric = `\ntax_law_reviewed_through_timestamp_seconds ${outdated / 1000}\n`;
    const { address } = await run(context, [
      '--port=0',
      '--metrics=on',
      `--workers=${workers}`,
    ]).ready();
    const { data } = (await (await fetch(address)).json()) as { data: Record<string, unknown> };
    assert.equal(data['reviewed_through'], REVIEWED_THROUGH);
    await until('the metric of the law', async () =>
      (await (await fetch(`${address}/metrics`)).text()).includes(metric),
    );
  });
}
