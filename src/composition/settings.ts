/** All settings: those of the core and of each extension, in the order in which documents list them. */
import { CommandLine } from '../command/command-line.ts';
import { connectionSettings, processSettings } from '../command/server-settings.ts';
import { serviceSettings } from '../command/service-settings.ts';
import { type Input, object, type Value } from '../contract/schema.ts';
import { bulkSettings } from '../extensions/bulk/settings.ts';
import { logSettings } from '../extensions/log/settings.ts';
import { mcpSettings } from '../extensions/mcp/settings.ts';
import { metricsSettings } from '../extensions/metrics/settings.ts';
import { overloadSettings } from '../extensions/overload/settings.ts';
import { workerSettings } from '../extensions/workers/settings.ts';

const { log, trustProxy } = logSettings;

/** The settings of a listener on the server of another program. */
export const handlerSettings = object({
  ...serviceSettings.fields,
  ...mcpSettings,
});

/** The settings of a listener on the server of another program, such as `{ taxPeriod: '2026-08' }`. */
export type HandlerSettings = Input<typeof handlerSettings>;

/** The settings of a server that a program starts. */
export const programSettings = object({
  ...serviceSettings.fields,
  ...bulkSettings,
  ...connectionSettings.fields,
  ...overloadSettings,
  log,
  ...metricsSettings,
  ...mcpSettings,
  trustProxy,
});

/** The settings of a server that a program starts, such as `{ log: 'requests', requestTimeout: 5 }`. */
export type Settings = Input<typeof programSettings>;
/** The checked settings of a program, with the defaults. */
export type ProgramSettings = Value<typeof programSettings>;

/** The settings of the command; an embedding program controls the first five itself. */
export const commandSettings = object({
  ...processSettings.fields,
  ...workerSettings,
  ...programSettings.fields,
});

/** The checked settings of the command, with the defaults. */
export type CommandSettings = Value<typeof commandSettings>;

/** The command line with all settings. */
export const commandLine = new CommandLine(commandSettings);
