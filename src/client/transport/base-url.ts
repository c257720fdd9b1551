import { isLoopback } from "../../system/network/loopback.ts";
import { sha256 } from "../../system/sha256.ts";
import { BadBaseUrl } from "../errors.ts";

/**
 * Normalises a server's address to the form used as a key: origin and path, no trailing slash. Throws `BadBaseUrl` if
 * it is no http(s) URL, contains a password, or is plain http and not loopback.
 */
export function normaliseBaseUrl(text: string): string {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new BadBaseUrl(`"${text}" is not an http or https URL such as https://control.example.com.`);
  }
  if (url.username || url.password) {
    throw new BadBaseUrl("A base URL must not hold a user name or password: sign in with `tool login`.");
  }
  if (!/^([\w.-]+|\[[\da-f:]+\])$/.test(url.hostname)) {
    throw new BadBaseUrl(
      `The base URL ${url.origin} names no host: it may have letters, digits, - and . alone.`,
    );
  }
  if (url.search || url.hash) {
    throw new BadBaseUrl(`The base URL ${url.origin}${url.pathname} must have no query and no fragment.`);
  }
  if (url.protocol === "http:" && !isLoopback(url.hostname)) {
    throw new BadBaseUrl(
      `${url.origin} would carry secrets in the clear: use https, or http to this machine alone.`,
    );
  }
  return url.origin + url.pathname.replace(/\/+$/, "");
}

/** Returns a file name for a server: recognisable, and unique per base URL. */
export function fileNameOf(baseUrl: string): string {
  const readable = new URL(baseUrl).host.replace(/[^a-zA-Z0-9.-]/g, "-");
  return `${readable}-${sha256(baseUrl).slice(0, 12)}`;
}
