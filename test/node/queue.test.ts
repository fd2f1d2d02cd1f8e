import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { WorkQueue } from '../../src/node/queue.ts';
import { replaceClock } from '../clock.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('runs work in order, about a millisecond per turn of the event loop', async (context) => {
  const pass = replaceClock(context);
  const queue = new WorkQueue(500);
  const done: number[] = [];
  for (let item = 0; item < 6; item += 1) {
    queue.add(() => {
      done.push(item);
      pass(0.6);
    });
  }
  assert.deepEqual(done, []);
  for (const count of [2, 4, 6]) {
    await turn();
    assert.deepEqual(done, [0, 1, 2, 3, 4, 5].slice(0, count));
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
  while (done.length < 3) await turn();
  queue.add(() => void done.push('d'));
  while (done.length < 4) await turn();
  assert.deepEqual(done, ['a', 'b', 'c', 'd']);
});

test('marks work late after the limit, and the queue overloaded at a third of it', async (context) => {
  const pass = replaceClock(context);
  const queue = new WorkQueue(100);
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
  while (late.length < 6) await turn();
  assert.deepEqual(late, [false, false, false, false, false, true]);
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
  while (late.length < 3) await turn();
  assert.deepEqual(late, [false, false, false]);
});

test('postpones work for up to 32 turns while connections arrive', async () => {
  const queue = new WorkQueue(500);
  let turns = 0;
  let workedAfter: number | undefined;
  queue.add(() => (workedAfter = turns));
  while (workedAfter === undefined) {
    queue.noteConnection();
    await turn();
    turns += 1;
  }
  assert.equal(workedAfter, 32);
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
  while (done.length === 0) await turn();
});
