#!/usr/bin/env node
/** The command. It alone reads arguments, environment and signals, and ends the process. */
import type { AddressInfo } from 'node:net';
import { type Config, ConfigError, readConfig } from './config.ts';
import { createEndpoint, type Lifecycle } from './http/server.ts';
import { createService } from './http/service.ts';
import { fieldsOf, log } from './log.ts';
import { operations } from './operations.ts';
import { periodAt } from './tax/period.ts';

const SIGNALS = { SIGINT: 2, SIGTERM: 15 } as const;

function start(config: Config): void {
  const lifecycle: Lifecycle = { draining: false };
  const service = createService({
    operations,
    bodyLimits: { fields: config.bodyLimit, text: config.hashBodyLimit },
    currentPeriod: () => config.taxPeriod ?? periodAt(Date.now()),
    isReady: () => !lifecycle.draining,
    report: (error) => log('error', fieldsOf(error)),
  });
  const { server, drain } = createEndpoint(service, config, lifecycle);
  const stop = async (exitCode: number): Promise<void> => {
    await drain(config.shutdownTimeout);
    log('stopped');
    process.exitCode = exitCode;
  };
  for (const [signal, number] of Object.entries(SIGNALS)) {
    process.on(signal, () => {
      if (lifecycle.draining) process.exit(128 + number);
      log('draining', { signal });
      void stop(0);
    });
  }
  process.on('uncaughtException', (error) => {
    log('crashed', fieldsOf(error));
    if (lifecycle.draining) process.exit(1);
    void stop(1);
  });
  const failToListen = (error: Error): never => fail(error.message);
  server.once('error', failToListen);
  server.listen({ host: config.host, port: config.port }, () => {
    server.off('error', failToListen);
    server.on('error', (error) => log('error', fieldsOf(error)));
    log('ready', { address: urlOf(server.address()) });
  });
}

function urlOf(address: AddressInfo | string | null): string {
  if (address === null || typeof address === 'string') return String(address);
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}

/** Ends a start that cannot be, with one line. */
function fail(message: string): never {
  process.stderr.write(`utility-calculation-service: ${message}\n`);
  process.exit(1);
}

try {
  start(readConfig(process.argv.slice(2), process.env));
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  fail(error.message);
}
