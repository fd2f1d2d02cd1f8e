import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, type Outcome } from '../helpers/client.ts';
import { freePort, type Run, run } from '../helpers/command.ts';
import { until } from '../helpers/until.ts';

const onLinux = { skip: process.platform === 'linux' ? false : 'needs SIGSTOP' };

/** Stops the process for some milliseconds or, on a busy machine, longer, like a host that schedules other processes. */
async function pause({ child }: Run, milliseconds: number): Promise<void> {
  child.kill('SIGSTOP');
  await sleep(milliseconds);
  child.kill('SIGCONT');
}

const pauses: readonly [label: string, interfere: (service: Run) => Promise<void>][] = [
  ['of 1.2 s', (service) => pause(service, 1_200)],
  [
    'of 300 ms per second',
    async (service) => {
      for (let second = 0; second < 3; second += 1) {
        await pause(service, 300);
        await sleep(700);
      }
    },
  ],
  [
    'of half of every 100 ms, like a quota of half a core',
    async (service) => {
      for (let period = 0; period < 20; period += 1) {
        await pause(service, 50);
        await sleep(50);
      }
    },
  ],
];

describe('refuses no request after pauses of the process', { concurrency: true }, () => {
  for (const [label, interfere] of pauses) {
    test(label, onLinux, async (context) => {
      const service = run(context, ['--port=0']);
      const client = new Client(context, String((await service.event('ready'))['address']));
      const outcomes: Outcome[] = [];
      let isOver = false;
      const busy = client.keepBusy(() => isOver, outcomes);
      await until('100 answers', () => outcomes.length >= 100);
      await interfere(service);
      const before = outcomes.length;
      await until('100 answers after the pauses', () => outcomes.length >= before + 100);
      isOver = true;
      await busy;
      assert.deepEqual(new Set(outcomes), new Set([200]));
    });
  }
});

test('refuses no request when it starts under full load', async (context) => {
  const port = await freePort();
  const client = new Client(context, `http://127.0.0.1:${port}`);
  const outcomes: Outcome[] = [];
  const busy = client.keepBusy(
    () => outcomes.filter((outcome) => outcome === 200).length >= 500,
    outcomes,
  );
  await run(context, [`--port=${port}`]).event('ready');
  await busy;
  assert.deepEqual(new Set(outcomes), new Set(['ECONNREFUSED', 200]));
});
