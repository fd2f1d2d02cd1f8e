/** The proxies whose X-Forwarded-For is trusted. */
import { BlockList, isIP } from 'node:net';

/** The proxies to trust, if any. */
export function trustedProxies(trustProxy: string | undefined): BlockList | undefined {
  if (trustProxy === undefined) return undefined;
  const proxies = new BlockList();
  for (const network of trustProxy.split(',')) addNetwork(proxies, network);
  return proxies;
}

/** Adds an address or a network. Returns false if the text is neither. */
export function addNetwork(proxies: BlockList, text: string): boolean {
  const [, address = '', digits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const version = isIP(address);
  const bits = version === 6 ? 128 : 32;
  const length = Number(digits ?? bits);
  if (version === 0 || length > bits) return false;
  proxies.addSubnet(address, length, version === 6 ? 'ipv6' : 'ipv4');
  return true;
}
