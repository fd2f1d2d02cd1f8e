/** Headers with which a client states preferences. */

/** Maximum values of a header that are considered. */
const MAXIMUM_PREFERENCES = 50;

/**
 * The values of a header such as Accept-Language, in lower case and without those of weight 0, the most preferred first
 * (RFC 9110 section 12.4.2).
 */
export function preferences(header: string | readonly string[] | undefined): string[] {
  const values = String(header ?? '')
    .toLowerCase()
    .split(',', MAXIMUM_PREFERENCES)
    .map((text) => {
      const [value = '', weight] = text.split(/;\s*q=/);
      return { value: value.trim(), weight: Number(weight ?? 1) };
    });
  const accepted = values.filter(({ weight }) => weight > 0);
  accepted.sort((one, other) => other.weight - one.weight);
  return accepted.map(({ value }) => value);
}
