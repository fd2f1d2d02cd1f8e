/** The command `mcp`: the Model Context Protocol over standard input and output, one message per line. */
import { pipeline } from 'node:stream/promises';
import { inspect } from 'node:util';
import { exitOn } from '../../command/output.ts';
import type { Command } from '../../command/run.ts';
import { type Line, LineSplitter } from '../../lines/lines.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { messageAnswerer } from './messages.ts';

/**
 * Maximum bytes of a message. It is so far above the limit of a call that each call of a client gets an answer with its
 * id; a client would wait in vain for one without.
 */
export const LINE_LIMIT = 1024 * 1024;

/** The command that answers messages as the service with these options would, until the end of the input. */
export function mcpCommand<S>(optionsOf: (settings: S) => ServiceOptions): Command<S> {
  return {
    help: `  mcp           answers the Model Context Protocol on standard input and output`,
    run: (settings) => void serveMessages(optionsOf(settings)),
  };
}

async function serveMessages(options: ServiceOptions): Promise<void> {
  const { stdin, stdout } = process;
  const onFailure = exitOn('mcp');
  stdout.on('error', onFailure);
  try {
    await pipeline(answersTo(stdin, options), stdout, { end: false });
  } catch (error) {
    onFailure(error as Error);
  }
}

async function* answersTo(
  input: AsyncIterable<Uint8Array>,
  options: ServiceOptions,
): AsyncGenerator<string> {
  const answer = messageAnswerer(options, LINE_LIMIT);
  const splitter = new LineSplitter(LINE_LIMIT);
  const answerLine = (line: Line): string => {
    if (line.length > LINE_LIMIT) throw new Error(`expected messages of up to ${LINE_LIMIT} bytes`);
    if (line.length === 0) return '';
    const { body, fault } = answer({ body: line });
    // Standard output is for messages only.
    if (fault !== undefined) process.stderr.write(`${inspect(fault)}\n`);
    return body === '' ? '' : `${body}\n`;
  };
  for await (const chunk of input) {
    for (const line of splitter.add(chunk)) yield answerLine(line);
  }
  for (const line of splitter.end()) yield answerLine(line);
}
