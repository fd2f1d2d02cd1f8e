/**
 * `npm test`: starts the runner as the leader of a process group, to which the processes of the tests
 * and their services belong. They end together: when the runner has ended, or when this process does,
 * because the standard input of the runner ends with it.
 */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { fewerOptimizations } from './flags.mjs';

const path = fileURLToPath(new URL('runner.mjs', import.meta.url));
// Node.js passes the options of the runner on to the process of each file.
const options = [...process.execArgv, ...fewerOptimizations];
const runner = spawn(process.execPath, [...options, path, ...process.argv.slice(2)], {
  detached: true,
  stdio: ['pipe', 'inherit', 'inherit'],
});

runner.on('exit', (code) => {
  process.exitCode = code ?? 1;
  try {
    process.kill(-runner.pid, 'SIGKILL');
  } catch (error) {
    // The group is empty.
    if (error.code !== 'ESRCH') throw error;
  }
});
