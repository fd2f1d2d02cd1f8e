import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { run } from './helpers/command.ts';
import { calculations, firstExample, sendJson } from './helpers/fixture.ts';
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
  for (const operation of calculations) {
    const body = JSON.stringify(firstExample(operation));
    assert.equal((await sendJson(address + operation.path, body)).status, 200, operation.path);
  }
  const metrics = await fetch(`${address}/metrics`);
  assert.equal(metrics.status, 200);
  assert.doesNotMatch(await metrics.text(), /^process_open_fds/m);
  await service.stop();
  assert.deepEqual(
    service.lines.filter((line) => line.includes('"error"')),
    [],
  );
  assert.doesNotMatch(service.errors, /ERR_ACCESS_DENIED/);
});
