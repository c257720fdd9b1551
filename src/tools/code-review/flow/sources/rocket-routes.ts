import type { Fragment } from "../../syntax/fragment.ts";
import type { FunctionScope } from "../../syntax/functions/functions.ts";
import type { Parameter } from "../../syntax/functions/parameters.ts";

const ROUTES = /^(?:get|post|put|delete|patch|head|options|route)$/;
/** Words between an attribute and `fn`. */
const MODIFIERS = /^(?:pub|async|unsafe|crate)$/;
const TEXTS = /^(?:str|String|Vec)$/;
/** Maximum tokens of an attribute, and attributes of a function. */
const [MAX_ATTRIBUTE, MAX_ATTRIBUTES] = [60, 8];

/**
 * Whether Rocket fills a text from an address or a body: `#[get("/<name>")] fn show(name: &str)`. The parts of a `PathBuf`
 * cannot be “..”.
 */
export function isOfRoute(
  fragment: Fragment,
  { start }: FunctionScope,
  { name, at, declared }: Parameter,
): boolean {
  const types = fragment.texts({ from: at + 1, to: declared.to });
  if (!types.some((word) => TEXTS.test(word))) return false;
  return attributesAbove(fragment, start).some((open) => {
    if (!ROUTES.test(fragment.text(open + 1))) return false;
    const { partner = open } = fragment.tokens[open] ?? {};
    const words = fragment.texts({ from: open, to: Math.min(partner, open + MAX_ATTRIBUTE) });
    return words.some((text) => text.includes(`<${name}>`) || text.includes(`<${name}..>`));
  });
}

/** Returns the brackets of the attributes above a function. */
function attributesAbove(fragment: Fragment, start: number): number[] {
  const found: number[] = [];
  let at = start - 1;
  while (MODIFIERS.test(fragment.text(at))) at--;
  while (fragment.text(at) === "]" && found.length < MAX_ATTRIBUTES) {
    const open = fragment.tokens[at]?.partner ?? -1;
    if (open < 0 || fragment.text(open - 1) !== "#") break;
    found.push(open);
    at = open - 2;
  }
  return found;
}
