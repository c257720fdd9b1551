import { wrap } from "../ui/width.ts";
import type { Output } from "./io.ts";

const MARGIN = "  ";

/** Returns text with a margin of two columns, wrapped between words, for a terminal; otherwise unchanged. */
export function inset(line: string, output: Pick<Output, "terminal" | "columns">): string {
  if (!output.terminal || line === "") return line;
  return line
    .split("\n")
    .flatMap((part) => wrap(part, output.columns - MARGIN.length))
    .map((part) => MARGIN + part)
    .join("\n");
}
