import { promises as dns, type LookupAddress } from "node:dns";
import { type ClientRequest, get as httpGet, type IncomingMessage } from "node:http";
import { get as httpsGet } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "./public-address.ts";

/** A document that somebody else names and that this server goes and gets. */
export interface FetchedDocument {
  text: string;
  /** Of the answer's `Cache-Control`, where it has one. */
  cacheControl: string | undefined;
}

/** Gets a JSON document over https. Rejects with `CannotFetch`. */
export type FetchPublic = (url: URL) => Promise<FetchedDocument>;

/** Why a document was not fetched, in words for who named it. Says nothing of the network inside. */
export class CannotFetch extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options);
    this.name = "CannotFetch";
  }
}

export interface FetchPublicOptions {
  /** For development: addresses of this machine and its networks, and plain http. */
  allowPrivate?: boolean;
  /** Milliseconds for all of it. */
  timeoutMs: number;
  maxBytes: number;
  userAgent: string;
  /** All addresses of a name; rejects where there is none. */
  resolve?: (hostname: string) => Promise<string[]>;
}

/**
 * A fetch that cannot be turned against the network it runs in: a name is resolved once, all of its addresses
 * have to be public, and one of those is what is connected to. No redirect is followed, no credential sent, and
 * the answer is read no further than `maxBytes`.
 */
export function createFetchPublic(options: FetchPublicOptions): FetchPublic {
  const { allowPrivate = false, timeoutMs, userAgent } = options;
  const { resolve = allowPrivate ? resolveAsTheSystemDoes : resolveByNameServers } = options;

  function refuse(address: string): CannotFetch | undefined {
    return allowPrivate || isPublicAddress(address)
      ? undefined
      : new CannotFetch("its host has no public address");
  }

  async function publicAddresses(hostname: string): Promise<[LookupAddress, ...LookupAddress[]]> {
    const addresses = await resolve(hostname).catch((cause) => {
      throw new CannotFetch("its host cannot be found", { cause });
    });
    const [first, ...others] = addresses.map((address) => ({ address, family: isIP(address) }));
    if (!first) throw new CannotFetch("its host cannot be found");
    for (const address of addresses) {
      const refused = refuse(address);
      if (refused) throw refused;
    }
    return [first, ...others];
  }

  /** Asked for all addresses, Node tries one after the other: they have all been looked at. */
  const lookUpPublic: LookupFunction = (hostname, { all }, callback) => {
    publicAddresses(hostname).then(
      (addresses) => {
        if (all) callback(null, addresses);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error) => callback(error, ""),
    );
  };

  return async (url) => {
    if (url.protocol !== "https:" && !(allowPrivate && url.protocol === "http:")) {
      throw new CannotFetch("it is not an https URL");
    }
    // An address instead of a name is not looked up.
    const host = url.hostname.replace(/^\[|\]$/g, "");
    const refused = isIP(host) === 0 ? undefined : refuse(host);
    if (refused) throw refused;
    const signal = AbortSignal.timeout(timeoutMs);
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const get = url.protocol === "https:" ? httpsGet : httpGet;
        const request: ClientRequest = get(url, {
          agent: false,
          lookup: lookUpPublic,
          signal,
          maxHeaderSize: 16 * 1024,
          headers: { Accept: "application/json", "Accept-Encoding": "identity", "User-Agent": userAgent },
        });
        request.once("response", resolve).once("error", reject);
      });
      return await read(response, options.maxBytes);
    } catch (error) {
      if (error instanceof CannotFetch) throw error;
      if (signal.aborted)
        throw new CannotFetch(`it did not arrive within ${timeoutMs / 1000} s`, { cause: error });
      throw new CannotFetch("its host does not answer as a web server does", { cause: error });
    }
  };
}

/**
 * Without the threads that files and passwords are worked on with, which Node's own look-up holds for as long as a
 * name server keeps silent: whoever names such a host would stop this server.
 */
async function resolveByNameServers(hostname: string): Promise<string[]> {
  const resolver = new dns.Resolver({ timeout: 2_000, tries: 1 });
  const found = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = found.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
  if (addresses.length === 0) throw new Error(`${hostname} has no address`);
  return addresses;
}

/** Names of this machine and its network too. */
async function resolveAsTheSystemDoes(hostname: string): Promise<string[]> {
  return (await dns.lookup(hostname, { all: true })).map(({ address }) => address);
}

async function read(response: IncomingMessage, maxBytes: number): Promise<FetchedDocument> {
  try {
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300 && statusCode < 400)
      throw new CannotFetch("it is a redirect, which is not followed");
    if (statusCode !== 200) throw new CannotFetch(`its host answers ${statusCode}`);
    if (!/^application\/([\w.+-]+\+)?json\s*(;|$)/i.test(headers["content-type"] ?? "")) {
      throw new CannotFetch("it is not application/json");
    }
    if (headers["content-encoding"] !== undefined) throw new CannotFetch("it is compressed");
    const pieces: Buffer[] = [];
    let length = 0;
    for await (const piece of response) {
      pieces.push(piece);
      length += piece.length;
      if (length > maxBytes) throw new CannotFetch(`it is longer than ${maxBytes / 1024} KiB`);
    }
    return { text: Buffer.concat(pieces).toString(), cacheControl: headers["cache-control"] };
  } finally {
    response.destroy();
  }
}
