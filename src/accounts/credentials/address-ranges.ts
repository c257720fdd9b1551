import { BlockList, isIP } from "node:net";
import { BoundedMap } from "../../system/caching.ts";

const MAX_REMEMBERED = 1000;

interface Range {
  address: string;
  bits: number;
  family: "ipv4" | "ipv6";
}

/**
 * Parses an address or a CIDR range (RFC 4632 §3.1, RFC 4291 §2.3). Returns undefined if it is malformed, or an
 * IPv4-mapped IPv6 address.
 */
export function rangeOf(text: string): Range | undefined {
  const [address, bits, ...more] = text.split("/") as [string, ...string[]];
  const version = isIP(address);
  const most = version === 6 ? 128 : 32;
  const isPrefix = bits === undefined || (/^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= most);
  if (version === 0 || !isPrefix || more.length > 0 || address.includes("%")) return undefined;
  const family = version === 6 ? "ipv6" : "ipv4";
  // Such clients are matched by their IPv4 address.
  if (family === "ipv6" && IPV4_MAPPED.check(address, family)) return undefined;
  return { address, bits: bits === undefined ? most : Number(bits), family };
}

/** IPv4-mapped IPv6 addresses (RFC 4291 §2.5.5.2). */
const IPV4_MAPPED = new BlockList();
IPV4_MAPPED.addSubnet("::ffff:0:0", 96, "ipv6");

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
type Lists = Record<Range["family"], BlockList>;

/** Block lists by the text of their ranges, since the store may return equal ranges as new arrays each time. */
const made = new BoundedMap<string, Lists>(MAX_REMEMBERED);

function listsOf(addresses: readonly string[]): Lists {
  const text = addresses.join(" ");
  const known = made.get(text);
  if (known) return known;
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const each of addresses) {
    const range = rangeOf(each);
    if (range) lists[range.family].addSubnet(range.address, range.bits, range.family);
  }
  made.set(text, lists);
  return lists;
}

/** Whether one of `addresses` contains the whole range `inner`. */
export function holdsRange(addresses: readonly string[], inner: string): boolean {
  const range = rangeOf(inner);
  return addresses.some((each) => {
    const outer = rangeOf(each);
    if (!range || outer?.family !== range.family || outer.bits > range.bits) return false;
    return holdsAddress([each], range.address);
  });
}
