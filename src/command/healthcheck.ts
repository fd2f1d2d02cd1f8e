/** The command that checks whether a service answers. */
import http from 'node:http';
import { fail } from './output.ts';
import type { ListenSettings } from './server-settings.ts';

/** Milliseconds. */
const HEALTHCHECK_TIMEOUT = 3_000;
/** The loopback address of each wildcard address, which stands for all interfaces. */
export const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** Checks that the service with these settings is alive. */
export function checkHealth({ host, port }: ListenSettings): void {
  const address = LOOPBACK[host] ?? host;
  const request = http.get(
    { host: address, port, path: '/healthz', timeout: HEALTHCHECK_TIMEOUT },
    (response) => {
      if (response.statusCode !== 200) {
        fail(`healthcheck: expected 200, got ${response.statusCode}`);
      }
      process.exit(0);
    },
  );
  const seconds = HEALTHCHECK_TIMEOUT / 1000;
  const timedOut = `healthcheck: expected an answer within ${seconds} seconds, got none`;
  request.on('timeout', () => fail(timedOut));
  request.on('error', (error) => fail(`healthcheck: ${error.message}`));
}
