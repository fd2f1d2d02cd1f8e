import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SLICE, WorkQueue } from '../../src/extensions/overload/queue.ts';
import { replaceClock } from '../helpers/clock.ts';
import { once, turn, until } from '../helpers/until.ts';

/** The work in a queue, which takes several turns. */
const ITEMS = 20;

test('begins work for a millisecond per turn of the event loop', async (context) => {
  const pass = replaceClock(context);
  const queue = new WorkQueue(500);
  for (const cost of [0.25, 0.6, 30]) {
    const done: number[] = [];
    for (let item = 0; item < ITEMS; item += 1) {
      queue.add(() => {
        done.push(item);
        pass(cost);
      });
    }
    assert.deepEqual(done, []);
    while (done.length < ITEMS) {
      const before = done.length;
      await turn();
      const count = done.length - before;
      assert.ok((count - 1) * cost < SLICE, `${count} of ${cost} ms in a turn`);
      assert.ok(
        count * cost >= SLICE || done.length === ITEMS,
        `only ${count} of ${cost} ms in a turn`,
      );
    }
  }
});

test('runs work in the order in which it was added, also by other work', async () => {
  const queue = new WorkQueue(500);
  const done: string[] = [];
  queue.add(() => {
    done.push('a');
    queue.add(() => void done.push('c'));
  });
  queue.add(() => void done.push('b'));
  await until('work in the queue', () => done.length >= 3, turn);
  queue.add(() => void done.push('d'));
  await until('work in the queue', () => done.length >= 4, turn);
  assert.deepEqual(done, ['a', 'b', 'c', 'd']);
});

test('marks work late after the limit, and the queue overloaded after a third of it', async (context) => {
  const pass = replaceClock(context);
  const queue = new WorkQueue(75);
  const late: boolean[] = [];
  const overloaded: boolean[] = [];
  for (let item = 0; item < 6; item += 1) {
    queue.add((isLate) => {
      late.push(isLate);
      overloaded.push(queue.isOverloaded);
      pass(25);
    });
  }
  assert.equal(queue.isOverloaded, false);
  await until('work in the queue', () => late.length >= 6, turn);
  assert.deepEqual(late, [false, false, false, false, true, true]);
  assert.deepEqual(overloaded, [false, false, true, true, true, false]);
  // An empty queue is not overloaded, and time without work is no waiting time.
  pass(10_000);
  queue.add((isLate) => void late.push(isLate));
  assert.equal(queue.isOverloaded, false);
  await turn();
  assert.equal(late.at(-1), false);
});

test('marks no work late after a pause of the process', async (context) => {
  const pass = replaceClock(context);
  const queue = new WorkQueue(100);
  const late: boolean[] = [];
  for (let item = 0; item < 3; item += 1) {
    queue.add((isLate) => {
      late.push(isLate);
      if (item === 1) pass(60_000);
    });
  }
  await until('work in the queue', () => late.length >= 3, turn);
  assert.deepEqual(late, [false, false, false]);
});

test('accepts connections that arrive before further work, which they do not postpone forever', async () => {
  const queue = new WorkQueue(500);
  for (let round = 0; round < 2; round += 1) {
    let isDone = false;
    queue.add(() => (isDone = true));
    for (let connections = 0; connections < 5; connections += 1) {
      queue.noteConnection();
      await turn();
      assert.equal(isDone, false, `after ${connections} connections`);
    }
    await turn();
    assert.equal(isDone, true, 'after the last connection');

    isDone = false;
    queue.add(() => (isDone = true));
    for (let turns = 0; !isDone; turns += 1) {
      assert.ok(turns < 1_000, 'expected work while connections arrive without end');
      queue.noteConnection();
      await turn();
    }
  }
});

test('runs further work after work that throws', async () => {
  const queue = new WorkQueue(500);
  const done: string[] = [];
  const listeners = process.rawListeners('uncaughtException') as ((error: Error) => void)[];
  process.removeAllListeners('uncaughtException');
  const thrown = once(process, 'uncaughtException');
  queue.add(() => {
    throw new Error('a fault');
  });
  queue.add(() => void done.push('after'));
  assert.match(String(await thrown), /a fault/);
  for (const listener of listeners) process.on('uncaughtException', listener);
  await until('work in the queue', () => done.length > 0, turn);
});
