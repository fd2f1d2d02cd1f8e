/**
 * From net to gross: the smallest whole gross income that leaves exactly a given net.
 *
 * In every month covered, one more đồng of gross adds 0 or 1 đồng of net; the tests prove it over a whole period of the
 * roundings. Only where a payment reaches the threshold of a flat tax does net fall, once. Net therefore takes every
 * value on its way up, and a gross whose net is short by some amount needs at least that amount more: adding the
 * shortfall never passes the smallest answer. Each step closes more than half of the gap, unless it passes the
 * threshold, because at least 58 % of any increase is left: (1 − 10.5 %) × (1 − 35 %), or 1 − 10.5 % − 20 % under a
 * flat tax.
 */

/** The smallest whole gross whose net, by `netOf`, is exactly `net` (whole đồng ≥ 0). */
export function grossUp(net: number, netOf: (gross: number) => number): number {
  let gross = net;
  for (let shortfall = net - netOf(gross); shortfall > 0; shortfall = net - netOf(gross)) gross += shortfall;
  return gross;
}
