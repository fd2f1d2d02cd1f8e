import type { TestContext } from 'node:test';
import { healthOperations } from '../../src/http/health.ts';
import { type RecorderOptions, RequestRecorder } from '../../src/node/recorder.ts';
import { operations } from '../../src/operations.ts';

/** A line of the log, without its time. */
export type Line = Readonly<Record<string, unknown>>;

/** A recorder, and the lines that it has logged so far. */
export interface Recording {
  readonly recorder: RequestRecorder;
  readonly lines: Line[];
}

/**
 * Creates a recorder of all requests, whose timers and metrics end with the test. Calls `onRequest` with the line of
 * each request when the recorder logs it.
 */
export function recording(
  context: TestContext,
  options: Partial<RecorderOptions> = {},
  onRequest: (line: Line) => void = () => undefined,
): Recording {
  const lines: Line[] = [];
  const recorder = new RequestRecorder({
    log: {
      line: (level, msg, fields) => void lines.push({ level, msg, ...fields }),
      write(members) {
        const line = JSON.parse(`{${members()}}`) as Line;
        lines.push(line);
        onRequest(line);
      },
      flush: () => Promise.resolve(true),
    },
    verbosity: 'requests',
    metrics: undefined,
    paths: [...operations, ...healthOperations].map(({ path }) => path),
    trusted: undefined,
    ...options,
  });
  context.after(() => {
    recorder.stop();
    options.metrics?.stop();
  });
  return { recorder, lines };
}

/** The reasons of the connections that the service has reset. */
export function resetsIn(lines: readonly Line[]): unknown[] {
  return lines.filter(({ msg }) => msg === 'reset').map(({ reason }) => reason);
}
