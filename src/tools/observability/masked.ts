import { maskSecrets } from "../../text/secrets/mask-secrets.ts";

/** In errors, unlike in prose, any value assigned to such a name is a secret, even without digits. */
const ASSIGNED =
  /((?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|session[_-]?id)[\w-]{0,20}["']?\s?[=:]\s?)(?:"[^"\n]{1,500}"|'[^'\n]{1,500}'|[^\s"',;&)}\]]{1,500})/gi;
const HEADER = /\b((?:proxy-)?authorization|(?:set-)?cookie)(["']?\s?[:=]\s?["']?)[^\n"']{1,2000}/gi;
/** E-mail addresses, but not packages with a version, such as `shop@1.4.0`. */
const MAIL =
  /[\p{L}\p{N}._%+-]{1,64}@(?!\d+\.\d+(?![\p{L}\d]))[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,5}/gu;

/**
 * Masks credentials and e-mail addresses in the text of an error, and cuts it to `most` characters. Twice as
 * many are searched, so that a secret at the cut is found whole.
 */
export function masked(text: string, most: number): string {
  const whole = text.slice(0, 2 * most).toWellFormed();
  const named = whole.replace(HEADER, "$1$2[masked]").replace(ASSIGNED, "$1[masked]");
  const secretless = maskSecrets(named).text;
  const without = secretless.includes("@") ? secretless.replace(MAIL, "[masked e-mail]") : secretless;
  return without.length > most ? `${without.slice(0, most - 1).toWellFormed()}…` : without;
}
