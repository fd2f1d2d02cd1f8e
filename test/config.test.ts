import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Config, ConfigError, environmentName, flagName, readConfig, SETTINGS } from '../src/config.ts';

const keys = Object.keys(SETTINGS) as (keyof Config)[];

test('without a word, every setting has its default', () => {
  assert.deepEqual(readConfig([], {}), {
    host: '127.0.0.1',
    port: 8080,
    bodyLimit: 16_384,
    hashBodyLimit: 1_048_576,
    requestTimeout: 30_000,
    keepAliveTimeout: 75_000,
    shutdownTimeout: 10_000,
    taxPeriod: undefined,
  });
  assert.ok(Object.isFrozen(readConfig([], {})));
});

test('a flag goes before the environment, and that before the default', () => {
  assert.equal(readConfig([], { PORT: '1' }).port, 1);
  assert.equal(readConfig(['--port', '2'], { PORT: '1' }).port, 2);
  assert.equal(readConfig(['--keep-alive-timeout=0.5'], {}).keepAliveTimeout, 500);
  assert.equal(readConfig(['--host=::1'], {}).host, '::1');
});

const bad: readonly [name: keyof Config, texts: readonly string[]][] = [
  ['host', ['', 'a b', 'http://a', 'a/b']],
  ['port', ['', 'abc', '-1', '65536', '80.5', '0x50', ' 80', '8e3']],
  ['bodyLimit', ['', '63', '16K', '-1', '2000000000']],
  ['hashBodyLimit', ['', '63', '1M', '999999999999']],
  ['requestTimeout', ['', '0', '-1', '3601', '1s', 'Infinity', '1e3']],
  ['keepAliveTimeout', ['', '0', 'NaN']],
  ['shutdownTimeout', ['', '0', '10s']],
  ['taxPeriod', ['', '2014-12', '2026-13', '2026-1', 'now']],
];

test('a value that is none is refused, by flag and in the environment, with its name and what it takes', () => {
  assert.deepEqual(bad.map(([key]) => key), keys);
  for (const [key, texts] of bad) {
    for (const text of texts) {
      const message = `${environmentName(key)}: expected ${SETTINGS[key].takes}, got ${JSON.stringify(text)}`;
      assert.throws(() => readConfig([], { [environmentName(key)]: text }), new ConfigError(message), `${key} ${text}`);
      assert.throws(() => readConfig([`--${flagName(key)}=${text}`], {}), new ConfigError(message), `${key} ${text}`);
    }
  }
});

test('an unknown flag or a stray argument is refused in one line', () => {
  for (const args of [['--prot=1'], ['serve-me'], ['-p', '1'], ['--port']]) {
    const isOneLine = (error: unknown): boolean => error instanceof ConfigError && /^[^\n]+$/.test(error.message);
    assert.throws(() => readConfig(args, {}), isOneLine, args.join(' '));
  }
});
