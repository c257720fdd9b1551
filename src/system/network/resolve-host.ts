import { promises as dns } from "node:dns";

/**
 * Resolves a name without libuv's thread pool. Node's own lookup blocks a thread there while a name server is silent,
 * so that such a name would stall file and password operations of the whole server.
 */
export async function resolveByNameServers(hostname: string): Promise<string[]> {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 1 });
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  if (addresses.length === 0) throw new Error(`${hostname} has no address`);
  return addresses;
}

/** Resolves a name like the system does, including names of this machine and its network. */
export async function resolveAsTheSystemDoes(hostname: string): Promise<string[]> {
  return (await dns.lookup(hostname, { all: true })).map(({ address }) => address);
}
