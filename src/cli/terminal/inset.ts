import { wrap } from "../ui/width.ts";
import type { Output } from "./io.ts";

const MARGIN = "  ";

/** Text as people see it: two columns of margin, broken between words. A program gets it as it is. */
export function inset(line: string, output: Pick<Output, "terminal" | "columns">): string {
  if (!output.terminal || line === "") return line;
  return line
    .split("\n")
    .flatMap((part) => wrap(part, output.columns - MARGIN.length))
    .map((part) => MARGIN + part)
    .join("\n");
}
