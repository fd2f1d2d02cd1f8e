/** Bulk requests behind Caddy, as it is by default: it is written in Go, whose servers are half-duplex. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { missing, spawn } from '../helpers/child.ts';
import { freePort } from '../helpers/command.ts';
import { listen } from '../helpers/fixture.ts';
import { fileIn, folderOf } from '../helpers/proxy.ts';
import { part } from '../helpers/repository.ts';
import { answeredLines } from '../helpers/streams.ts';
import { until } from '../helpers/until.ts';

/** Lines of the requests. */
const COUNTS = [10_000, 2_000, 10_000, 116_000, 10_000, 20_000];
const counts = `${part(COUNTS).length} of ${COUNTS.length}`;

test(
  `caddy: answers all lines of ${counts} requests without a length`,
  { skip: missing('caddy') },
  async (context) => {
    const { port } = await listen(context);
    const front = await freePort();
    const site = `http://127.0.0.1:${front} {\n  reverse_proxy 127.0.0.1:${port}\n}\n`;
    const folder = folderOf(context, 'caddy');
    const file = fileIn(folder, 'Caddyfile', `{\n  admin off\n}\n${site}`);
    const words = ['run', '--adapter', 'caddyfile', '--config', file];
    // Caddy keeps files of its own in the home folder.
    const child = spawn('caddy', words, { stdio: 'ignore', cwd: folder }, { HOME: folder });
    context.after(() => void child.kill());
    const health = (): Promise<Response | undefined> =>
      fetch(`http://127.0.0.1:${front}/healthz`).catch(() => undefined);
    await until('an answer of the service', async () => (await health())?.status === 200);
    for (const count of part(COUNTS)) assert.equal(await answeredLines(front, count), count);
  },
);
