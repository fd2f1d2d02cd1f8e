/** `npm start`. An installation without scripts builds nothing. */
import { existsSync } from 'node:fs';

const main = new URL('../dist/src/main.js', import.meta.url);
if (existsSync(main)) {
  await import(main);
} else {
  process.stderr.write('The service is not built. To build it: npm run build\n');
  process.exitCode = 1;
}
