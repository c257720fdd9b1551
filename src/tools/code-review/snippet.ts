import { knownTokens } from "../../text/secrets/known-tokens.ts";
import { isSecretValue, namedValues } from "./secrets/named-values.ts";

const MAX_LENGTH = 160;
const SHOWN = 4;
/** What a cut within a surrogate pair leaves at either end. */
const HALF_CHARACTERS = /^[\udc00-\udfff]|[\ud800-\udbff]$/g;

/** Returns a line as a finding shows it: cut around the column, trimmed, with all secrets on it masked. */
export function snippetOf(line: string, column: number, secrets: readonly string[]): string {
  const hidden = [...secrets, ...secretsOn(line)];
  const masked = hidden.reduce(mask, line);
  // A mask is shorter or longer than its secret, so the column moves.
  const at = hidden.reduce(mask, line.slice(0, column)).length;
  const from = Math.max(0, Math.min(at - 40, masked.length - MAX_LENGTH));
  const cut = masked
    .slice(from, from + MAX_LENGTH)
    .replace(HALF_CHARACTERS, "")
    .trim();
  return `${from > 0 ? "…" : ""}${cut}${from + MAX_LENGTH < masked.length ? "…" : ""}`.toWellFormed();
}

/** Maximum characters of a line that are searched for named secrets: minified lines are long. */
const MAX_LOOKED_AT = 20_000;

/** Returns all secrets on a line, including those that are suppressed, filtered out, or not the first on the line. */
function secretsOn(line: string): string[] {
  const named = namedValues(line.slice(0, MAX_LOOKED_AT)).filter(
    (each) => each.quoted && isSecretValue(each, false),
  );
  return [...knownTokens(line).map(({ text }) => text), ...named.map(({ value }) => value)];
}

/** Other words may contain a secret shorter than this by chance, so it is masked where it stands alone, if anywhere. */
const SHORT = 6;

function mask(text: string, secret: string): string {
  if (secret === "") return text;
  const kept = secret.length >= 3 * SHOWN ? secret.slice(0, SHOWN) : "";
  const alone =
    secret.length < SHORT
      ? text.replaceAll(secret, (_, at: number) => (standsAlone(text, at, secret) ? "****" : secret))
      : text;
  return alone === text ? text.replaceAll(secret, `${kept}****`) : alone;
}

function standsAlone(text: string, at: number, { length }: string): boolean {
  return !/[A-Za-z0-9]/.test(`${text[at - 1] ?? ""}${text[at + length] ?? ""}`);
}
