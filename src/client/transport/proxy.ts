import type { Agent, AgentOptions } from "node:http";
import { getProxyForUrl } from "proxy-from-env";
import { environment } from "../../system/config.ts";
import { isLoopback } from "../../system/network/loopback.ts";

const VARIABLES = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"];

/**
 * Returns the URL of the proxy that HTTPS_PROXY, ALL_PROXY and NO_PROXY name for a server, in upper or lower case;
 * undefined if there is none. This machine is reached without one.
 */
export function proxyOf(url: URL): string | undefined {
  const proxy = isLoopback(url.hostname) ? "" : getProxyForUrl(url.href);
  if (proxy === "") return undefined;
  // A proxy without a scheme has got the server's one. As for curl, it is one that speaks plain HTTP.
  const given = proxy.slice(`${url.protocol}//`.length);
  return VARIABLES.some((name) => environment()[name] === given) ? `http://${given}` : proxy;
}

/** Creates an agent whose connections are tunnels through a proxy. Throws an `Error` if that is no URL of an HTTP proxy. */
export async function createProxyAgent(proxy: string, options: AgentOptions): Promise<Agent> {
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new Error("HTTPS_PROXY or ALL_PROXY must be as http://proxy.example:3128");
  }
  const { HttpsProxyAgent } = await import("https-proxy-agent");
  return new HttpsProxyAgent(url, options);
}

/** Returns what a status of a proxy means that opened no tunnel, as a phrase that follows "cannot be reached: ". */
export function refusalOfProxy(status: number): string {
  const why =
    status === 407 ? ": it wants a name and a password, as http://name:password@proxy.example:3128" : "";
  return `the proxy answers ${status}${why}`;
}

/** Returns a proxy's address without its user name and password. */
export function shownProxy(proxy: string): string {
  return URL.canParse(proxy) ? new URL(proxy).host : "what is no URL";
}
