import type { Symbols } from "./style.ts";

const EIGHTHS = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
const SPARKS = [..."▁▂▃▄▅▆▇█"];
const ASCII_SPARKS = [..."_.-=+*#@"];

/** Draws a horizontal bar for `value`, where `most` fills `width` columns, to an eighth of a column. */
export function bar(value: number, most: number, width: number, symbols: Symbols): string {
  if (value <= 0 || most <= 0) return "";
  const eighths = Math.max(1, Math.round((Math.min(value, most) / most) * width * 8));
  if (!symbols.unicode) return "#".repeat(Math.max(1, Math.round(eighths / 8)));
  return "█".repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] as string);
}

/** Draws a trend in one row, with one column per value. Zero is the lowest step. */
export function sparkline(values: readonly number[], symbols: Symbols): string {
  const steps = symbols.unicode ? SPARKS : ASCII_SPARKS;
  const most = Math.max(...values, 0);
  return values
    .map((value) => steps[most > 0 ? Math.ceil((Math.max(value, 0) / most) * (steps.length - 1)) : 0])
    .join("");
}
