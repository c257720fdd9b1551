import { inAnyScript } from "../any-script.ts";

const MAX_LENGTH = 300;
const IN_TYPES = inAnyScript(/[\w\s.,?:*@]/);

/** Returns how many type parameters or arguments follow, as .NET writes it: `` `2 `` for `<K, V>`. Empty if none do. */
export function arityAt(code: string, position: number): string {
  if (code[position] !== "<") return "";
  let depth = 0;
  let count = 1;
  for (let at = position; at < position + MAX_LENGTH; at++) {
    const mark = code[at];
    if (mark === "<" || mark === "(" || mark === "[") depth++;
    else if (mark === ">" || mark === ")" || mark === "]") depth--;
    else if (mark === "," && depth === 1) count++;
    else if (mark === undefined || !IN_TYPES.test(mark)) return "";
    if (depth === 0) return `\`${count}`;
  }
  return "";
}
