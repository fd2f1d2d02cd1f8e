/** Loaded before a program: at the end of the process, it writes the names of the settings that have been read. */
import { writeSync } from 'node:fs';
import { CommandLine } from '../../src/command/command-line.ts';

const { parse } = CommandLine.prototype;
const read = new Set<string | symbol>();

CommandLine.prototype.parse = function (...given) {
  const { settings, ...parsed } = parse.apply(this, given);
  const watched = new Proxy<Record<string | symbol, unknown>>(
    { ...settings },
    {
      get: (all, name) => {
        read.add(name);
        return all[name];
      },
      // A copy of all settings reads none.
      ownKeys: () => [],
    },
  );
  return { ...parsed, settings: watched as typeof settings };
};

process.on('exit', () => writeSync(process.stderr.fd, JSON.stringify([...read])));
