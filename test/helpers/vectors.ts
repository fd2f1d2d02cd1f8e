/** Expected results: a file of test/vectors/ has a JSON text per line, and comments after `//`. */
import { readText } from './repository.ts';

/** The rows of a file. The function names their type. */
export function vectors<Row>(name: string): readonly Row[] {
  return readText(`test/vectors/${name}.txt`)
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('//'))
    .map((line) => JSON.parse(line) as Row);
}

/** The rows of a file in which a line with a string names the source of the rows below it, each with its source. */
export function sourced<Row extends readonly unknown[]>(
  name: string,
): readonly (readonly [source: string, ...Row])[] {
  let source = '';
  return vectors<string | Row>(name).flatMap((line) => {
    if (typeof line !== 'string') return [[source, ...line] as const];
    source = line;
    return [];
  });
}
