/** The comparison of the clock with the law tables. */
import { FIRST_PERIOD, REVIEWED_THROUGH } from '../tax/law.ts';
import { monthAt } from '../tax/period.ts';
import type { Level, Log } from './log.ts';

/** Milliseconds between two comparisons. */
const CLOCK_INTERVAL = 3_600_000;

/** The level of each message. The first is only logged when one of the others ceases to apply. */
export const CLOCK_EVENTS = {
  'law current': 'info',
  'law outdated': 'warn',
  'wrong clock': 'warn',
} as const satisfies Readonly<Record<string, Level>>;
type ClockEvent = keyof typeof CLOCK_EVENTS;

/** Compares the clock with the law tables now and every hour, and logs each change. */
export function compareClock(log: Log): void {
  let last: ClockEvent = 'law current';
  const compare = (): void => {
    const month = monthAt(Date.now());
    const event = eventOf(month);
    if (event === last) return;
    last = event;
    log.line(CLOCK_EVENTS[event], event, { month, reviewed_through: REVIEWED_THROUGH });
  };
  compare();
  // The process may end while the timer runs.
  setInterval(compare, CLOCK_INTERVAL).unref();
}

function eventOf(month: string): ClockEvent {
  if (month < FIRST_PERIOD) return 'wrong clock';
  return month > REVIEWED_THROUGH ? 'law outdated' : 'law current';
}
