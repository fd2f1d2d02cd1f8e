/** The command `mcp`: the Model Context Protocol over standard input and output, one message per line. */
import { pipeline } from 'node:stream/promises';
import { inspect } from 'node:util';
import { exitOn } from '../../command/output.ts';
import type { Command } from '../../command/run.ts';
import { ByteQueue } from '../../service/body.ts';
import type { ServiceOptions } from '../../service/service.ts';
import { messageAnswerer } from './messages.ts';

/**
 * Maximum bytes of a message. It is so far above the limit of a call that each call of a client gets an answer with its
 * id; a client would wait in vain for one without.
 */
export const LINE_LIMIT = 1024 * 1024;
const LF = 10;
const CR = 13;

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
  const line = new ByteQueue(LINE_LIMIT);
  const add = (piece: Uint8Array): void => {
    line.add(piece);
    if (line.size > LINE_LIMIT) throw new Error(`expected messages of up to ${LINE_LIMIT} bytes`);
  };
  const answerLine = (): string => {
    const message = line.takeAll();
    if (isEmpty(message)) return '';
    const { body, fault } = answer({ body: message });
    // Standard output is for messages only.
    if (fault !== undefined) process.stderr.write(`${inspect(fault)}\n`);
    return body === '' ? '' : `${body}\n`;
  };
  for await (const chunk of input) {
    let start = 0;
    let end = chunk.indexOf(LF);
    while (end !== -1) {
      add(chunk.subarray(start, end));
      yield answerLine();
      start = end + 1;
      end = chunk.indexOf(LF, start);
    }
    add(chunk.subarray(start));
  }
  if (line.size > 0) yield answerLine();
}

function isEmpty(line: Uint8Array): boolean {
  return line.every((byte) => byte === CR);
}
