/**
 * `node .build/picture.mjs` (after a build): draws .github/page.png, the picture of the page in README, and
 * src/page/card.png, the picture beside a link to the page. It needs Chromium, whose path the environment variable
 * CHROMIUM replaces.
 */
import { spawnSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const TIMEOUT = 60_000;
const { CHROMIUM = 'chromium' } = process.env;

const pathOf = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

/** Draws a page as a picture of up to a number of bytes. */
function draw(picture, size, maximum, page, query = '') {
  const { status, error, stderr } = spawnSync(
    CHROMIUM,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--hide-scrollbars',
      '--force-device-scale-factor=1',
      '--blink-settings=preferredColorScheme=1',
      `--window-size=${size}`,
      '--virtual-time-budget=5000',
      `--screenshot=${pathOf(picture)}`,
      `file://${pathOf(page)}${query}`,
    ],
    { encoding: 'utf8', timeout: TIMEOUT },
  );
  if (status !== 0) throw new Error(`${CHROMIUM}: ${error?.message ?? stderr}`);
  const { size: bytes } = statSync(pathOf(picture));
  if (bytes > maximum) throw new Error(`expected up to ${maximum} bytes, got ${bytes}`);
  console.log(`${picture}: ${bytes} bytes`);
}

// Every clone of the repository contains the pictures, and the service sends the second one.
const salary = '?lang=en#salary?income=30000000&dependents=1&period=2026-08';
draw('.github/page.png', '1280,800', 120_000, 'dist/calculators.html', salary);
draw('src/page/card.png', '1200,630', 40_000, '.build/card.html');
