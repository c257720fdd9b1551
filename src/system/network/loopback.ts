/**
 * Whether a host, as a URL has it, never leaves this machine. Excludes `*.localhost`, which resolvers may look up in the
 * network.
 */
export function isLoopback(hostname: string): boolean {
  return hostname === "localhost" || hostname === "[::1]" || /^127(\.\d{1,3}){3}$/.test(hostname);
}

/** Whether an IP address is one of this machine. */
export function isLoopbackAddress(address: string): boolean {
  return address === "::1" || address.startsWith("127.");
}
