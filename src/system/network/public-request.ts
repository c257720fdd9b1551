import type { LookupAddress } from "node:dns";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { abortWith } from "../abort.ts";
import { isPublicAddress } from "./public-address.ts";
import { CannotFetch, notPublic, urlChecker } from "./public-url.ts";
import { resolveAsTheSystemDoes, resolveByNameServers } from "./resolve-host.ts";

export interface PublicRequestOptions {
  /** For development: allows plain http, and addresses of this machine and its networks. */
  allowPrivate?: boolean;
  /** Timeout of the whole request, in milliseconds. */
  timeoutMs: number;
  userAgent: string;
  /** Returns all addresses of a name. Rejects if there are none. */
  resolve?: (hostname: string) => Promise<string[]>;
}

export interface PublicRequest {
  method: "GET" | "POST";
  headers: Readonly<Record<string, string>>;
  body?: string;
  /** Aborts the request. */
  signal?: AbortSignal;
}

/**
 * Sends a request and resolves with the result of `read`, after which the answer is closed. Rejects with
 * `CannotFetch`.
 */
export type SendPublic = <T>(
  url: URL,
  request: PublicRequest,
  read: (response: IncomingMessage) => Promise<T>,
) => Promise<T>;

/**
 * Creates a sender of requests that is safe against SSRF: a name is resolved once, all of its addresses must be
 * public, and the connection goes to one of these. Redirects are not followed, and no credentials are sent except in
 * the given headers.
 */
export function createSendPublic(options: PublicRequestOptions): SendPublic {
  const { allowPrivate = false, timeoutMs, userAgent } = options;
  const { resolve = allowPrivate ? resolveAsTheSystemDoes : resolveByNameServers } = options;
  const check = urlChecker(allowPrivate);

  async function publicAddresses(hostname: string): Promise<[LookupAddress, ...LookupAddress[]]> {
    const addresses = await resolve(hostname).catch((cause) => {
      throw new CannotFetch("its host cannot be found", { cause });
    });
    const [first, ...others] = addresses.map((address) => ({ address, family: isIP(address) }));
    if (!first) throw new CannotFetch("its host cannot be found");
    if (!allowPrivate && !addresses.every(isPublicAddress)) throw notPublic();
    return [first, ...others];
  }

  /** When Node asks for all addresses it tries one after the other. All of them have been checked. */
  const lookUpPublic: LookupFunction = (hostname, { all }, callback) => {
    publicAddresses(hostname).then(
      (addresses) => {
        if (all) callback(null, addresses);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error) => callback(error, ""),
    );
  };

  return async (url, { method, headers, body, signal: given }, read) => {
    const refused = check(url);
    if (refused) throw refused;
    const timeout = AbortSignal.timeout(timeoutMs);
    const over = new AbortController();
    const leaves = [timeout, ...(given ? [given] : [])].map((each) => abortWith(each, over));
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const start = url.protocol === "https:" ? httpsRequest : httpRequest;
        const request = start(url, {
          method,
          agent: false,
          lookup: lookUpPublic,
          signal: over.signal,
          maxHeaderSize: 16 * 1024,
          headers: { "Accept-Encoding": "identity", "User-Agent": userAgent, ...headers },
        });
        request.once("response", resolve).once("error", reject).end(body);
      });
      try {
        return await read(response);
      } finally {
        response.destroy();
      }
    } catch (error) {
      if (error instanceof CannotFetch) throw error;
      if (timeout.aborted)
        throw new CannotFetch(`it did not arrive within ${timeoutMs / 1000} s`, { cause: error });
      throw new CannotFetch("its host does not answer as a web server does", { cause: error });
    } finally {
      for (const leave of leaves) leave();
    }
  };
}
