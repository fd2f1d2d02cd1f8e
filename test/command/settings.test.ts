/** The settings that a program declares are those that it reads. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectionSettings, processSettings } from '../../src/command/server-settings.ts';
import { serviceSettings } from '../../src/command/service-settings.ts';
import { commandSettings } from '../../src/composition/settings.ts';
import { run } from '../helpers/command.ts';
import { modules } from '../helpers/repository.ts';

const READS = new URL(import.meta.url.replace(/command\/settings\.test/, 'helpers/setting-reads'));

const ofCore = [processSettings, serviceSettings, connectionSettings];
const PROGRAMS: Readonly<Record<string, readonly string[]>> = {
  main: Object.keys(commandSettings.fields),
  core: ofCore.flatMap(({ fields }) => Object.keys(fields)),
};

for (const [name, declared] of Object.entries(PROGRAMS)) {
  test(`${name} reads each of its settings`, async (context) => {
    const script = modules.replace(/main(?=\.\w+$)/, name);
    const service = run(context, ['--port=0'], {}, [`--import=${READS.href}`], script);
    await service.ready();
    await service.stop();
    // Node.js 22 warns of TypeScript before.
    const read = JSON.parse(service.errors.split('\n').at(-1)!) as string[];
    assert.deepEqual(read.sort(), [...declared].sort());
  });
}
