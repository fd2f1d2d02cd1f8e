/** Nearly valid bodies for the tests that compare answers. */
import type { Operation } from '../../src/contract/operation.ts';
import { operations } from '../../src/operations/operations.ts';
import { firstExample } from './fixture.ts';
import type { Random } from './random.ts';

const texts = [
  '',
  '0',
  'null',
  '2026-13',
  '2026-07',
  'gross',
  'monthly',
  '\ud800',
  '\u2028',
  '\0',
  'x'.repeat(300),
  '__proto__',
];
const numbers = [
  '0',
  '-0',
  '1',
  '-1',
  '0.5',
  '50',
  '51',
  '1e12',
  '1e13',
  '1e400',
  '-1e400',
  '5e-324',
  '100',
  '0.25',
  '500',
  '1.7976931348623157e308',
];
const others = [
  'null',
  'true',
  'false',
  '[]',
  '{}',
  '[[[]]]',
  '{"a":{"b":1}}',
  'NaN',
  'Infinity',
  '01',
  '1.',
  '"',
  '"\\x"',
  '\ufeff',
];
const unknownNames = ['', '__proto__', 'constructor', 'incme', '\ud800'];

const names = operations.flatMap(({ request }) =>
  Object.keys(request.schema['properties'] as object),
);

function value(random: Random): string {
  return random.pick([
    () => JSON.stringify(random.pick(texts)),
    () => random.pick(numbers),
    () => random.pick(others),
    () => String(random.next() * 10 ** random.below(16)),
  ])();
}

/** A body with fields of an operation, of others and of none, sometimes with bytes changed, cut or added. */
export function fuzzedBody(random: Random, operation: Operation): Buffer {
  const entries = Object.entries(firstExample(operation))
    .map(([name, given]) => [name, JSON.stringify(given)] as const)
    .filter(() => random.below(10) > 0);
  for (let extra = random.below(4); extra > 0; extra -= 1) {
    entries.push([random.pick(random.below(8) > 0 ? names : unknownNames), value(random)]);
  }
  const bytes = Buffer.from(
    `{${entries.map(([name, text]) => `${JSON.stringify(name)}:${text}`).join()}}`,
  );
  const change = random.below(6);
  if (change === 0 && bytes.length > 0) bytes[random.below(bytes.length)] = random.below(256);
  if (change === 1) return bytes.subarray(0, random.below(bytes.length + 1));
  if (change === 2) return Buffer.concat([bytes, Buffer.from([random.below(256)])]);
  return bytes;
}
