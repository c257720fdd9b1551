import type { IncomingMessage } from "node:http";
import { isIP, isIPv4, isIPv6 } from "node:net";
import { blockListOf, rangeOf } from "../../system/network/address-range.ts";
import { isLoopbackAddress } from "../../system/network/loopback.ts";

/** Returns the client's address: the socket's, or the one that trusted proxies forward. */
export type AddressOf = (req: IncomingMessage) => string;

/**
 * @param trust which proxies to trust. `undefined`: none, forwarding headers are ignored. A number: that many proxies
 * stand in front. Comma-separated addresses and CIDRs: those are the proxies.
 */
export function addressReader(trust: string | undefined): AddressOf {
  if (trust === undefined) return (req) => normalise(req.socket.remoteAddress);
  // Express takes `true` and numbers, which is what authors who write JavaScript say here, too.
  const trusted = /^\d+$/.test(trust) ? byHops(Number(trust)) : byAddress(String(trust));
  return (req) => {
    // Nearest first: the socket's peer, then what each proxy appended.
    const chain = [normalise(req.socket.remoteAddress), ...forwardedFor(req).reverse()];
    let index = 0;
    while (index < chain.length - 1 && trusted(chain[index] as string, index)) index++;
    return chain[index] as string;
  };
}

function byHops(hops: number): (address: string, index: number) => boolean {
  return (_, index) => index < hops;
}

function byAddress(list: string): (address: string) => boolean {
  const ranges = entriesOf(list).map((entry) => {
    const range = rangeOf(entry);
    if (range) return range;
    throw new Error(
      `trustProxy or --trust-proxy takes a number of hops, or addresses and CIDRs; "${entry}" is neither.`,
    );
  });
  const proxies = blockListOf(ranges);
  return (address) => isIP(address) !== 0 && proxies.check(address, isIPv6(address) ? "ipv6" : "ipv4");
}

/** Whether a list of proxies is all addresses there are, so that any client may say which one is its own. */
export function trustsEverybody(trust: string | undefined): boolean {
  return trust !== undefined && entriesOf(String(trust)).some((entry) => rangeOf(entry)?.bits === 0);
}

function entriesOf(list: string): string[] {
  return list.split(",").map((entry) => entry.trim());
}

/** Returns the addresses of X-Forwarded-For, furthest first. Everything before an invalid address is discarded. */
function forwardedFor(req: IncomingMessage): string[] {
  const header = req.headers["x-forwarded-for"];
  const text = Array.isArray(header) ? header.join(",") : (header ?? "");
  const addresses = text === "" ? [] : text.split(",").map((part) => normalise(stripPort(part.trim())));
  const lastWrong = addresses.findLastIndex((address) => isIP(address) === 0);
  return addresses.slice(lastWrong + 1);
}

function stripPort(text: string): string {
  const bracketed = /^\[([^\]]+)\](?::\d+)?$/.exec(text);
  if (bracketed) return bracketed[1] as string;
  return /^\d+\.\d+\.\d+\.\d+:\d+$/.test(text) ? text.slice(0, text.indexOf(":")) : text;
}

function normalise(address: string | undefined): string {
  if (!address) return "unknown";
  return address.startsWith("::ffff:") && isIP(address.slice(7)) === 4 ? address.slice(7) : address;
}

/** Returns what an address is counted by: IPv4 by address, IPv6 by /64, since one host usually has all of it. */
export function subjectOf(address: string): string {
  if (!isIPv6(address)) return `address/${address}`;
  const [head = "", tail] = (address.split("%")[0] as string).split("::");
  const groups = head === "" ? [] : head.split(":");
  if (tail !== undefined) {
    const behind = tail === "" ? [] : tail.split(":");
    while (groups.length + behind.length < 8) groups.push("0");
    groups.push(...behind);
  }
  const prefix = groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `address/${prefix.join(":")}::/64`;
}

const FORWARDED = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "forwarded",
  "x-real-ip",
  "via",
];

/** Whether a request comes from a program on this machine itself. One that a local proxy forwards does not count. */
export function isFromHere({ socket, headers }: IncomingMessage): boolean {
  return (
    isLoopbackAddress(normalise(socket.remoteAddress)) &&
    FORWARDED.every((name) => headers[name] === undefined)
  );
}

/** Whether a Host header, if present, is a loopback name. */
export function isLoopbackHost(host = "localhost"): boolean {
  const name = host.toLowerCase().replace(/:\d+$/, "");
  return name === "localhost" || name === "[::1]" || (isIPv4(name) && isLoopbackAddress(name));
}
