/** The settings of the log. */
import { BlockList, isIP } from 'node:net';
import { list } from '../../command/list.ts';
import { choice, optional, type Value, withDefault } from '../../contract/schema.ts';

/** The settings of the log. */
export const logSettings = {
  log: withDefault(
    choice(
      ['off', 'errors', 'requests'],
      'Log lines: none, process events and errors, or also one per request',
    ),
    'errors',
  ),
  trustProxy: optional(
    list(
      'Trusted proxies, whose X-Forwarded-For is logged; none if absent',
      'addresses and networks like 10.0.0.0/8, separated by commas',
      (text) => addNetwork(new BlockList(), text),
    ),
  ),
};

export type LogVerbosity = Value<typeof logSettings.log>;

/** The proxies to trust, if any. */
export function trustedProxies(trustProxy: string | undefined): BlockList | undefined {
  if (trustProxy === undefined) return undefined;
  const proxies = new BlockList();
  for (const network of trustProxy.split(',')) addNetwork(proxies, network);
  return proxies;
}

/** Adds an address or a network. Returns false if the text is neither. */
function addNetwork(proxies: BlockList, text: string): boolean {
  const [, address = '', digits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  const bits = version === 6 ? 128 : 32;
  const length = Number(digits ?? bits);
  if (version === 0 || length > bits) return false;
  proxies.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
  return true;
}
