import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from './helpers/command.ts';
import { root } from './helpers/repository.ts';

const known = process.allowedNodeEnvironmentFlags;
const options = [
  known.has('--permission') ? '--permission' : '--experimental-permission',
  `--allow-fs-read=${fileURLToPath(root)}*`,
  // From Node 25 the network is a permission too.
  ...(known.has('--allow-net') ? ['--allow-net'] : []),
  '--disable-proto=throw',
  '--disallow-code-generation-from-strings',
];

test('serves every operation with permission to read its own files only', async (context) => {
  const service = run(context, ['--port=0', '--log=requests', '--metrics=on'], {}, options);
  const { address } = await service.ready();
  const post = async (path: string, body: string): Promise<number> =>
    (
      await fetch(`${address}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
    ).status;
  assert.equal(
    await post('/api/v1/tax/calculate', '{"income":30000000,"type":"net","detail":true}'),
    200,
  );
  assert.equal(
    await post('/api/v1/interest/calculate', '{"principal":1,"annual_rate":8.5,"years":2}'),
    200,
  );
  assert.equal(await post('/api/v1/hash', '{"text":"a"}'), 200);
  const metrics = await fetch(`${address}/metrics`);
  assert.equal(metrics.status, 200);
  assert.doesNotMatch(await metrics.text(), /^process_open_fds/m);
  service.child.kill('SIGTERM');
  assert.equal(await service.ended(), 0);
  assert.deepEqual(
    service.lines.filter((line) => line.includes('"error"')),
    [],
  );
  assert.doesNotMatch(service.errors, /ERR_ACCESS_DENIED/);
});
