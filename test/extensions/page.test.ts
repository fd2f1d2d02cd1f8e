/** The page of a running service. */
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { operations } from '../../src/operations/operations.ts';
import { run } from '../helpers/command.ts';
import { firstExample } from '../helpers/fixture.ts';
import { pageFiles, root } from '../helpers/repository.ts';

test('answers everything after its files have been removed, as a build does', async (context) => {
  const folder = mkdtempSync(join(tmpdir(), 'service-'));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  cpSync(new URL('package.json', root), join(folder, 'package.json'));
  cpSync(new URL('dist/src/', root), join(folder, 'src'), { recursive: true });
  const service = run(context, ['--port=0', '--metrics=on'], {}, [], join(folder, 'src/main.js'));
  const { address } = await service.ready();
  rmSync(folder, { recursive: true });

  const files = pageFiles()
    .filter((name) => !name.startsWith('index'))
    .map((name) => `/page/${name}`);
  for (const path of ['/', '/?lang=vi', ...files, '/openapi.json', '/metrics']) {
    const { status } = await fetch(address + path, {
      headers: { accept: 'text/html, */*' },
    });
    assert.equal(status, 200, path);
  }
  for (const operation of operations) {
    const { method } = operation;
    const headers = { 'content-type': 'application/json' };
    const init = method === 'GET' ? {} : { headers, body: JSON.stringify(firstExample(operation)) };
    const { status } = await fetch(address + operation.path, { method, ...init });
    assert.equal(status, 200, operation.path);
  }
});
