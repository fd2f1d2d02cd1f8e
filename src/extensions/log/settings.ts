/** The settings of the log. */
import { BlockList, isIP } from 'node:net';
import { list } from '../../command/list.ts';
import { choice, object, optional, type Value, withDefault } from '../../contract/schema.ts';

/** The values of LOG: no lines, lines about the process and its faults, or also one line per request. */
const LOG_VERBOSITIES = ['off', 'errors', 'requests'] as const;

export type LogVerbosity = (typeof LOG_VERBOSITIES)[number];

/** The settings of the log. */
export const logSettings = object({
  log: withDefault(
    choice(LOG_VERBOSITIES, 'Log lines: none, process events and errors, or also one per request'),
    'errors',
  ),
  trustProxy: optional(
    list(
      'Trusted proxies, whose X-Forwarded-For is logged; none if absent',
      'addresses and networks like 10.0.0.0/8, separated by commas',
      (text) => addNetwork(new BlockList(), text),
    ),
  ),
});

/** The proxies to trust, if any. */
export function trustedProxies({
  trustProxy,
}: Pick<Value<typeof logSettings>, 'trustProxy'>): BlockList | undefined {
  if (trustProxy === undefined) return undefined;
  const proxies = new BlockList();
  for (const network of trustProxy.split(',')) addNetwork(proxies, network);
  return proxies;
}

/** Adds an address or a network. Returns false if the text is neither. */
function addNetwork(proxies: BlockList, text: string): boolean {
  const [address = '', length, ...others] = text.split('/');
  const version = isIP(address);
  if (version === 0 || others.length > 0) return false;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  if (length === undefined) {
    proxies.addAddress(address, family);
    return true;
  }
  const isPrefix = /^\d{1,3}$/.test(length) && Number(length) <= (version === 6 ? 128 : 32);
  if (isPrefix) proxies.addSubnet(address, Number(length), family);
  return isPrefix;
}
