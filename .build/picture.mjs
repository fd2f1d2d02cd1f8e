/**
 * `node .build/picture.mjs` (after a build): writes .github/page.png, the picture of the page in README. It needs
 * Chromium, whose path the environment variable CHROMIUM replaces.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Maximum bytes of the picture, which every clone of the repository contains. */
const MAXIMUM_SIZE = 120_000;
const TIMEOUT = 60_000;
const { CHROMIUM = 'chromium' } = process.env;

const [page, picture] = ['../dist/calculators.html', '../.github/page.png'].map((path) =>
  fileURLToPath(new URL(path, import.meta.url)),
);
const salary = '?lang=en#salary?income=30000000&dependents=1&period=2026-08';
const { status, error, stderr } = spawnSync(
  CHROMIUM,
  [
    '--headless',
    '--no-sandbox',
    '--disable-gpu',
    '--hide-scrollbars',
    '--force-device-scale-factor=1',
    '--blink-settings=preferredColorScheme=1',
    '--window-size=1280,800',
    '--virtual-time-budget=5000',
    `--screenshot=${picture}`,
    `file://${page}${salary}`,
  ],
  { encoding: 'utf8', timeout: TIMEOUT },
);
if (status !== 0) throw new Error(`${CHROMIUM}: ${error?.message ?? stderr}`);
const { size } = statSync(picture);
if (size > MAXIMUM_SIZE) throw new Error(`expected up to ${MAXIMUM_SIZE} bytes, got ${size}`);
console.log(`.github/page.png: ${size} bytes`);
