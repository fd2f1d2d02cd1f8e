import assert from 'node:assert/strict';
import { test } from 'node:test';
import { healthcheckCommand } from '../../src/command/healthcheck.ts';
import { commandFor } from '../../src/command/run.ts';
import { ConfigError } from '../../src/command/service-settings.ts';
import { commandLine } from '../../src/composition/settings.ts';
import { calcCommand } from '../../src/extensions/calc/command.ts';
import { mcpCommand } from '../../src/extensions/mcp/command.ts';
import { operations } from '../../src/operations/operations.ts';

/** The commands of the program, none of which begins to work. */
const commands = {
  serve: { help: '', run: (): never => assert.fail() },
  healthcheck: healthcheckCommand,
  calc: calcCommand(operations, () => assert.fail()),
  mcp: mcpCommand(() => assert.fail()),
};

const COMMANDS = 'expected serve, healthcheck, calc, mcp or help, got';
const CALCULATIONS = 'calc: expected one of tax, annual, reconcile, interest, solve, hash, got';

/** Arguments that no command accepts, and the message. */
const REFUSED: readonly (readonly [args: readonly [string, ...string[]], message: string])[] = [
  [['start'], `${COMMANDS} "start"`],
  [['toString'], `${COMMANDS} "toString"`],
  [['tax'], `${COMMANDS} "tax"; did you mean \`calc tax\`?`],
  [['version'], `${COMMANDS} "version"; did you mean \`--version\`?`],
  [['healthchek'], `${COMMANDS} "healthchek"; did you mean \`healthcheck\`?`],
  [['serve', 'now'], 'serve: expected no further argument, got "now"'],
  [['calc'], `${CALCULATIONS} none`],
  [['calc', 'taxes'], `${CALCULATIONS} "taxes"`],
  [['calc', 'tax', '{}', '[]'], 'calc tax: expected at most one JSON text or file, got also "[]"'],
];

test('a refusal of arguments names the accepted or a similar one', () => {
  const { settings } = commandLine.parse([], {});
  for (const [[name, ...args], message] of REFUSED) {
    const use = (): void => commandFor(commands, name, args).run(settings, args);
    assert.throws(use, new ConfigError(message));
  }
});
