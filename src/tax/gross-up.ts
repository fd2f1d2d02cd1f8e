/**
 * From net to gross: the smallest whole gross income that leaves exactly a given net.
 *
 * By the law of every month covered, one đồng more of gross leaves 0 or 1 đồng more of net (the tests prove it over a
 * whole period of the roundings). So a gross that falls short by some amount needs at least that amount more, and
 * adding just that never passes the smallest answer. Each step closes more than half of the gap, for at least 58 % of
 * any rise is left: (1 − 10.5 %) × (1 − 35 %).
 */

/** The smallest whole gross whose net, by `netOf`, is exactly `net` (whole đồng ≥ 0). */
export function grossUp(net: number, netOf: (gross: number) => number): number {
  let gross = net;
  for (let short = net - netOf(gross); short > 0; short = net - netOf(gross)) gross += short;
  return gross;
}
