/** All settings: those of the core and of the extensions, in the order in which documents list them. */
import { BlockList } from 'node:net';
import { availableParallelism } from 'node:os';
import { CommandLine } from '../command/command-line.ts';
import { list } from '../command/list.ts';
import { connectionSettings, processSettings } from '../command/server-settings.ts';
import { serviceSettings } from '../command/service-settings.ts';
import {
  addProblem,
  type Check,
  choice,
  type Input,
  integer,
  object,
  optional,
  type Value,
  withDefault,
} from '../contract/schema.ts';
import { addNetwork } from '../extensions/log/proxies.ts';
import { BULK_LIMIT } from '../service/body.ts';

const bulkBuffer = integer({
  description: 'Maximum body of a bulk request, in bytes',
  minimum: 65_536,
  maximum: 2 ** 30,
});
const maxLag = integer({
  description:
    'Maximum time that a request waits for the processor before it gets 503, in milliseconds',
  minimum: 10,
  maximum: 60_000,
});
const log = choice(
  ['off', 'errors', 'requests'],
  'Log lines: none, process events and errors, or also one per request',
);
const metrics = choice(['on', 'off'], 'Whether /metrics exists');
const mcp = choice(['on', 'off'], 'Whether /mcp serves the operations to AI assistants');
const trustProxy = list(
  'Trusted proxies, whose X-Forwarded-For is logged; none if absent',
  'addresses and networks like 10.0.0.0/8, separated by commas',
  (text) => addNetwork(new BlockList(), text),
);

const count = integer({
  description: 'Worker processes that share the port; max for one per CPU core',
  minimum: 1,
  maximum: 256,
});
const workers: Check<number> = {
  schema: { description: count.schema['description'], anyOf: [count.schema, { enum: ['max'] }] },
  read(value, field, problems) {
    const read = value === 'max' ? availableParallelism() : count.read(value, field, []);
    if (read !== undefined) return read;
    const expected = 'a whole number from 1 up to 256, or max';
    return addProblem(problems, field, 'out_of_range', expected, value);
  },
};

/** The settings of a listener on the server of another program. */
export const handlerSettings = object({
  ...serviceSettings.fields,
  mcp: withDefault(mcp, 'on'),
});

/** The settings of a listener on the server of another program, such as `{ taxPeriod: '2026-08' }`. */
export type HandlerSettings = Input<typeof handlerSettings>;

/** The settings of a server that a program starts. */
export const programSettings = object({
  ...serviceSettings.fields,
  bulkBuffer: withDefault(bulkBuffer, BULK_LIMIT),
  ...connectionSettings.fields,
  maxLag: withDefault(maxLag, 500),
  log: withDefault(log, 'errors'),
  metrics: withDefault(metrics, 'off'),
  mcp: handlerSettings.fields.mcp,
  trustProxy: optional(trustProxy),
});

/** The settings of a server that a program starts, such as `{ log: 'requests', requestTimeout: 5 }`. */
export type Settings = Input<typeof programSettings>;
/** The checked settings of a program, with the defaults. */
export type ProgramSettings = Value<typeof programSettings>;

/** The settings of the command; an embedding program controls the first five itself. */
export const commandSettings = object({
  ...processSettings.fields,
  workers: withDefault(workers, 1),
  ...programSettings.fields,
});

/** The checked settings of the command, with the defaults. */
export type CommandSettings = Value<typeof commandSettings>;

/** The command line with all settings. */
export const commandLine = new CommandLine(commandSettings);
