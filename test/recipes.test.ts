import assert from 'node:assert/strict';
import events from 'node:events';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { environmentName } from '../src/command/command-line.ts';
import { exposition } from '../src/extensions/metrics/metrics.ts';
import { commandLine, commandSettings } from '../src/composition/settings.ts';
import { missing, spawn, spawnSync } from './helpers/child.ts';
import { freePort, run } from './helpers/command.ts';
import { listen } from './helpers/fixture.ts';
import { command, onlyThorough, readText, root } from './helpers/repository.ts';
import { until, within } from './helpers/until.ts';

const DOCKERFILE = readText('.deploy/Dockerfile');
const UNIT = readText('.deploy/utility-calculation-service.service');
const PROMETHEUS = readText('.deploy/prometheus.yml');
const KUBERNETES = readText('.deploy/kubernetes.yaml');
/** The path of the bundle in the container. */
const BUNDLE = '/utility-calculation-service.cjs';
const HAPROXY = readText('.deploy/haproxy.cfg');

function fileOf(context: TestContext, name: string, text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'recipe-'));
  context.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test('csv.mjs turns CSV into requests, and the answers into CSV', () => {
  const convert = (way: string, input: string): string => {
    const script = fileURLToPath(new URL('.deploy/csv.mjs', root));
    const { stdout, stderr, status } = spawnSync(process.execPath, [script, way], { input });
    assert.equal(status, 0, stderr);
    return stdout;
  };
  const requests = convert(
    'to-ndjson',
    '\ufeffid,income,dependents,period,foreigner\r\n'
      + '9,x,,,\r\n\r\n"007",30000000,1,2026-08,\r\n=1+1,20000000,1,2026-08,\r\n"a ""b"",\nc",20000000.5,,2026-08,true,1\r\n',
  );
  assert.deepEqual(
    requests
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
    [
      { id: 9, income: 'x' },
      { id: '007', income: 30_000_000, dependents: 1, period: '2026-08' },
      { id: '=1+1', income: 20_000_000, dependents: 1, period: '2026-08' },
      { id: 'a "b",\nc', income: 20_000_000.5, period: '2026-08', foreigner: true, 'column 6': 1 },
    ],
  );
  for (const separator of [';', '\t']) {
    const rows = [
      ['id', 'income', 'foreigner', 'dependents'],
      ['1', '45.000', 'TRUE', '0.5'],
      ['"a,b"', '45.000.000', 'False', '1'],
    ];
    assert.equal(
      convert('to-ndjson', rows.map((row) => row.join(separator)).join('\n')),
      '{"id":1,"income":"45.000","foreigner":true,"dependents":0.5}\n'
        + '{"id":"a,b","income":"45.000.000","foreigner":false,"dependents":1}\n',
    );
  }
  const { stdout: answers } = spawnSync(process.execPath, [command, 'calc', 'tax'], {
    input: requests,
  });
  const [names = [], ...rows] = convert('to-csv', answers)
    .trimEnd()
    .split(/\n(?=")/)
    .map((line) => line.slice(1, -1).split('","'));
  const column = (name: string): (string | undefined)[] =>
    rows.map((row) => row[names.indexOf(name)]);
  assert.deepEqual([names[0], names.at(-1)], ['id', 'error']);
  assert.deepEqual(column('id'), ['9', '007', "'=1+1", 'a ""b"",\nc']);
  assert.deepEqual(column('net_income'), ['', '26592500', '17900000', '']);
  assert.deepEqual(column('insurance.total'), ['', '3150000', '2100000', '']);
  assert.deepEqual(
    column('error').map((text) => text?.split(/[:;]/)[0]),
    ['income', '', '', 'Unknown field ""column 6""'],
  );
  const usage =
    /^ \*   node csv\.mjs (.*) < payroll\.csv \| utility-calculation-service (.*) \| node csv\.mjs (.*) > /m;
  assert.deepEqual(usage.exec(readText('.deploy/csv.mjs'))?.slice(1), [
    'to-ndjson',
    'calc tax',
    'to-csv',
  ]);
});

test('csv.mjs sends a sheet to a service in parts, and answers in the order of its rows', async (context) => {
  const sizes: number[] = [];
  const { server, url } = await listen(context);
  server.on('request', ({ headers }) => void sizes.push(Number(headers['content-length'])));
  const csv = async (target: string, input: string): Promise<[number, string, string]> => {
    const script = fileURLToPath(new URL('.deploy/csv.mjs', root));
    const child = spawn(process.execPath, [script, target], { stdio: 'pipe' });
    context.after(() => void child.kill('SIGKILL'));
    child.stdin!.end(input);
    const [output, said, [code]] = await within(
      'the end',
      Promise.all([text(child.stdout!), text(child.stderr!), events.once(child, 'close')]),
    );
    return [code as number, output, said];
  };
  // Failures are short answers to long lines.
  const filler = 'ạ'.repeat(5_000);
  const rows = Array.from({ length: 100 }, (_, index) =>
    index % 10 === 0 ? `"${index}",30000000,` : `"${index}",x,${filler}`,
  );
  const target = `${url}/api/v1/tax/calculate`;
  const [code, output, said] = await csv(target, ['id,income,note', ...rows].join('\n'));
  assert.deepEqual([code, said], [0, '']);
  const lines = output.trimEnd().split('\n');
  assert.deepEqual(
    lines.slice(1).map((line) => /^"(\d+)"/.exec(line)?.[1]),
    rows.map((_, index) => String(index)),
  );
  assert.equal(lines.filter((line) => line.endsWith('""')).length, 10);
  assert.equal(sizes.length, 2);
  assert.ok(
    sizes.every((size) => size <= 1024 * 1024 && size > 0),
    String(sizes),
  );
  assert.deepEqual(await csv(`${url}/x`, 'income\n1'), [
    1,
    '',
    'csv.mjs: expected status 200, got 404: '
      + '{"status":"error","error":{"code":"not_found","message":"There is no resource at this path; GET / lists the operations"}}\n',
  ]);
});

test('csv.mjs turns payslips with exempt pay and a second contract into CSV', () => {
  const script = fileURLToPath(new URL('.deploy/csv.mjs', root));
  const payroll =
    'id,income,exempt_income,self_deduction,insurance_salary,period\n'
    + '1,20000000,1200000,,,2026-08\n2,20000000,,FALSE,0,2026-08\n3,1000000,1200000,,,2026-08\n';
  const output = [
    [script, 'to-ndjson'],
    [command, 'calc', 'tax'],
    [script, 'to-csv'],
  ].reduce((input, args) => spawnSync(process.execPath, args, { input }).stdout, payroll);
  const [names = [], ...rows] = output
    .trimEnd()
    .split('\n')
    .map((line) => line.slice(1, -1).split('","'));
  const columns = ['id', 'exempt_income', 'deductions.self', 'tax', 'net_income', 'error'];
  assert.deepEqual(
    rows.map((row) => columns.map((name) => row[names.indexOf(name)])),
    [
      ['1', '1200000', '15500000', '66300', '17959700', ''],
      ['2', '', '0', '1500000', '18500000', ''],
      [
        '3',
        '',
        '',
        '',
        '',
        'exempt_income: expected at most the gross income, 1000000, got 1200000',
      ],
    ],
  );
});

test('csv.mjs states all problems of a row, and numbers the rows of a sheet without ids', () => {
  const script = fileURLToPath(new URL('.deploy/csv.mjs', root));
  const sheet = 'income,dependents,period\n30000000,1,2026-08\n,,\nx,y,2026-08\n';
  const requests = spawnSync(process.execPath, [script, 'to-ndjson'], { input: sheet }).stdout;
  const ids = requests.trimEnd().split('\n');
  assert.deepEqual(
    ids.map((line) => (JSON.parse(line) as { id: number }).id),
    [2, 4],
  );
  const answers = spawnSync(process.execPath, [command, 'calc', 'tax'], { input: requests }).stdout;
  const { stdout } = spawnSync(process.execPath, [script, 'to-csv'], { input: answers });
  const last = stdout.trimEnd().split('\n').at(-1)!;
  assert.match(last, /^"4",.*"income: expected a number .*; dependents: expected a whole number /);
});

test('csv.mjs refuses files that are not in UTF-8 in one line', () => {
  const script = fileURLToPath(new URL('.deploy/csv.mjs', root));
  const inputs = [
    Buffer.from('\ufeffid,income\n1,2\n', 'utf16le'),
    Buffer.from('id,income\n1,2\n', 'utf16le'),
    Buffer.from('id,income\nAnh Vũ,2\n'.replace('ũ', '\xe3'), 'latin1'),
    Buffer.from('PK\x03\x04\x14\0\b\b', 'latin1'),
  ];
  for (const input of inputs) {
    const { status, stderr, stdout } = spawnSync(process.execPath, [script, 'to-ndjson'], {
      input,
    });
    assert.deepEqual([status, stdout], [1, '']);
    assert.match(
      stderr,
      /^csv\.mjs: expected text in UTF-8; [^\n]*save the file as "CSV UTF-8"\n$/,
    );
  }
  const { status, stderr } = spawnSync(process.execPath, [script, 'x'], { input: '' });
  assert.deepEqual(
    [status, stderr],
    [1, 'csv.mjs: expected to-ndjson, to-csv or the URL of a calculation\n'],
  );
});

test('csv.mjs ends with exit code 0 and no message when the reader of its output closes the pipe', async (context) => {
  const script = fileURLToPath(new URL('.deploy/csv.mjs', root));
  const csv = spawn(process.execPath, [script, 'to-ndjson'], { stdio: 'pipe' });
  context.after(() => void csv.kill('SIGKILL'));
  let said = '';
  csv.stderr!.on('data', (text: Buffer) => void (said += String(text)));
  csv.stdout!.destroy();
  csv.stdin!.end(`income\n${'30000000\n'.repeat(20_000)}`);
  const [code] = (await within('the end', events.once(csv, 'close'))) as [number];
  assert.deepEqual([code, said], [0, '']);
});

test('the recipes use existing settings with valid values', () => {
  const names = Object.keys(commandSettings.fields).map(environmentName);
  const given = [
    ...[...UNIT.matchAll(/\bEnvironment=(.+)$/gm)].flatMap(([, line = '']) => [
      ...line.matchAll(/(\w+)=(\S+)/g),
    ]),
    ...DOCKERFILE.matchAll(/^ENV (\w+)=(\S+)$/gm),
    ...DOCKERFILE.matchAll(/ --env (\w+)=(\w+)/g),
    ...KUBERNETES.matchAll(/\{ name: (\w+), value: "([^"]+)" \}/g),
  ];
  assert.ok(given.length >= 9);
  for (const [, name = '', value = ''] of given.filter(([, name]) => name !== 'NODE_OPTIONS')) {
    assert.ok(names.includes(name), name);
    assert.doesNotThrow(() => commandLine.parse([], { [name]: value }));
  }
});

test('the unit has no setting, because an upgrade would replace it, and names the place of settings', () => {
  const variables = [...UNIT.matchAll(/^Environment=(.+)$/gm)].flatMap(([, line = '']) =>
    [...line.matchAll(/(?:^| )(\w+)=/g)].map(([, name]) => name),
  );
  assert.deepEqual(variables, ['NODE_OPTIONS']);
  assert.doesNotMatch(UNIT, /^(?:EnvironmentFile|PassEnvironment)=/m);
  assert.match(UNIT, /^#   sudo systemctl edit utility-calculation-service$/m);
});

test('the pods meet the Pod Security Standard "restricted"', () => {
  for (const required of [
    'runAsNonRoot: true',
    'seccompProfile: { type: RuntimeDefault }',
    'allowPrivilegeEscalation: false',
    'capabilities: { drop: [ALL] }',
  ])
    assert.ok(KUBERNETES.includes(required), required);
  assert.doesNotMatch(KUBERNETES, /hostNetwork|hostPID|hostIPC|hostPath|hostPort|privileged/);
});

test('the container starts and checks the command in exec form, with options that this version of Node accepts', () => {
  const commands = [...DOCKERFILE.matchAll(/^(?:HEALTHCHECK )?CMD (.+)$/gm)].map(
    ([, json = '']) => JSON.parse(json) as string[],
  );
  const options = commands[1]!.filter((word) => word.startsWith('--'));
  assert.deepEqual(commands, [
    ['node', BUNDLE, 'healthcheck'],
    ['node', ...options, BUNDLE],
  ]);
  assert.match(DOCKERFILE, /^RUN node \.build\/bundle\.mjs$/m);
  assert.ok(DOCKERFILE.includes(`\nCOPY --from=build /app/dist${BUNDLE} /\n`));
  const { status, stderr } = spawnSync(process.execPath, [...options, '--eval', '']);
  assert.equal(status, 0, stderr);
});

test('the probes and health checks request existing paths', () => {
  const paths = [...`${KUBERNETES}${HAPROXY}`.matchAll(/(?:path: |GET )(\/\w+)/g)].map(
    ([, path]) => path,
  );
  assert.deepEqual(paths, ['/readyz', '/healthz', '/readyz']);
});

test(
  'promtool accepts the alarm rules, which fire for the instance in trouble alone',
  { skip: missing('promtool') },
  () => {
    for (const args of [
      ['check', 'rules', '.deploy/alerts.yml'],
      ['check', 'config', '.deploy/prometheus.yml'],
      ['test', 'rules', 'test/vectors/alerts.yml'],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: fileURLToPath(root) });
      assert.equal(status, 0, stdout + stderr);
    }
  },
);

test('the alarm rules use existing metrics, which need the setting that the file names', () => {
  const rules = readText('.deploy/alerts.yml');
  const used = [
    ...rules.matchAll(/\b((?:http|process|worker|nodejs|bulk|tax)_\w+|workers)(?=[{[ ])/g),
  ].map(([, name = '']) => name);
  const metrics = [...exposition([]).matchAll(/# TYPE (\S+)/g)].map(([, name = '']) => name);
  assert.ok(used.length > 10);
  for (const name of used) assert.ok(metrics.includes(name.replace(/_bucket$/, '')), name);
  assert.ok(rules.includes('they need METRICS=on'));
});

test('every expression of the alarm rules selects the job of the configuration of Prometheus', () => {
  const [, job] = /^ {2}- job_name: (\S+)$/m.exec(PROMETHEUS) ?? [];
  const expressions = [
    ...readText('.deploy/alerts.yml').matchAll(/^ +expr: ([^]*?)\n +(?:for|labels):/gm),
  ];
  assert.ok(expressions.length > 5);
  for (const [, expression = ''] of expressions) {
    const selectors = [
      ...expression.matchAll(/\b(?:up|workers|[a-z]+(?:_[a-z]+)+)\b(?!\()(\{job="[^"]+")?/g),
    ].map(([, selector]) => selector);
    assert.ok(selectors.length > 0, expression);
    for (const selector of selectors) assert.equal(selector, `{job="${job}"`, expression);
  }
});

test(
  'Prometheus scrapes an instance as the job of its configuration, which loads the alarm rules',
  { skip: missing('prometheus') || onlyThorough },
  async (context) => {
    const { port: instance } = await run(context, ['--port=0', '--metrics=on']).ready();
    const port = await freePort();
    const configuration = PROMETHEUS.replaceAll(/192\.0\.2\.\d+:8080/g, `127.0.0.1:${instance}`);
    const file = fileOf(
      context,
      'prometheus.yml',
      `global:\n  scrape_interval: 1s\n${configuration}`,
    );
    const folder = dirname(file);
    copyFileSync(new URL('.deploy/alerts.yml', root), join(folder, 'alerts.yml'));
    const child = spawn(
      'prometheus',
      [
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    context.after(() => void child.kill('SIGKILL'));
    const ended = events.once(child, 'close');
    const ask = async (path: string): Promise<string> =>
      await fetch(`http://127.0.0.1:${port}/api/v1/${path}`).then(
        (response) => response.text(),
        () => '',
      );
    const query = encodeURIComponent('tax_law_reviewed_through_timestamp_seconds');
    await until('a sample of the job', async () =>
      (await ask(`query?query=${query}`)).includes('"job":"utility-calculation-service"'),
    );
    assert.match(await ask('rules'), /"name":"LawOutdated"/);
    child.kill();
    await within('the end of Prometheus', ended);
  },
);

test(
  'systemd-analyze rates the exposure of the unit at most 1.5',
  { skip: missing('systemd-analyze') },
  (context) => {
    const file = fileOf(context, 'utility-calculation-service.service', UNIT);
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', file]);
    const exposure = Number(/Overall exposure level [^:]*: ([\d.]+)/.exec(stdout)?.[1]);
    assert.ok(exposure <= 1.5, stdout.slice(-300));
  },
);

test('csv.mjs writes no formula, whichever separator the spreadsheet expects', () => {
  const cases: Readonly<Record<string, string>> = {
    '=1': "'=1",
    '+1': "'+1",
    '-1': "'-1",
    '@a': "'@a",
    '＝1': "'＝1",
    '\t=1': "'\t'=1",
    '\r=1': "'\r'=1",
    'X;=1': "X;'=1",
    'X,=1': "X,'=1",
    'X\t=1': "X\t'=1",
    'X\n=1': "X\n'=1",
    'X|=1': "X|'=1",
    'X; "=1"': `X; ""'=1""`,
    'X;Y=1': 'X;Y=1',
  };
  const script = fileURLToPath(new URL('.deploy/csv.mjs', root));
  const input = Object.keys(cases)
    .map((id) => JSON.stringify({ id, data: { net: -5 } }))
    .join('\n');
  const { stdout } = spawnSync(process.execPath, [script, 'to-csv'], { input });
  const rows = Object.values(cases).map((id) => `"${id}","-5",""\n`);
  assert.equal(stdout, `"id","net","error"\n${rows.join('')}`);
});

test('npm start and the recipes start Node with the same option, which workers have, too', () => {
  const { scripts } = JSON.parse(readText('package.json')) as { scripts: { start: string } };
  const [, option = ''] = /^node (--\S+) \S+$/.exec(scripts.start) ?? [];
  assert.match(option, /^--max-semi-space-size=\d+$/);
  for (const file of ['Dockerfile', 'utility-calculation-service.service']) {
    assert.ok(readText(`.deploy/${file}`).includes(`NODE_OPTIONS=${option}\n`), file);
  }
  assert.ok(readText('.deploy/README.md').includes(`NODE_OPTIONS=${option}`));
});

test('workers have the options of the process that starts them', (context) => {
  const file = fileOf(
    context,
    'workers.cjs',
    `
    const cluster = require('node:cluster');
    if (cluster.isPrimary) cluster.fork();
    else {
      console.log(process.execArgv.join());
      process.exit();
    }
  `,
  );
  const option = '--max-semi-space-size=4';
  // The sizes of the heap depend on the moment at which they are read.
  assert.equal(String(spawnSync(process.execPath, [option, file]).stdout).trim(), option);
});
