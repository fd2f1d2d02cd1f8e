/**
 * `npm run release`, after bundle.mjs: writes the files of a version to dist/release/: the bundles, the
 * page in one file, a bill of materials in CycloneDX, and their SHA-256. The bytes depend only on those of
 * the checkout.
 */
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const FOLDER = 'dist/release/';

const root = new URL('../', import.meta.url);
const contentOf = (path) => JSON.parse(readFileSync(new URL(path, root), 'utf8'));

const { name, version, description } = contentOf('package.json');
const files = [`${name}.cjs`, `${name}-core.cjs`, 'calculators.html'];

/** A package as a component. */
function componentOf(type, name, version) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return { type, 'bom-ref': purl, name, version, purl };
}

/**
 * The service and the packages that it is installed with. `npm sbom` writes the time and a random number,
 * and with `include=dev` in .npmrc also the compiler.
 */
function billOfMaterials() {
  const service = { ...componentOf('application', name, version), description };
  const { packages } = contentOf('package-lock.json');
  const components = Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version }]) =>
      componentOf('library', path.split('node_modules/').pop(), version),
    );
  const dependsOn = components.map((component) => component['bom-ref']);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: { component: service },
    components,
    dependencies: [{ ref: service['bom-ref'], dependsOn }],
  };
}

function hashLine(file) {
  const bytes = readFileSync(new URL(FOLDER + file, root));
  return `${createHash('sha256').update(bytes).digest('hex')}  ${file}\n`;
}

rmSync(new URL(FOLDER, root), { recursive: true, force: true });
mkdirSync(new URL(FOLDER, root));
for (const file of files) {
  copyFileSync(new URL(`dist/${file}`, root), new URL(FOLDER + file, root));
}
const write = (file, text) => writeFileSync(new URL(FOLDER + file, root), text);
write('sbom.cdx.json', `${JSON.stringify(billOfMaterials(), undefined, 2)}\n`);
const sums = [...files, 'sbom.cdx.json'].sort().map(hashLine).join('');
write('SHA256SUMS', sums);
process.stdout.write(sums);
