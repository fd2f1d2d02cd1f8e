import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { environmentName } from '../../src/command/command-line.ts';
import { serverLimits } from '../../src/command/server-settings.ts';
import { ConfigError, serviceOptions, VERSION } from '../../src/command/service-settings.ts';
import { describeValues } from '../../src/contract/describe.ts';
import type { JsonSchema } from '../../src/contract/schema.ts';
import { trustedProxies } from '../../src/extensions/log/proxies.ts';
import { operations } from '../../src/operations/operations.ts';
import {
  commandLine,
  commandSettings,
  type CommandSettings,
} from '../../src/composition/settings.ts';
import { readText } from '../helpers/repository.ts';
import { vectors } from '../helpers/vectors.ts';

const read = (...given: Parameters<typeof commandLine.parse>): CommandSettings =>
  commandLine.parse(...given).settings;
/** The flag of a setting, such as body-limit for bodyLimit. */
const flagName = (key: string): string => environmentName(key).toLowerCase().replaceAll('_', '-');
const keys = Object.keys(commandSettings.fields) as (keyof CommandSettings)[];
const schemas = commandSettings.schema['properties'] as Readonly<Record<string, JsonSchema>>;

test('applies the default of every setting', () => {
  const settings = read([], {});
  assert.deepEqual(
    keys.map((key) => settings[key]),
    keys.map((key) => schemas[key]?.['default']),
  );
  assert.deepEqual(
    [settings.host, settings.port, settings.taxPeriod],
    ['127.0.0.1', 8080, undefined],
  );
  assert.ok(Object.isFrozen(read([], {})));
});

test('prefers a flag to an environment variable, and an environment variable to the default', () => {
  assert.equal(read([], { PORT: '1' }).port, 1);
  assert.equal(read(['--port', '2'], { PORT: '1' }).port, 2);
  assert.equal(read(['--request-timeout=0.5'], {}).requestTimeout, 0.5);
  for (const host of ['::1', 'fe80::1%eth0', 'localhost', '1.example', 'xn--bcher-kva.example'])
    assert.equal(read([`--host=${host}`], {}).host, host);
});

test('converts settings to milliseconds, numbers, lists and networks', () => {
  // In doubles, 16.1 × 1000 is not an integer, and node:http would reject it.
  assert.equal(serverLimits(read([], { REQUEST_TIMEOUT: '16.1' })).requestTimeout, 16_100);
  assert.equal(read([], { WORKERS: 'max' }).workers, availableParallelism());
  assert.equal(read([], { WORKERS: '3' }).workers, 3);
  const origins = (value: string): readonly string[] =>
    serviceOptions(read([], { CORS_ORIGIN: value }), operations).corsOrigins;
  assert.deepEqual(origins('off'), []);
  assert.deepEqual(origins('*'), ['*']);
  assert.deepEqual(origins('https://a.example,http://localhost:3000'), [
    'https://a.example',
    'http://localhost:3000',
  ]);
  const trusted = trustedProxies(read([], { TRUST_PROXY: '10.0.0.0/8,::1,192.0.2.1' }).trustProxy);
  const addresses = ['10.1.2.3', '192.0.2.1', '192.0.2.2', '11.0.0.0'];
  assert.deepEqual(
    addresses.map((address) => trusted?.check(address)),
    [true, true, false, false],
  );
  assert.equal(trusted?.check('::1', 'ipv6'), true);
  assert.equal(trustedProxies(read([], {}).trustProxy), undefined);
});

test('returns positional arguments, and requests for help or version', () => {
  const { positionals } = commandLine.parse(
    ['calc', 'tax', '{"income":1}', '--tax-period=2026-01'],
    {},
  );
  assert.deepEqual(positionals, ['calc', 'tax', '{"income":1}']);
  for (const args of [['--help'], ['-h'], ['help'], ['help', 'help'], ['help', '--help']]) {
    const { show, positionals: words } = commandLine.parse(args, {});
    assert.deepEqual([show, words], ['help', []], args.join(' '));
  }
  for (const argument of ['--version', '-v'])
    assert.equal(commandLine.parse([argument], {}).show, 'version', argument);
});

