import { DAY_MS, HOUR_MS, MINUTE_MS } from "../system/durations.ts";
import { grouped } from "./grouped.ts";

/** Formats a number to a tenth: `12,345`, `0.5`. */
export function number(value: number): string {
  return grouped(Math.round(value * 10) / 10);
}

/** Formats a number with a noun: `1 event`, `2 events`, `3 entities`. */
export function count(value: number, noun: string, plural = `${noun}s`): string {
  const text = number(value);
  return `${text} ${text === "1" ? noun : plural}`;
}

type Unit = [size: number, text: (value: number) => string];

const of = (symbol: string) => (value: number) => `${number(value)} ${symbol}`;

/** Ascending. */
const DURATIONS: Unit[] = [
  [1, of("ms")],
  [1000, of("s")],
  [MINUTE_MS, of("min")],
  [HOUR_MS, of("h")],
  [DAY_MS, (value) => count(value, "day")],
];
const SIZES: Unit[] = ["B", "KiB", "MiB", "GiB", "TiB"].map((symbol, power) => [1024 ** power, of(symbol)]);

/**
 * Formats an amount in the largest unit of which there is one, rounded before it is chosen: so nothing reads `60 s`.
 */
function inUnits(value: number, units: readonly Unit[], round: (value: number) => number): string {
  let last = "";
  for (const [index, [size, text]] of units.entries()) {
    const rounded = round(value / size);
    last = text(rounded);
    if (rounded * size < (units[index + 1]?.[0] ?? Number.POSITIVE_INFINITY)) break;
  }
  return last;
}

/** Formats a duration in its largest unit: `40 ms`, `12 s`, `3 min`, `6 days`. */
export function duration(ms: number): string {
  return inUnits(Math.max(0, ms), DURATIONS, Math.round);
}

/** Formats a duration in its two largest units: `1 h 20 min`, `5 s`, `1 s 250 ms`. */
export function span(ms: number): string {
  let rest = Math.round(ms);
  if (rest <= 0) return "0";
  const parts: string[] = [];
  for (const [size, text] of twoLargestOf(rest)) {
    const whole = Math.floor(rest / size);
    rest -= whole * size;
    if (whole > 0) parts.push(text(whole));
  }
  return parts.join(" ");
}

/** Formats a time to wait as `span` does, rounded up: after `1 min 5 s` it is over. */
export function wait(ms: number): string {
  const smaller = twoLargestOf(ms).at(-1)?.[0] ?? 1;
  return span(Math.ceil(ms / smaller) * smaller);
}

/** Returns the largest unit of which there is one in a duration, and the next. */
function twoLargestOf(ms: number): Unit[] {
  const largest = DURATIONS.findLastIndex(([size]) => ms >= size);
  return DURATIONS.slice(Math.max(0, largest - 1), largest + 1).reverse();
}

/** Formats a time, in milliseconds or as ISO 8601, relative to now: `3 min ago`, `in 2 days`. */
export function relativeTime(at: number | string, now: number): string {
  const ahead = (typeof at === "string" ? Date.parse(at) : at) - now;
  if (Math.abs(ahead) < 1000) return "now";
  return ahead < 0 ? `${duration(-ahead)} ago` : `in ${duration(ahead)}`;
}

/** Formats bytes in binary units, as plans do: `512 B`, `31.5 MiB`, `4 GiB`. */
export function byteSize(bytes: number): string {
  return inUnits(bytes, SIZES, (value) => Math.round(10 * value) / 10);
}
