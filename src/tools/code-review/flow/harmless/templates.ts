import { TEMPLATE_OPEN } from "../../lexer/token.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { Target } from "../target.ts";

const TAG = /^(?:html|svg|mathml|jsx)$/;
/** Modules whose tag of such a name escapes nothing. */
const RAW = /^common-tags\b/;

/** Whether a template that opens here escapes what is put into it, as html`<b>${name}</b>` of lit or Hono does. */
export function isEscaping(fragment: Fragment, open: number): boolean {
  if (fragment.language !== "javascript" || fragment.text(open) !== TEMPLATE_OPEN) return false;
  const module = TAG.test(fragment.text(open - 1)) && fragment.names.imports.get(fragment.text(open - 1));
  return typeof module === "string" && !RAW.test(module);
}

/** Whether a template that opens here does no harm for a target: in a query that is an object, any text does none. */
export function isHarmlessTemplate(fragment: Fragment, open: number, target: Target | undefined): boolean {
  if (target === "document") return fragment.text(open) === TEMPLATE_OPEN;
  return target === "markup" && isEscaping(fragment, open);
}
