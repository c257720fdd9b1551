import { type BlockList, isIPv4, isIPv6 } from "node:net";
import { type AddressRange, blockListOf, rangeOf } from "./address-range.ts";

/** IPv4 addresses that are not globally reachable (IANA's special-purpose address registry, RFC 6890). */
const SPECIAL_IPV4 = ranges(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/3",
);

/** Global unicast addresses, and the ranges within them that lead to other networks or nowhere. */
const GLOBAL_IPV6 = ranges("2000::/3");
const SPECIAL_IPV6 = ranges("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20");

/**
 * Whether an IP address is reachable from the whole internet. Addresses that embed another one (IPv4-mapped, NAT64,
 * 6to4, Teredo) are not public, because they may lead to a private address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !SPECIAL_IPV4.check(address, "ipv4");
  return isIPv6(address) && GLOBAL_IPV6.check(address, "ipv6") && !SPECIAL_IPV6.check(address, "ipv6");
}

/** Fails to load where a range is malformed. */
function ranges(...texts: string[]): BlockList {
  return blockListOf(texts.map((text) => rangeOf(text) as AddressRange));
}
