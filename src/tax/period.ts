/** Months in Vietnam, as the periods of the law tables. */
import { Failure } from '../contract/failure.ts';
import { FIRST_PERIOD } from './law.ts';

/** Vietnam has been at UTC+7 without daylight saving time since 1975 (tz database). */
const VIETNAM_OFFSET = 7 * 60 * 60 * 1000;

/**
 * The month (YYYY-MM) in Vietnam at a time in milliseconds since 1970-01-01T00:00Z, by default now. Throws a Failure
 * (`internal_error`) for a time before the law tables, which only a wrong clock shows.
 */
export function periodAt(time: number = Date.now()): string {
  const period = monthAt(time);
  if (period >= FIRST_PERIOD) return period;
  throw new Failure(
    'internal_error',
    `The clock of the service shows ${period}, which is before `
      + `${FIRST_PERIOD}: set the clock, or send \`period\``,
  );
}

/** The month (YYYY-MM) in Vietnam at a time in milliseconds since 1970-01-01T00:00Z. */
export function monthAt(time: number): string {
  return new Date(time + VIETNAM_OFFSET).toISOString().slice(0, 'YYYY-MM'.length);
}

/** The end of a month (YYYY-MM) in Vietnam, in milliseconds since 1970-01-01T00:00Z. */
export function endOf(period: string): number {
  const [year = 0, month = 0] = period.split('-').map(Number);
  // The months of Date.UTC begin with 0, so that this is the first day of the next month.
  return Date.UTC(year, month) - VIETNAM_OFFSET;
}
