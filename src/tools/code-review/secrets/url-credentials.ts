import type { FoundSecret } from "../../../text/secrets/known-tokens.ts";

const AUTHORITY = /:\/\/([^\s/?#@:"'`<>]{0,80}):([^\s/?#"'`<>]{1,200})@(?=[\w.[-])/g;
const MASKED = /^(?:[*•x.]{3,}|.{0,20}(?:\$\{|\$\(|\{\{|\}|%s|%\(|<|\*{4}|\[REDACTED|\[password).{0,80})/i;
const STANDING_IN =
  /^(?:pass|password|passwd|pwd|secret|user|username|xxx+|your[\w-]{0,30}|my[\w-]{0,30}|token|example|changeme|postgres|mysql|root|admin|guest|test\w{0,8}|key|apikey|port|foo|bar|[A-Z][A-Z_]{2,30}|\$\w{1,40}|:\w{1,40}|%\w{1,40}|\{\w{1,40})$/i;

/** Placeholders in web addresses. There are fewer of them, because a common word may be the real password. */
const STANDING_IN_ON_WEB = /^(?:password|passwd|pwd|x{3,}|token|your\w{0,20}|[A-Z_]{3,30}|\w)$/;
/** What hosts of repositories want in place of a password where the user is a token. */
const BESIDE_TOKEN = /^x-(?:access-token|oauth-basic|token-auth)$/;
/** Made-up users, passwords and (`NOWHERE`) hosts: most likely an example, but worth a look. */
const [NOBODY, MADE_UP] = [
  /^(?:user|username|usr|your[\w-]{0,20}|name|foo|login)$/i,
  /^(?:pass|secret|bar)(?:\W.{0,12})?$/i,
];
const NOWHERE = /^(?:host(?:name)?|server|example)(?![\w.-])/i;
/** Names that belong to nobody (RFC 2606). */
const RESERVED = /^(?:[\w-]{1,63}\.){0,5}(?:example\.(?:com|net|org)|example|test|invalid)(?![\w-]|\.\w)/i;
export const MADE_UP_ADDRESS = "the password of an address that looks made up";

/** Finds passwords in addresses: `https://user:password@host`. */
export function urlCredentials(line: string): FoundSecret[] {
  if (!line.includes("://")) return [];
  const found: FoundSecret[] = [];
  for (const match of line.matchAll(AUTHORITY)) {
    const [, user = "", password = ""] = match;
    if (MASKED.test(password) || password.startsWith("$") || password.startsWith("{")) continue;
    const scheme =
      /[a-z0-9+]{1,20}$/i.exec(line.slice(Math.max(0, match.index - 20), match.index))?.[0] ?? "";
    // In addresses of other schemes, such as those of databases, most common words are placeholders.
    const web = /^(?:https?|s?ftps?)$/i.test(scheme);
    if (!web && STANDING_IN.test(password)) continue;
    if (web && (STANDING_IN_ON_WEB.test(password) || BESIDE_TOKEN.test(password))) continue;
    // Anonymous access to a file server.
    if (user === "anonymous" && /^(?:anonymous|ftp|guest)?$/.test(password)) continue;
    if (user === "" && password.length < 4) continue;
    const column = match.index + 3 + user.length + 1;
    const host = line.slice(match.index + match[0].length);
    const isMadeUp =
      RESERVED.test(host) || (web && ((NOBODY.test(user) && MADE_UP.test(password)) || NOWHERE.test(host)));
    found.push({ column, text: password, what: isMadeUp ? MADE_UP_ADDRESS : "the password of an address" });
  }
  return found;
}
