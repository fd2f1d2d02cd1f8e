/** The start of `npm run build`: removes the last build, if there is a compiler for the next. */
import { rmSync } from 'node:fs';

try {
  import.meta.resolve('typescript');
  rmSync(new URL('../dist', import.meta.url), { recursive: true, force: true });
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  process.stderr.write('The compiler is not installed. To install it: npm ci --ignore-scripts\n');
  process.exitCode = 1;
}
