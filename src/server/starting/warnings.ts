import type { Log } from "../../system/log.ts";
import { isLoopback } from "../../system/network/loopback.ts";
import type { ServerOptions } from "../control-plane.ts";
import { trustsEverybody } from "../pipeline/client-address.ts";

/** Warns of settings that are right only on a developer's machine, or that do less than they seem to. */
export function warnOfSettings(
  options: Pick<ServerOptions, "privateClients" | "privateWebhooks" | "baseUrl"> & {
    trustProxy: string | undefined;
  },
  log: Log,
): void {
  const { privateClients, privateWebhooks, baseUrl, trustProxy } = options;
  if (privateClients) {
    log.warn({}, "OAuth client ids may be URLs of this machine and its networks: for development alone");
  }
  if (privateWebhooks) {
    log.warn({}, "webhooks may lead to this machine and its networks: for development alone");
  }
  if (baseUrl !== undefined && new URL(baseUrl).pathname !== "/") {
    log.warn(
      { baseUrl },
      "under a path only the API works, since pages, sign-in and metadata lie at the root of a host: give this server a host name of its own, and a base URL without a path",
    );
  }
  if (trustsEverybody(trustProxy)) {
    log.warn(
      { trustProxy },
      "everybody is believed about their address, so limits bind nobody: trust the proxies' own addresses, or their number",
    );
  }
}

/** A server that listens speaks plain HTTP, so an https URL says that a proxy stands in front of it. */
export function warnOfWhatIsInFront(
  { allowRemote, url, trustProxy }: { allowRemote: boolean; url: string; trustProxy: string | undefined },
  log: Log,
): void {
  if (url.startsWith("https:")) {
    if (trustProxy !== undefined) return;
    log.warn(
      { url },
      "all who come through the proxy count as one address, whose limits anybody can use up for everybody: say --trust-proxy 1",
    );
  } else if (allowRemote || !isLoopback(new URL(url).hostname)) {
    log.warn(
      { url },
      "tokens travel unencrypted: put TLS in front of this server and say --base-url https://…",
    );
  }
}
