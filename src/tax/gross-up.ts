/**
 * From net to gross: the smallest whole gross income that leaves exactly a given net.
 *
 * In every month covered, and with every combination of insurances, one more đồng of gross adds at most 1 đồng of net;
 * the tests prove it over a whole period of the roundings. A deduction does not change this, because it is constant,
 * nor does exempt income, which is net in full. Net falls where a payment reaches the threshold of a flat tax, and may
 * fall where several roundings coincide, but because it never rises by more than 1, every net occurs, and a gross whose
 * net is x đồng short must rise by at least x: adding the shortfall never passes the smallest answer. Each step closes
 * more than half of the gap, but for the roundings, unless it passes the threshold, because more than half of any
 * increase is left: by the rates of 2026, (1 − 10.5 %) × (1 − 35 %) = 58 %.
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
