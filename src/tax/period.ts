/** Vietnam has been at UTC+7 without daylight saving time since 1975 (tz database, Asia/Ho_Chi_Minh). */
const VIETNAM_OFFSET = 7 * 60 * 60 * 1000;

/** The month (YYYY-MM) in Vietnam at a time in milliseconds since 1970-01-01T00:00Z. */
export function periodAt(time: number): string {
  const date = new Date(time + VIETNAM_OFFSET);
  return `${date.getUTCFullYear()}-${String(date.getUTCMonth() + 1).padStart(2, '0')}`;
}
