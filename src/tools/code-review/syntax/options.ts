import { splitAtCommas } from "./calls.ts";
import type { Fragment } from "./fragment.ts";
import type { Range } from "./range.ts";

export interface Option {
  name: string;
  /** Index of the name. */
  at: number;
  value: Range;
}

/** Returns the options in arguments or in the braces of an object: `name: value`, `"name" => value`, `name=value`. */
export function optionsIn(fragment: Fragment, range: Range): Option[] {
  return splitAtCommas(fragment, range).flatMap(({ from, to }) => {
    const [name, mark] = [fragment.tokens[from], fragment.text(from + 1)];
    if (fragment.text(from) === ":" && fragment.text(from + 2) === "=>") {
      return [{ name: fragment.text(from + 1), at: from + 1, value: { from: from + 3, to } }];
    }
    if (name?.kind !== "word" && name?.kind !== "string") return [];
    if (mark !== ":" && mark !== "=" && mark !== "=>") return [];
    return [{ name: name.text, at: from, value: { from: from + 2, to } }];
  });
}

/** Returns the options of a call: its named arguments, and the members of objects among its arguments. */
export function optionsOf(fragment: Fragment, args: readonly Range[]): Option[] {
  return args.flatMap((argument) => {
    const inner = objectOf(fragment, argument);
    return inner ? optionsIn(fragment, inner) : optionsIn(fragment, argument);
  });
}

/** Returns the tokens between the braces of an object, or of the object that a name is assigned. */
export function objectOf(fragment: Fragment, { from, to }: Range): Range | undefined {
  const token = fragment.tokens[from];
  if ((token?.text === "{" || token?.text === "[") && token.kind === "open") {
    return { from: from + 1, to: token.partner < 0 ? to : token.partner };
  }
  if (token?.kind !== "word") return undefined;
  const path = fragment.pathIn({ from, to });
  const definition = fragment.names.definition(path, from);
  const open = definition?.kind === "assign" ? fragment.tokens[definition.value.from] : undefined;
  if (!definition || open?.text !== "{" || open.partner < 0) return undefined;
  return { from: definition.value.from + 1, to: open.partner };
}
