import { BlockList, isIP } from "node:net";

/** All addresses that begin with the same bits. */
export interface AddressRange {
  address: string;
  bits: number;
  family: "ipv4" | "ipv6";
}

/** Parses an address or a CIDR range (RFC 4632 §3.1, RFC 4291 §2.3). Returns undefined if it is malformed. */
export function rangeOf(text: string): AddressRange | undefined {
  const [address, bits, ...more] = text.split("/") as [string, ...string[]];
  const version = isIP(address);
  const most = version === 6 ? 128 : 32;
  const isPrefix = bits === undefined || (/^(0|[1-9]\d{0,2})$/.test(bits) && Number(bits) <= most);
  if (version === 0 || !isPrefix || more.length > 0 || address.includes("%")) return undefined;
  return { address, bits: bits === undefined ? most : Number(bits), family: version === 6 ? "ipv6" : "ipv4" };
}

/** Returns a list of ranges, to check addresses against. In one with both families, `::/0` matches IPv4 addresses too. */
export function blockListOf(ranges: Iterable<AddressRange>): BlockList {
  const list = new BlockList();
  for (const { address, bits, family } of ranges) list.addSubnet(address, bits, family);
  return list;
}
