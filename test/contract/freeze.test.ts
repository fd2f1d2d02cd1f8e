import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deepFreeze } from '../../src/contract/freeze.ts';

test('freezes a value and everything in it', () => {
  const value = { rows: [{ amount: 1 }], none: null, text: 'a' };
  assert.equal(deepFreeze(value), value);
  for (const part of [value, value.rows, value.rows[0]]) assert.ok(Object.isFrozen(part));
});

test('returns primitive values as they are', () => {
  for (const value of [null, undefined, 0, 'a', true]) assert.equal(deepFreeze(value), value);
});

test('freezes a value that contains itself', () => {
  const value: { self?: object } = {};
  value.self = value;
  assert.ok(Object.isFrozen(deepFreeze(value)));
});
