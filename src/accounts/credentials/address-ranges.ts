import { type BlockList, isIP } from "node:net";
import { BoundedMap } from "../../system/caching.ts";
import { type AddressRange, blockListOf, rangeOf } from "../../system/network/address-range.ts";

const MAX_REMEMBERED = 1000;

/**
 * Parses a range that a credential may be bound to. One of IPv4-mapped IPv6 addresses is none: such clients are matched
 * by their IPv4 address.
 */
export function bindingRangeOf(text: string): AddressRange | undefined {
  const range = rangeOf(text);
  return range?.family === "ipv6" && IPV4_MAPPED.check(range.address, "ipv6") ? undefined : range;
}

/** IPv4-mapped IPv6 addresses (RFC 4291 §2.5.5.2). */
const IPV4_MAPPED = blockListOf([{ address: "::ffff:0:0", bits: 96, family: "ipv6" }]);

/** Whether one of `addresses` equals or contains `address`. False if `address` is malformed. */
export function holdsAddress(addresses: readonly string[], address: string): boolean {
  const plain = address.split("%", 1)[0] as string;
  const version = isIP(plain);
  if (version === 0) return false;
  const given = version === 6 ? "ipv6" : "ipv4";
  const isMapped = given === "ipv6" && IPV4_MAPPED.check(plain, given);
  return listsOf(addresses)[isMapped ? "ipv4" : given].check(plain, given);
}

/** A list for each family, because in a single list `::/0` would match all IPv4 addresses. */
type Lists = Record<AddressRange["family"], BlockList>;

/** Block lists by the text of their ranges, since the store may return equal ranges as new arrays each time. */
const made = new BoundedMap<string, Lists>(MAX_REMEMBERED);

function listsOf(addresses: readonly string[]): Lists {
  const text = addresses.join(" ");
  const known = made.get(text);
  if (known) return known;
  const ranges = addresses.flatMap((each) => bindingRangeOf(each) ?? []);
  const lists = {
    ipv4: blockListOf(ranges.filter(({ family }) => family === "ipv4")),
    ipv6: blockListOf(ranges.filter(({ family }) => family === "ipv6")),
  };
  made.set(text, lists);
  return lists;
}

/** Whether one of `addresses` contains the whole range `inner`. */
export function holdsRange(addresses: readonly string[], inner: string): boolean {
  const range = bindingRangeOf(inner);
  return addresses.some((each) => {
    const outer = bindingRangeOf(each);
    if (!range || outer?.family !== range.family || outer.bits > range.bits) return false;
    return holdsAddress([each], range.address);
  });
}
