/**
 * `npm test`: starts the runner as the leader of a process group, to which the processes of the tests
 * and their services belong. They end together: when the runner has ended, or when this process does.
 */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { fewerOptimizations } from './flags.mjs';

const path = fileURLToPath(new URL('runner.mjs', import.meta.url));
// Node.js passes the options of the runner on to the process of each file.
const options = [...process.execArgv, ...fewerOptimizations];
const runner = spawn(process.execPath, [...options, path, ...process.argv.slice(2)], {
  detached: true,
  stdio: ['pipe', 'inherit', 'inherit'],
});

function endGroup() {
  try {
    process.kill(-runner.pid, 'SIGKILL');
  } catch (error) {
    // The group is empty.
    if (error.code !== 'ESRCH') throw error;
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    endGroup();
    process.exit(128 + constants.signals[signal]);
  });
}
runner.on('exit', (code) => {
  endGroup();
  process.exitCode = code ?? 1;
});
