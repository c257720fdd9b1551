import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../system/durations.ts";
import { grouped } from "../../text/grouped.ts";

/** Formats a number to a tenth: `12,345`, `0.5`. */
export function number(value: number): string {
  return grouped(Math.round(value * 10) / 10);
}

/** Formats a number with a noun: `1 event`, `2 events`. */
export function count(value: number, noun: string): string {
  return `${number(value)} ${noun}${value === 1 ? "" : "s"}`;
}

/** Formats a countdown: `14:32`, `1:02:03`. */
export function countdown(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const padded = (part: number) => String(part).padStart(2, "0");
  return hours > 0
    ? `${hours}:${padded(minutes)}:${padded(seconds % 60)}`
    : `${minutes}:${padded(seconds % 60)}`;
}

const UNITS: [name: string, ms: number][] = [
  ["d", DAY_MS],
  ["h", HOUR_MS],
  ["min", MINUTE_MS],
  ["s", 1000],
];

/** Formats a duration in its largest unit: `3 min`, `12 s`, `40 ms`. */
export function duration(ms: number): string {
  const [name, size] = UNITS.find(([, unit]) => ms >= unit) ?? ["ms", 1];
  return `${Math.round(ms / size)} ${name}`;
}

/** Formats a time, in milliseconds or as ISO 8601, relative to now: `3 min ago`, `in 2 d`. */
export function relativeTime(at: number | string, now: number): string {
  const ahead = (typeof at === "string" ? Date.parse(at) : at) - now;
  if (Math.abs(ahead) < 1000) return "now";
  return ahead < 0 ? `${duration(-ahead)} ago` : `in ${duration(ahead)}`;
}

/** Lists at most `most` names: `a, b and 3 more`. */
export function listed(names: readonly string[], most: number): string {
  const more = names.length - most;
  return `${names.slice(0, most).join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}

/** Returns the lines of all groups, with an empty line between two groups. */
export function spaced(groups: readonly (readonly string[])[]): string[] {
  return groups.flatMap((lines, index) => (index > 0 ? ["", ...lines] : lines));
}

export function bytes(value: number): string {
  const units = ["B", "kB", "MB", "GB", "TB"];
  const power = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3));
  return `${number(value / 1000 ** power)} ${units[power]}`;
}
