/**
 * From net to gross: the smallest whole gross income that leaves exactly a given net.
 *
 * In every month covered, and with every combination of insurances, one more đồng of gross adds 0
 * or 1 đồng of net; the tests prove it over a whole period of the roundings. A deduction does not
 * change this, because it is constant, nor does exempt income, which is net in full. Only where a
 * payment reaches the threshold of a flat tax does net fall, once. So every net occurs, and a gross
 * whose net is x đồng short must rise by at least x: adding the shortfall never passes the smallest
 * answer. Each step closes more than half of the gap, unless it passes the threshold, because at
 * least 58 % of any increase is left: (1 − 10.5 %) × (1 − 35 %), or 1 − 10.5 % − 20 % under a flat
 * tax.
 */

/** The smallest whole gross whose net, by `netOf`, is exactly `net` (whole đồng ≥ 0). */
export function grossUp(net: number, netOf: (gross: number) => number): number {
  let gross = net;
  let shortfall = net - netOf(gross);
  while (shortfall > 0) {
    gross += shortfall;
    shortfall = net - netOf(gross);
  }
  return gross;
}
