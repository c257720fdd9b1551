/** Schemes that the browser handles itself, or that no client application receives. */
const NO_APPLICATION =
  /^(about|blob|chrome|data|file|filesystem|ftp|ftps|javascript|mailto|resource|sms|tel|vbscript|view-source|ws|wss):$/;

const MAX_LENGTH = 1024;

/** Returns what is wrong with a client's redirect URI, as the end of a sentence, or undefined. */
export function faultOfRedirectUri(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL drops them, a comparison of strings does not
  if (!URL.canParse(uri) || /[\s\\#\u0000-\u001f\u007f]/.test(uri)) return "must be a URL without a fragment";
  const url = new URL(uri);
  // A browser would resolve it as a path of this server, which has the same scheme (WHATWG URL, "scheme state").
  if (/^https?:$/.test(url.protocol) && !/^https?:\/\/[^/]/i.test(uri)) return "must have // before its host";
  if (url.username !== "" || url.password !== "") return "must hold no user name or password";
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:") {
    return isLoopbackUri(url) ? undefined : "must be https, or http on 127.0.0.1, [::1] or localhost";
  }
  return NO_APPLICATION.test(url.protocol) ? `must not have the scheme ${url.protocol}` : undefined;
}

/**
 * Whether a request's redirect URI is one of its client's. They must be identical except for the port on loopback
 * addresses, which an application only learns when it starts to listen (RFC 8252 §7.3).
 */
export function isRedirectUriOf(named: readonly string[], asked: string): boolean {
  if (named.includes(asked)) return true;
  if (faultOfRedirectUri(asked) !== undefined) return false;
  const portless = withoutLoopbackPort(asked);
  return named.some((uri) => withoutLoopbackPort(uri) === portless);
}

/** Returns where a redirect leads, for the consent page: to a web site, this computer, or an application. */
export function destinationOf(uri: string): { kind: "site" | "computer" | "application"; name: string } {
  const url = new URL(uri);
  if (isLoopbackUri(url)) return { kind: "computer", name: url.host };
  return url.protocol === "https:"
    ? { kind: "site", name: url.host }
    : { kind: "application", name: url.protocol.replace(/:$/, "") };
}

/** Removes the port of a loopback URI, if it is well-formed. */
function withoutLoopbackPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(:\d{1,5})?(?=[/?]|$)/, "$1");
}

function isLoopbackUri({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(hostname);
}
