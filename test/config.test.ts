import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { test } from 'node:test';
import { type Config, environmentName, flagName, helpText } from '../src/config.ts';
import { parseCommand, SETTINGS } from '../src/config.ts';
import { ConfigError, VERSION } from '../src/settings.ts';
import { readText } from './repository.ts';

const readConfig = (...given: Parameters<typeof parseCommand>): Config => parseCommand(...given).config;
const keys = Object.keys(SETTINGS) as (keyof Config)[];

test('applies the default of every setting', () => {
  assert.deepEqual(readConfig([], {}), {
    host: '127.0.0.1',
    port: 8080,
    workers: 1,
    bodyLimit: 16_384,
    hashBodyLimit: 1_048_576,
    bulkBuffer: 33_554_432,
    requestTimeout: 30_000,
    keepAliveTimeout: 75_000,
    drainDelay: 0,
    shutdownTimeout: 10_000,
    maxConnections: 10_000,
    maxLag: 500,
    corsOrigin: ['*'],
    log: 'errors',
    metrics: false,
    trustProxy: undefined,
    taxPeriod: undefined,
  });
  assert.ok(Object.isFrozen(readConfig([], {})));
});

test('prefers a flag to an environment variable, and an environment variable to the default', () => {
  assert.equal(readConfig([], { PORT: '1' }).port, 1);
  assert.equal(readConfig(['--port', '2'], { PORT: '1' }).port, 2);
  assert.equal(readConfig(['--keep-alive-timeout=0.5'], {}).keepAliveTimeout, 500);
  assert.equal(readConfig(['--host=::1'], {}).host, '::1');
  // In doubles, 16.1 × 1000 is not an integer, and node:http would reject it.
  assert.equal(readConfig([], { REQUEST_TIMEOUT: '16.1' }).requestTimeout, 16_100);
});

test('converts texts to numbers, lists and address ranges', () => {
  assert.equal(readConfig([], { WORKERS: 'max' }).workers, availableParallelism());
  assert.deepEqual(readConfig([], { CORS_ORIGIN: 'off' }).corsOrigin, []);
  assert.deepEqual(readConfig([], { CORS_ORIGIN: 'https://a.example,http://localhost:3000' }).corsOrigin,
    ['https://a.example', 'http://localhost:3000']);
  assert.equal(readConfig([], { METRICS: 'on' }).metrics, true);
  const { trustProxy } = readConfig([], { TRUST_PROXY: '10.0.0.0/8,::1,192.0.2.1' });
  assert.deepEqual(['10.1.2.3', '192.0.2.1', '192.0.2.2', '11.0.0.0'].map((address) => trustProxy?.check(address)),
    [true, true, false, false]);
  assert.equal(trustProxy?.check('::1', 'ipv6'), true);
});

test('returns positional arguments, and requests for help or version', () => {
  const { positionals } = parseCommand(['calc', 'tax', '{"income":1}', '--tax-period=2026-01'], {});
  assert.deepEqual(positionals, ['calc', 'tax', '{"income":1}']);
  for (const argument of ['--help', '-h', 'help']) assert.equal(parseCommand([argument], {}).show, 'help', argument);
  for (const argument of ['--version', '-v']) assert.equal(parseCommand([argument], {}).show, 'version', argument);
});

test('treats an empty environment variable as unset', () => {
  const variables = Object.fromEntries(keys.map((key) => [environmentName(key), '']));
  assert.deepEqual(readConfig([], variables), readConfig([], {}));
});

test('accepts --help and --version with invalid settings', () => {
  for (const flag of ['help', 'version'] as const) {
    assert.equal(parseCommand([`--${flag}`, '--port=x'], { HOST: 'a b' }).show, flag);
  }
});

test('lists every setting in --help with its flag, variable, accepted values and default', () => {
  for (const [key, setting] of Object.entries(SETTINGS)) {
    const tail = setting.default === undefined ? '.' : `; default ${setting.default}.`;
    const lines = `  --${flagName(key)}, ${environmentName(key)}\n      ${setting.description}.\n      Accepts ${setting.expected}${tail}\n`;
    assert.ok(helpText(['tax']).includes(lines), key);
  }
});

test('has the version of package.json', () => {
  assert.equal(VERSION, (JSON.parse(readText('package.json')) as { version: string }).version);
});

const bad: readonly [name: keyof Config, texts: readonly string[]][] = [
  ['host', ['', 'a b', 'http://a', 'a/b']],
  ['port', ['', 'abc', '-1', '65536', '80.5', '0x50', ' 80', '8e3']],
  ['workers', ['', '0', '257', 'all', '1.5']],
  ['bodyLimit', ['', '63', '16K', '-1', '2000000000']],
  ['hashBodyLimit', ['', '63', '1M', '999999999999']],
  ['corsOrigin', ['', 'example.org', 'https://a.example/', 'https://a.example,', '*,https://a.example', 'null']],
  ['taxPeriod', ['', '2014-12', '2026-13', '2026-1', 'now']],
  ['bulkBuffer', ['', '65535', '32M', '9999999999']],
  ['requestTimeout', ['', '0', '-1', '3601', '1s', 'Infinity', '1e3']],
  ['keepAliveTimeout', ['', '0', 'NaN']],
  ['drainDelay', ['', '-1', '3601', 'off']],
  ['shutdownTimeout', ['', '0', '10s']],
  ['maxConnections', ['', '0', '1000001', 'off']],
  ['maxLag', ['', '9', '60001', '0.5']],
  ['log', ['', 'on', 'Requests']],
  ['metrics', ['', 'true', '1']],
  ['trustProxy', ['', 'off', '10.0.0.0/33', '::/129', '10.0.0', 'localhost', '127.0.0.1,']],
];

test('rejects an invalid value with the name of the setting and the accepted values', () => {
  assert.deepEqual(bad.map(([key]) => key), keys);
  for (const [key, texts] of bad) {
    for (const text of texts) {
      const message = `${environmentName(key)}: expected ${SETTINGS[key].expected}, got ${JSON.stringify(text)}`;
      if (text !== '') {
        assert.throws(() => readConfig([], { [environmentName(key)]: text }), new ConfigError(message), `${key} ${text}`);
      }
      assert.throws(() => readConfig([`--${flagName(key)}=${text}`], {}), new ConfigError(message), `${key} ${text}`);
    }
  }
});

test('rejects an unknown flag, and a flag without its value, in one line', () => {
  for (const args of [['--prot=1'], ['-p', '1'], ['--port'], ['--help=1']]) {
    const isOneLine = (error: unknown): boolean => error instanceof ConfigError && /^[^\n]+$/.test(error.message);
    assert.throws(() => readConfig(args, {}), isOneLine, args.join(' '));
  }
});
