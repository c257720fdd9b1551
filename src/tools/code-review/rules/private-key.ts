import type { Rule } from "../finding.ts";

const HEADER =
  /-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED|SSH2 ENCRYPTED|PGP|ECDSA) )?PRIVATE KEY(?: BLOCK)?-----/;
/** The least base64 in a line of a real key. A shorter text is an example. */
const BODY = /[A-Za-z0-9+/]{40,}/;
const OTHERS =
  /\bPuTTY-User-Key-File-\d|AGE-SECRET-KEY-1[A-Z0-9]{58}|(?<!\w)[xtyz]prv[1-9A-HJ-NP-Za-km-z]{107,108}(?!\w)|(?<![A-Za-z])(?:PRIVATE_?KEY|private_?key|privateKey)["']?\s{0,4}[:=]{1,2}\s{0,4}["'`]?(?:0x)?(?!0{40})[0-9A-Fa-f]{64}(?![0-9A-Fa-f])/;

export const privateKey: Rule = {
  id: "private-key",
  category: "security",
  severity: "error",
  cwe: 321,
  languages: "any",
  message: "A private key is written into the file; everyone who can read the repository has it.",
  suggestion: "Make a new key pair, withdraw this one, and keep the new private key in a secret store.",
  *check({ lines }) {
    for (const [line, { text, added }] of lines.entries()) {
      if (!added || !/PRIVATE|rivate|User-Key|SECRET-KEY|prv/.test(text)) continue;
      const header = HEADER.exec(text);
      if (
        header &&
        isFilled(text.slice(header.index + header[0].length), lines[line + 1]?.text, lines[line + 2]?.text)
      ) {
        yield { places: [{ line, column: header.index }] };
        continue;
      }
      const other = OTHERS.exec(text);
      const secret = other && /(?:[0-9A-Fa-f]{64}|[xtyz]prv\w{1,120}|AGE-\S{1,100})$/.exec(other[0])?.[0];
      if (other) yield { places: [{ line, column: other.index }], ...(secret && { secret }) };
    }
  },
};

/** Whether a key follows its header. A header at the end of its hunk counts, one above a placeholder does not. */
function isFilled(rest: string, next: string | undefined, second: string | undefined): boolean {
  if (/END (?:\w{1,12} ){0,3}PRIVATE/.test(rest)) return BODY.test(rest);
  if (BODY.test(rest)) return true;
  // A header that is looked for ends its text: `/-----BEGIN PRIVATE KEY-----/`. Key texts of several lines may follow.
  if (/^["'`/]/.test(rest)) return BODY.test(next ?? "") || BODY.test(second ?? "");
  if (next === undefined) return true;
  return BODY.test(next) || BODY.test(second ?? "") || /^[A-Z][\w-]{2,20}:/.test(next) || next.trim() === "";
}
