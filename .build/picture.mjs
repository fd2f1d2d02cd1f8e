/**
 * `node .build/picture.mjs` (after a build): draws .github/page.png, the picture of the page in README. It needs
 * Chromium, whose path the environment variable CHROMIUM replaces.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TIMEOUT = 60_000;
/** Bytes: every clone of the repository contains the picture. */
const MAXIMUM = 120_000;
const { CHROMIUM = 'chromium' } = process.env;

const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

const picture = '.github/page.png';
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
    `--screenshot=${pathOf(picture)}`,
    `file://${pathOf('dist/calculators.html')}${salary}`,
  ],
  { encoding: 'utf8', timeout: TIMEOUT },
);
if (status !== 0) throw new Error(`${CHROMIUM}: ${error?.message ?? stderr}`);
const { size } = statSync(pathOf(picture));
if (size > MAXIMUM) throw new Error(`expected up to ${MAXIMUM} bytes, got ${size}`);
console.log(`${picture}: ${size} bytes`);
