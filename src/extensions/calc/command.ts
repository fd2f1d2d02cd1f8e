/** The command `calc`. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { exitOn, failUsage } from '../../command/output.ts';
import type { Command } from '../../command/run.ts';
import { ConfigError } from '../../command/service-settings.ts';
import { JSON_TYPE } from '../../contract/media-types.ts';
import { quoted } from '../../contract/escape.ts';
import type { Operation } from '../../contract/operation.ts';
import type { Service } from '../../service/service.ts';
import {
  calculateAll,
  calculateOne,
  calculationHelp,
  calculationsHelp,
  calculationsOf,
} from './calc.ts';

/** An argument that is a request and no file; the service refuses an array. */
const JSON_TEXT = /^\s*[{[]/;

/** The command that answers requests as the service with these operations would. */
export function calcCommand<S>(
  operations: readonly Operation[],
  serviceWith: (settings: S) => Service,
): Command<S> {
  const calculations = calculationsOf(operations);
  const names = [...calculations.keys()];
  return {
    help: `  calc <${names.join('|')}> [JSON | FILE | -]
                answers a request, or the requests in a file or on standard input, one per
                line; exit code 0, or 1 if any of them failed`,
    topics: {
      names,
      helpOf: (name) =>
        name === undefined
          ? calculationsHelp(calculations)
          : calculationHelp(name, calculations.get(name)!),
    },
    run(settings, [name, argument, further]) {
      if (name === undefined) {
        throw new ConfigError(`calc: expected one of ${names.join(', ')}, got none`);
      }
      if (further !== undefined) {
        throw new ConfigError(
          `calc ${name}: expected at most one JSON text or file, got also ${quoted(further)}`,
        );
      }
      void calc(calculations.get(name)!, serviceWith(settings), argument);
    },
  };
}

/** Answers the request in the argument, or the requests in a file or on standard input, as the service would. */
async function calc(
  operation: Operation,
  service: Service,
  argument: string | undefined,
): Promise<void> {
  const headers = { 'content-type': JSON_TYPE };
  const route = service.route({ method: 'POST', target: operation.path, headers });
  if (route.kind !== 'post') throw new Error(`${operation.path} does not accept POST`);
  const { stdout: output, stderr: messages } = process;
  const onFailure = exitOn('calc');
  output.on('error', onFailure);
  try {
    const hasSucceeded =
      argument !== undefined && JSON_TEXT.test(argument)
        ? calculateOne(route, Buffer.from(argument), { output, messages })
        : await calculateAll(route, {
            input: openInput(argument),
            output,
            messages,
          });
    process.exitCode = hasSucceeded ? 0 : 1;
  } catch (error) {
    onFailure(error as Error);
  }
}

/**
 * Opens the named file, or standard input for `-` and without a name; on a terminal, a message first states that the
 * command reads its input.
 */
function openInput(name = '-'): Readable {
  const input = name === '-' ? process.stdin : createReadStream(name);
  if ('isTTY' in input && input.isTTY) {
    process.stderr.write('Reading requests, one per line, until the end of input (Ctrl+D).\n');
  }
  // The argument may also be meant as a request.
  return input.on('error', ({ message }: Error) =>
    failUsage(
      `calc: expected a JSON object in braces, a file, or -, got ${quoted(name)}: ${message}`,
    ),
  );
}
