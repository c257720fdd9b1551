import { inAnyScript } from "../any-script.ts";
import { camelized, singularsOf } from "./inflections.ts";

const ASSOCIATION = inAnyScript(
  /^[ \t]*(?:belongs_to|has_one|has_many|has_and_belongs_to_many)[ \t(]+:(\w+)((?:[^\n]*,[ \t]*\n)*[^\n]*)/gm,
);
const CLASS_NAME = /\bclass_name:[ \t]*(" *")/;

/** A class that a model of Rails names, in a string or by a symbol: `has_many :line_items`. */
export interface Association {
  position: number;
  /** What autoloaders may call it. */
  names: readonly string[];
}

export function associationsIn(text: string, code: string): Association[] {
  return [...code.matchAll(ASSOCIATION)].map((match) => {
    const [whole, symbol = "", options = ""] = match;
    const found = CLASS_NAME.exec(options);
    if (!found) return { position: match.index, names: singularsOf(symbol).map(camelized) };
    const end = match.index + whole.length - options.length + found.index + found[0].length;
    const name = text.slice(end - (found[1] as string).length + 1, end - 1);
    return { position: match.index, names: [name.replaceAll("::", ".")] };
  });
}
