import { promises as dns } from "node:dns";

/**
 * Without the threads that files and passwords are worked on with, which Node's own look-up holds for as long as a
 * name server keeps silent: whoever names such a host would stop this server.
 */
export async function resolveByNameServers(hostname: string): Promise<string[]> {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 1 });
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  if (addresses.length === 0) throw new Error(`${hostname} has no address`);
  return addresses;
}

/** Names of this machine and its network too. */
export async function resolveAsTheSystemDoes(hostname: string): Promise<string[]> {
  return (await dns.lookup(hostname, { all: true })).map(({ address }) => address);
}