test('treats an empty environment variable as unset', () => {
  const variables = Object.fromEntries(keys.map((key) => [environmentName(key), '']));
  assert.deepEqual(read([], variables), read([], {}));
});

test('accepts --help and --version with invalid settings', () => {
  for (const flag of ['help', 'version'] as const) {
    assert.equal(commandLine.parse([`--${flag}`, '--port=x'], { HOST: 'a b' }).show, flag);
  }
});

test('lists every setting in --help with its flag, variable, default and values in columns', () => {
  // Lines are broken between words.
  const help = commandLine.help([]).replaceAll(/\n {6}/g, ' ');
  const columns = keys.map((key) => {
    const schema = schemas[key]!;
    const byDefault = 'default' in schema ? JSON.stringify(schema['default']) : '-';
    const values = `${describeValues(schema)} ${schema['description']}`;
    const line = help.split('\n').find((one) => one.startsWith(`  --${flagName(key)} `)) ?? '';
    const cells = line.trim().split(/ {2,}/);
    assert.deepEqual(cells, [`--${flagName(key)}`, environmentName(key), byDefault, values]);
    return Array.from(line.matchAll(/\S+(?: \S+)*/g), ({ index }) => index).join();
  });
  assert.deepEqual([...new Set(columns)], columns.slice(0, 1));
});

test('has the version of package.json', () => {
  assert.equal(VERSION, (JSON.parse(readText('package.json')) as { version: string }).version);
});

test('rejects an invalid value with the name of the setting and the accepted values', () => {
  const invalid =
    vectors<[setting: string, expected: string, ...texts: string[]]>('rejected-settings');
  assert.deepEqual(invalid.map(([key]) => key).sort(), [...keys].sort());
  for (const [key, expected, ...texts] of invalid) {
    for (const text of texts) {
      const isRefusal = (error: unknown): boolean =>
        error instanceof ConfigError
        && error.message.startsWith(`${environmentName(key)}: expected ${expected}, got `);
      assert.throws(() => read([], { [environmentName(key)]: text }), isRefusal, `${key} ${text}`);
      assert.throws(() => read([`--${flagName(key)}=${text}`], {}), isRefusal, `${key} ${text}`);
    }
    assert.throws(() => read([`--${flagName(key)}=`], {}), ConfigError, key);
  }
});

test('names the item of a list that is invalid, and every invalid setting', () => {
  const origins = 'https://a.example,b.example,https://c.example';
  assert.throws(
    () => read([], { CORS_ORIGIN: origins, PORT: 'x' }),
    new ConfigError(
      'PORT: expected a whole number from 0 up to 65535, got the string "x"\n'
        + 'CORS_ORIGIN: expected *, off, or origins like https://example.org, separated by commas, got the string "b.example"',
    ),
  );
  assert.throws(() => read([], { TRUST_PROXY: '10.0.0.0/8,proxy' }), /got the string "proxy"$/);
});

test('an unknown flag is answered with a similar one, or with the help of its command', () => {
  const cases = [
    [['--prot=1'], 'unknown flag --prot; did you mean --port?'],
    [['calc', 'tax', '--income=1'], 'unknown flag --income; use `calc tax --help` instead'],
    [['calc', 'tax', '{}', '--x'], 'unknown flag --x; use `calc tax --help` instead'],
    [['--x', '1'], 'unknown flag --x; use `--help` instead'],
    [['-V'], 'unknown flag -V; use `--help` instead'],
  ] as const;
  for (const [args, message] of cases) assert.throws(() => read(args, {}), { message });
});

test('rejects an unknown flag, and a flag without its value, in one line', () => {
  for (const args of [['--prot=1'], ['-p', '1'], ['--port'], ['--help=1']]) {
    const isOneLine = (error: unknown): boolean =>
      error instanceof ConfigError && /^[^\n]+$/.test(error.message);
    assert.throws(() => read(args, {}), isOneLine, args.join(' '));
  }
});
