/** The command that checks whether a service answers. */
import http from 'node:http';
import { fail } from './output.ts';
import type { Command } from './run.ts';
import type { ProcessSettings } from './server-settings.ts';

/** Milliseconds. */
const HEALTHCHECK_TIMEOUT = 3_000;
/** The loopback address of each wildcard address, which stands for all interfaces. */
export const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

export const healthcheckCommand: Command<ProcessSettings> = {
  help: '  healthcheck   checks that the service with these settings is alive; exit code 0 or 1',
  run: checkHealth,
};

/** Checks that the service with these settings is alive, through no proxy. */
function checkHealth({ host, port }: ProcessSettings): void {
  const options = {
    host: LOOPBACK[host] ?? host,
    port,
    path: '/healthz',
    // With NODE_USE_ENV_PROXY, the default agent sends requests to a proxy.
    agent: false,
    signal: AbortSignal.timeout(HEALTHCHECK_TIMEOUT),
  };
  const request = http.get(options, ({ statusCode }) => {
    if (statusCode !== 200) fail(`healthcheck: expected 200, got ${statusCode}`);
    process.exit(0);
  });
  const seconds = HEALTHCHECK_TIMEOUT / 1000;
  const timedOut = `expected an answer within ${seconds} seconds, got none`;
  request.on('error', ({ name, message }) =>
    fail(`healthcheck: ${name === 'AbortError' ? timedOut : message}`),
  );
}
