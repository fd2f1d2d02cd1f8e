#!/usr/bin/env node
/** The command: the service with all extensions. */
import cluster from 'node:cluster';
import { createApp } from './composition/app.ts';
import { healthcheckCommand } from './command/healthcheck.ts';
import { type Log, NO_LOG } from './command/log.ts';
import { type Command, runCommand, SERVE_HELP } from './command/run.ts';
import { serve } from './command/serve.ts';
import { serviceOptions } from './command/service-settings.ts';
import { calcCommand } from './extensions/calc/command.ts';
import { createLog } from './extensions/log/log.ts';
import { mcpCommand } from './extensions/mcp/command.ts';
import { addCounters, exposition, processSamples } from './extensions/metrics/metrics.ts';
import { joinWorkers, reportFailure } from './extensions/workers/cluster.ts';
import { serveWithWorkers } from './extensions/workers/serve.ts';
import { operations } from './operations/operations.ts';
import { serviceOf } from './service/service.ts';
import { commandLine, type CommandSettings } from './composition/settings.ts';

/** The commands; the first is the default. */
const commands: Readonly<Record<string, Command<CommandSettings>>> = {
  serve: { help: SERVE_HELP, run: start },
  healthcheck: healthcheckCommand,
  calc: calcCommand(operations, (settings) => serviceOf(serviceOptions(settings, operations))),
  mcp: mcpCommand((settings) => serviceOptions(settings, operations)),
};

/** Starts to serve, in this process or in workers. */
function start(settings: CommandSettings): void {
  const { workers } = settings;
  const log = settings.log === 'off' ? NO_LOG : createLog(workers > 1);
  if (workers > 1 && cluster.isPrimary) {
    const join = { addCounters, exposition, processSamples };
    const metrics = settings.metrics === 'on' ? join : undefined;
    serveWithWorkers(settings, workers, metrics, log);
  } else {
    serveHere(settings, log);
  }
}

/** Serves in this process, which may be a worker. */
function serveHere(settings: CommandSettings, log: Log): void {
  const { worker } = cluster;
  if (worker === undefined) {
    serve(createApp(settings, operations, log), settings, log);
    return;
  }
  const app = createApp(settings, operations, log, (samples) => joinWorkers(worker, samples));
  serve(app, settings, log, (...failure) => reportFailure(worker, ...failure));
}

runCommand(commandLine, commands, '; `calc tax --help` shows the fields of a calculation');
