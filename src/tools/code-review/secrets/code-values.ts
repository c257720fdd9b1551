/** Names of functions and packages that contain a number: `ed25519`, `sha512`, `base64`. */
const NUMBERED = /^(?:[A-Za-z]{1,12}(?:\d{1,5}[a-z]{0,3}(?:_\d{1,4})?))$/;
/** A bracket that opens a call, an index or a value behind a name. It never follows a literal. */
const OPENING = /^[([{]/;
const PATH = /^[A-Za-z_$][\w$]{0,80}(?:(?:\.|::|->|\?\.|!\.)[A-Za-z_$][\w$]{0,80}){0,12}(?:!|::?)?$/;

/** Whether a value is code: a name before a bracket, `ed25519.NewKeyFromSeed(`, or a member of a `NUMBERED` package. */
export function isExpression(value: string, next: string): boolean {
  if (!PATH.test(value)) return false;
  if (OPENING.test(next) || value.endsWith(":")) return true;
  const [owner, ...members] = value.split(/\.|::/);
  return (
    NUMBERED.test(owner ?? "") && members.length > 0 && members.every((member) => /^[A-Za-z_]+$/.test(member))
  );
}

const SCALAR = /^(?:String|ID|Int|Float|Boolean|Bool|Char|Byte|Bytes|Date|DateTime|UUID|Data|Any)[!?]{1,2}$/;
const OPTIONAL = /^[A-Z][A-Za-z]{1,60}[!?]{1,2}$/;

/** Whether a value behind a colon is a type marked as non-null or nullable: `password: String!`, `secret: Secret?`. */
export function isType(value: string, separator: string, hasTypes: boolean): boolean {
  return separator === ":" && (SCALAR.test(value) || (hasTypes && OPTIONAL.test(value)));
}
