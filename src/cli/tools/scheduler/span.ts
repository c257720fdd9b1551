import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../system/durations.ts";

const UNITS: [name: string, ms: number][] = [
  ["d", DAY_MS],
  ["h", HOUR_MS],
  ["min", MINUTE_MS],
  ["s", 1000],
  ["ms", 1],
];

/** Formats a duration in its two largest units: `1 h 20 min`, `5 s`, `1 s 250 ms`. */
export function span(ms: number): string {
  const largest = UNITS.findIndex(([, unit]) => ms >= unit);
  if (largest < 0) return "0";
  let rest = Math.round(ms);
  const parts: string[] = [];
  for (const [name, unit] of UNITS.slice(largest, largest + 2)) {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    if (count > 0) parts.push(`${count} ${name}`);
  }
  return parts.join(" ");
}
