import { grouped } from "../../../text/grouped.ts";
import type { Style } from "../../ui/style.ts";

export const SEVERITIES = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

export function coloured(severity: Severity, text: string, style: Style): string {
  if (severity === "low") return style.cyan(text);
  return severity === "medium" ? style.yellow(text) : style.red(text);
}

/** Formats a number with six significant digits: `1,234.5`. */
export function figure(value: number): string {
  return grouped(Number(value.toPrecision(6)));
}

/** Formats a range such as `92.6 to 106.4`, with enough digits to resolve a fiftieth of its width. */
export function range({ low, high }: { low: number; high: number }): string {
  const decimals = high > low ? Math.ceil(Math.log10(50 / (high - low))) : 6;
  const step = 10 ** Math.max(0, -decimals);
  const rounded = (value: number) =>
    grouped(
      Number(
        (step > 1 ? Math.round(value / step) * step : value).toFixed(Math.min(20, Math.max(0, decimals))),
      ),
    );
  return low === high ? rounded(low) : `${rounded(low)} to ${rounded(high)}`;
}

/** Returns a kind such as `level_shift` as words: `level shift`. */
export function spoken(kind: string): string {
  return kind.replace("_", " ");
}
