import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../system/durations.ts";
/**
 * Formats a value with the fewest significant digits, at least four, that err by no more than a twentieth of
 * `scale`. Two values that differ by `scale` therefore read differently.
 */
export function figure(value: number, scale: number): string {
  return String(rounded(value, scale / 20, 4));
}

/** Returns the roundest number within `tolerance` of a value. */
export function rounded(value: number, tolerance: number, leastDigits = 1): number {
  for (let digits = leastDigits; digits < 17; digits++) {
    const candidate = Number(value.toPrecision(digits));
    if (Math.abs(candidate - value) <= tolerance) return candidate;
  }
  return value;
}

const UNITS: [name: string, ms: number][] = [
  ["d", DAY_MS],
  ["h", HOUR_MS],
  ["min", MINUTE_MS],
  ["s", 1000],
  ["ms", 1],
];

/** Formats a duration in the largest unit that it fills: `2.5 h`. */
export function duration(ms: number): string {
  const [name, unit] = UNITS.find(([, unit]) => ms >= unit) ?? (["ms", 1] as const);
  return `${Number((ms / unit).toPrecision(3))} ${name}`;
}
