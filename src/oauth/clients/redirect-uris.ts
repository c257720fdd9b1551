/** Schemes that lead into the browser itself or to a place where no application waits. */
const NO_APPLICATION =
  /^(about|blob|chrome|data|file|filesystem|ftp|ftps|javascript|mailto|resource|sms|tel|vbscript|view-source|ws|wss):$/;

const MAX_LENGTH = 1024;

/** What is wrong with a redirect URI that a client names for itself; undefined where nothing is. */
export function faultOfRedirectUri(uri: string): string | undefined {
  if (uri.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URL takes them out, and what compares texts does not
  if (!URL.canParse(uri) || /[\s\\#\u0000-\u001f\u007f]/.test(uri)) return "must be a URL without a fragment";
  const url = new URL(uri);
  // A browser would take it for a path of this server, which has the same scheme (WHATWG URL, "scheme state").
  if (/^https?:$/.test(url.protocol) && !/^https?:\/\/[^/]/i.test(uri)) return "must have // before its host";
  if (url.username !== "" || url.password !== "") return "must hold no user name or password";
  if (url.protocol === "https:") return undefined;
  if (url.protocol === "http:") {
    return isLoopbackUri(url) ? undefined : "must be https, or http on 127.0.0.1, [::1] or localhost";
  }
  return NO_APPLICATION.test(url.protocol) ? `must not have the scheme ${url.protocol}` : undefined;
}

/**
 * Whether a request's redirect URI is one that its client named: the same text, but for the port on loopback,
 * which an application learns when it starts to listen (RFC 8252 §7.3).
 */
export function isRedirectUriOf(named: readonly string[], asked: string): boolean {
  if (named.includes(asked)) return true;
  if (faultOfRedirectUri(asked) !== undefined) return false;
  const portless = withoutLoopbackPort(asked);
  return named.some((uri) => withoutLoopbackPort(uri) === portless);
}

/** Where a redirect leads, for the person who is asked: a host, this computer, or an application. */
export function destinationOf(uri: string): { kind: "site" | "computer" | "application"; name: string } {
  const url = new URL(uri);
  if (isLoopbackUri(url)) return { kind: "computer", name: url.host };
  return url.protocol === "https:"
    ? { kind: "site", name: url.host }
    : { kind: "application", name: url.protocol.replace(/:$/, "") };
}

/** Only the port may differ, and it must be written as one. */
function withoutLoopbackPort(uri: string): string {
  return uri.replace(/^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(:\d{1,5})?(?=[/?]|$)/, "$1");
}

function isLoopbackUri({ protocol, hostname }: URL): boolean {
  return protocol === "http:" && /^(127\.0\.0\.1|\[::1\]|localhost)$/.test(hostname);
}
