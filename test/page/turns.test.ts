/** Work in turns: its result, and its ends before that. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { scripts } from '../helpers/page-scripts.ts';

/** Steps of which each takes longer than a turn, so that a wait follows it; they end after some steps. */
function* stepsOf(count: number, taken: number[]): Generator<number, string> {
  for (let step = 1; step <= count; step += 1) {
    const end = performance.now() + 30;
    while (performance.now() < end);
    taken.push(step);
    yield step;
  }
  return 'result';
}

test('returns the result after all steps, each of which the caller receives before its wait', async () => {
  const [taken, received]: [number[], number[]] = [[], []];
  const { signal } = new AbortController();
  const result = await scripts.inTurns(stepsOf(3, taken), signal, (step) => received.push(step));
  assert.equal(result, 'result');
  assert.deepEqual(
    [taken, received],
    [
      [1, 2, 3],
      [1, 2, 3],
    ],
  );
});

test('takes steps that take no time in one turn', async () => {
  const { signal } = new AbortController();
  assert.equal(await scripts.inTurns([][Symbol.iterator](), signal), undefined);
  assert.equal(await scripts.inTurns(stepsOf(0, []), AbortSignal.abort()), 'result');
});

test('ends in the wait in which another event aborts it', async () => {
  const taken: number[] = [];
  const running = new AbortController();
  // The wait lets the timers that are due run first.
  const abort = (): void => void setTimeout(() => running.abort());
  assert.equal(await scripts.inTurns(stepsOf(9, taken), running.signal, abort), undefined);
  assert.deepEqual(taken, [1]);
});

test('ends if the caller aborts it before a wait', async () => {
  const taken: number[] = [];
  const running = new AbortController();
  const abort = (step: number): void => {
    if (step === 2) running.abort();
  };
  assert.equal(await scripts.inTurns(stepsOf(9, taken), running.signal, abort), undefined);
  assert.deepEqual(taken, [1, 2]);
});

test('returns no result of work that is aborted in its last wait', async () => {
  const running = new AbortController();
  const steps = (function* (): Generator<number, string> {
    yield* stepsOf(1, []);
    setTimeout(() => running.abort());
    return 'result';
  })();
  assert.equal(await scripts.inTurns(steps, running.signal), undefined);
});
