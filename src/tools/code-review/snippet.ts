import { knownTokens } from "../../text/secrets/known-tokens.ts";
import { isSecretValue, namedValues } from "./secrets/named-values.ts";

const MAX_LENGTH = 160;
const SHOWN = 4;
/** What a cut within a surrogate pair leaves at either end. */
const HALF_CHARACTERS = /^[\udc00-\udfff]|[\ud800-\udbff]$/g;

/** Returns a line as a finding shows it: cut around the column, trimmed, with all secrets on it masked. */
export function snippetOf(line: string, column: number, secrets: readonly string[]): string {
  const tokens = knownTokens(line).map(({ column, text }) => ({
    from: column,
    to: column + text.length,
    text,
  }));
  // A line of megabytes may hold as many secrets as characters: only those around the column are looked for.
  const around = (edge: number) =>
    tokens.find(({ from, to }) => from < edge && edge < to) ?? secretAround(line, edge, secrets);
  const start = around(column - MAX_BESIDE)?.from ?? Math.max(0, column - MAX_BESIDE);
  const end = around(column + MAX_BESIDE)?.to ?? column + MAX_BESIDE;
  const text = line.slice(start, end);
  const near = tokens.filter(({ from, to }) => from >= start && to <= end).map(({ text }) => text);
  // The longest first, since one secret may be a part of another.
  const hidden = [...new Set([...secrets, ...near, ...namedIn(text)])].sort((a, b) => b.length - a.length);
  const masked = hidden.reduce(mask, text);
  // A mask is shorter or longer than its secret, so the column moves.
  const at = hidden.reduce(mask, text.slice(0, column - start)).length;
  const from = Math.max(0, Math.min(at - 40, masked.length - MAX_LENGTH));
  const cut = masked
    .slice(from, from + MAX_LENGTH)
    .replace(HALF_CHARACTERS, "")
    .trim();
  const isCut = from + MAX_LENGTH < masked.length || end < line.length;
  return `${start + from > 0 ? "…" : ""}${cut}${isCut ? "…" : ""}`.toWellFormed();
}

/** Maximum characters on either side of the column that are searched for secrets. */
const MAX_BESIDE = 4000;

/** Returns the secret that stands around an edge, so that none is cut in two and not recognised. */
function secretAround(line: string, edge: number, secrets: readonly string[]) {
  for (const secret of secrets) {
    const first = Math.max(0, edge - secret.length + 1);
    const at = line.slice(first, Math.max(0, edge + secret.length - 1)).indexOf(secret);
    if (at >= 0) return { from: first + at, to: first + at + secret.length };
  }
  return undefined;
}

/** Returns the secrets that follow their names, including those that are suppressed or filtered out. */
function namedIn(text: string): string[] {
  const named = namedValues(text).filter((each) => each.quoted && isSecretValue(each, false));
  return named.map(({ value }) => value);
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
