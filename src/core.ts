#!/usr/bin/env node
/** The core as a command of its own: the operations, health checks, limits and shutdown, without any extension. */
import { CommandLine } from './command/command-line.ts';
import { healthcheckCommand } from './command/healthcheck.ts';
import { fieldsOf, logTo } from './command/log.ts';
import { runCommand, SERVE_HELP } from './command/run.ts';
import { serve } from './command/serve.ts';
import { connectionSettings, processSettings } from './command/server-settings.ts';
import { serviceOptions, serviceSettings } from './command/service-settings.ts';
import { object, type Value } from './contract/schema.ts';
import { coreOperations } from './operations/core.ts';
import type { App } from './server/exchange.ts';
import { AT_ONCE } from './server/scheduler.ts';
import { serviceOf } from './service/service.ts';

const settings = object({
  ...processSettings.fields,
  ...serviceSettings.fields,
  ...connectionSettings.fields,
});

const LEFT_OUT =
  'page, OpenAPI, law tables, reconciliation, bulk requests, metrics, request log, '
  + 'overload, workers, calc, MCP';

const log = logTo((line) => process.stdout.write(`${line}\n`));
// A log that cannot be written ends neither requests nor the process.
process.stdout.on('error', () => undefined);

function start(given: Value<typeof settings>): void {
  const options = serviceOptions(given, coreOperations);
  const app: App = {
    service: serviceOf({
      ...options,
      about: { ...options.about, title: `${options.about.title}, core without: ${LEFT_OUT}` },
      isReady: () => !app.isDraining,
    }),
    observers: [{ faulted: (fault, id) => log.line('error', 'error', { id, ...fieldsOf(fault) }) }],
    scheduler: AT_ONCE,
    isDraining: false,
  };
  serve(app, given, log);
}

runCommand(new CommandLine(settings), {
  serve: { help: SERVE_HELP, run: start },
  healthcheck: healthcheckCommand,
});
