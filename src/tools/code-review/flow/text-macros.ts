import type { Fragment } from "../syntax/fragment.ts";

/** Macros of Rust that make a text of what they are given. */
const MAKING = /^(?:format|concat|format_args)$/;
/** A name that stands in a format itself: `{name}`, `{name:>8}`. Doubled braces are braces. */
const INLINED = /\{\{|\{([a-z_]\w{0,60})(?::[^{}]{0,40})?\}/g;

/** Maximum names of a text that are looked up. */
const MAX_NAMES = 50;

/** Returns the names that a macro of Rust puts into its text, `name` in `format!("x {name}")`; undefined if none is called. */
export function inlinedNames(fragment: Fragment, at: number): string[] | undefined {
  const isMacro = fragment.text(at + 1) === "!" && /^[([{]$/.test(fragment.text(at + 2));
  if (fragment.language !== "rust" || !isMacro || !MAKING.test(fragment.text(at))) return undefined;
  if (!fragment.isString(at + 3)) return [];
  const names = [...fragment.text(at + 3).matchAll(INLINED)].flatMap(([, name]) => name ?? []);
  return [...new Set(names)].slice(0, MAX_NAMES);
}
