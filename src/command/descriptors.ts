/** The limit of the file descriptors of this process. */
import { readFileSync } from 'node:fs';

/** Descriptors besides those of connections. Node uses up to 22; the metrics, the log and a worker add a few. */
const OWN_DESCRIPTORS = 32;

/** Maximum open descriptors; undefined if unlimited or unknown. */
export function descriptorLimit(): number | undefined {
  try {
    const limits = readFileSync('/proc/self/limits', 'utf8');
    const [, limit] = /^Max open files +(\d+)/m.exec(limits) ?? [];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    // Only Linux has this file, and Node's permission model may deny it.
    return undefined;
  }
}

/**
 * The connections for which there are descriptors. Beyond the limit, Node closes each new connection at once, without
 * an event.
 */
export function connectionCapacity(): number {
  return Math.max(1, (descriptorLimit() ?? Infinity) - OWN_DESCRIPTORS);
}
