import type { Output } from "../../terminal/io.ts";
import { count } from "../../ui/format.ts";

/** Draws a path: `web ─calls→ api ←reads─ job`. */
export function arrows(
  start: string,
  path: readonly { from: string; type: string; to: string }[],
  { style, symbols }: Output,
): string {
  const [line, right, left] = symbols.unicode ? ["─", "→", "←"] : ["-", "->", "<-"];
  let at = start;
  let drawn = start;
  for (const { from, type, to } of path) {
    const forwards = from === at;
    at = forwards ? to : from;
    drawn += ` ${style.dim(forwards ? `${line}${type}${right}` : `${left}${type}${line}`)} ${at}`;
  }
  return drawn;
}

export function entityCount(value: number): string {
  return count(value, "entity", "entities");
}
