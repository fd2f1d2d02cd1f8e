/** The files of a version that `npm run release` writes. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { execFileSync } from './helpers/child.ts';
import { checkoutWith } from './helpers/package.ts';
import { built, readText } from './helpers/repository.ts';

const BUILT = [
  'calculators.html',
  'utility-calculation-service-core.cjs',
  'utility-calculation-service.cjs',
];

interface Component {
  readonly name: string;
  readonly version: string;
  readonly purl: string;
}

interface BillOfMaterials {
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

/** Releases the built files of a checkout with given packages, with another umask. */
function release(context: TestContext, packages: object): string {
  const paths = ['package.json', '.build', ...BUILT.map((file) => `dist/${file}`)];
  const folder = checkoutWith(context, 0o600, paths);
  const lock = JSON.parse(readText('package-lock.json')) as { packages: object };
  const changed = { ...lock, packages: { ...lock.packages, ...packages } };
  writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(changed));
  const args = ['-c', 'umask 077 && exec "$0" .build/release.mjs', process.execPath];
  execFileSync('/bin/sh', args, { cwd: folder });
  return join(folder, 'dist/release');
}

function billOf(folder: string): BillOfMaterials {
  return JSON.parse(readFileSync(join(folder, 'sbom.cdx.json'), 'utf8')) as BillOfMaterials;
}

test('a release has the files of the build, their SHA-256, and a bill of materials without a component', (context) => {
  const folder = release(context, {});
  const files = [...BUILT.slice(0, 1), 'sbom.cdx.json', ...BUILT.slice(1)];
  assert.deepEqual(readdirSync(folder).sort(), ['SHA256SUMS', ...files]);
  for (const file of BUILT)
    assert.ok(readFileSync(join(folder, file)).equals(readFileSync(built(`dist/${file}`))), file);
  const lines = files.map((file) => {
    const bytes = readFileSync(join(folder, file));
    return `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`;
  });
  assert.equal(readFileSync(join(folder, 'SHA256SUMS'), 'utf8'), lines.join(''));

  const { name, version, description } = JSON.parse(readText('package.json')) as {
    name: string;
    version: string;
    description: string;
  };
  const purl = `pkg:npm/${name}@${version}`;
  // Neither the time nor a random number, which the format permits.
  assert.deepEqual(billOf(folder), {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': purl, name, version, purl, description },
    },
    components: [],
    dependencies: [{ ref: purl, dependsOn: [] }],
  });
});

test('the bill of materials of a release lists each package that is not only for development', (context) => {
  const { components, dependencies } = billOf(
    release(context, {
      'node_modules/@scope/one': { version: '1.2.3' },
      'node_modules/two': { version: '2.0.0', dev: true },
    }),
  );
  const purl = 'pkg:npm/%40scope/one@1.2.3';
  const [component] = components;
  assert.equal(components.length, 1);
  assert.deepEqual(
    [component?.name, component?.version, component?.purl],
    ['@scope/one', '1.2.3', purl],
  );
  assert.deepEqual(dependencies[0]?.dependsOn, [purl]);
});
