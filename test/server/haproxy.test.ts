import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { missing, spawnSync } from '../helpers/child.ts';
import { freePort } from '../helpers/command.ts';
import { fileIn, folderOf, startProgram, testRecipe } from '../helpers/proxy.ts';
import { readText } from '../helpers/repository.ts';
import { until } from '../helpers/until.ts';

const isRoot = process.getuid?.() === 0;
const start = (recipe: string, folder: string) =>
  startProgram('haproxy', '-db', '-q', '-f', fileIn(folder, 'haproxy.cfg', recipe));

testRecipe({
  name: 'haproxy',
  // Only root may change the user and the root folder.
  start: (recipe, folder) =>
    start(isRoot ? recipe : recipe.replaceAll(/^ {2}(?:user|group|chroot) .*\n/gm, ''), folder),
});

/** The user of the package of Debian; undefined without it. */
const { stdout, status } = spawnSync('id', ['-u', 'haproxy']);
const user = isRoot && status === 0 ? Number(stdout) : undefined;

test(
  'haproxy: the recipe in place of the file of the package keeps its user and its root folder',
  { skip: missing('haproxy') || (user === undefined && 'needs the user of the package, and root') },
  async (context) => {
    const port = await freePort();
    const recipe = readText('.deploy/haproxy.cfg').replace('bind :80', `bind 127.0.0.1:${port}`);
    const child = start(recipe, folderOf(context, 'haproxy'));
    context.after(() => void child.kill());
    // The proxy itself answers: there are no instances.
    const answer = (): Promise<Response | undefined> =>
      fetch(`http://127.0.0.1:${port}/metrics`).catch(() => undefined);
    await until('an answer of the proxy', async () => (await answer())?.status === 404);
    const ids = /^Uid:\t(\d+)\t(\d+)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'));
    assert.deepEqual(ids?.slice(1).map(Number), [user, user]);
    const root = spawnSync('readlink', [`/proc/${child.pid}/root`]);
    assert.equal(root.stdout.trim(), '/var/lib/haproxy', root.stderr);
  },
);
