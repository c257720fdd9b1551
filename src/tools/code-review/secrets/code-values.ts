/** Names of functions and packages that hold the number of what they do: `ed25519`, `sha512`, `base64`. */
const NUMBERED = /^(?:[A-Za-z]{1,12}(?:\d{1,5}[a-z]{0,3}(?:_\d{1,4})?))$/;
/** What opens a call, an index or a value behind a name: no literal goes on so. */
const OPENING = /^[([{]/;
const PATH = /^[A-Za-z_$][\w$]{0,80}(?:(?:\.|::|->|\?\.|!\.)[A-Za-z_$][\w$]{0,80}){0,12}(?:!|::?)?$/;

/** `ed25519.NewKeyFromSeed(`: a name that a bracket follows, or a member of a package that a number names. */
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

/** `password: String!`, `secret: Secret?`: what may not or may be null behind a colon is a type. */
export function isType(value: string, separator: string, hasTypes: boolean): boolean {
  return separator === ":" && (SCALAR.test(value) || (hasTypes && OPTIONAL.test(value)));
}
