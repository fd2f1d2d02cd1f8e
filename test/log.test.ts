import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort, run } from './command.ts';

test('LOG=requests writes a line for each request, whole at the end of the process', async (context) => {
  const service = run(context, ['--port=0', '--log=requests']);
  const { address } = await service.event('ready');
  for (let index = 0; index < 300; index += 1) {
    await fetch(`${String(address)}/healthz`, { headers: { 'x-request-id': `r${index}` } });
  }
  service.child.kill('SIGTERM');
  assert.equal(await service.ended(), 0);
  const lines = service.lines.map((line) => JSON.parse(line) as { event: string; id?: string });
  assert.deepEqual(lines.filter(({ event }) => event === 'request').map(({ id }) => id),
    Array.from({ length: 300 }, (_, index) => `r${index}`));
  assert.equal(lines.at(-1)?.event, 'stopped');
});

test('LOG=off writes nothing', async (context) => {
  const port = await freePort();
  const service = run(context, [`--port=${port}`, '--log=off']);
  while (!(await fetch(`http://127.0.0.1:${port}/healthz`).then(({ ok }) => ok, () => false)));
  service.child.kill('SIGTERM');
  assert.equal(await service.ended(), 0);
  assert.deepEqual(service.lines, []);
  assert.equal(service.errors, '');
});

test('a reader of the log that goes away, or stops reading, does not stop the service', async (context) => {
  const service = run(context, ['--port=0', '--log=requests']);
  const { address } = await service.event('ready');
  service.child.stdout?.pause();
  const get = (): Promise<Response> => fetch(`${String(address)}/${'a'.repeat(200)}`);
  for (let index = 0; index < 1_000; index += 1) assert.equal((await get()).status, 404);
  service.child.stdout?.destroy();
  for (let index = 0; index < 200; index += 1) assert.equal((await get()).status, 404);
  service.child.kill('SIGTERM');
  assert.equal(await service.ended(), 0);
});
