import { DAY_S } from "../system/durations.ts";
import { grouped } from "../text/grouped.ts";

/** Formats a duration as one whole number and its unit, rounded down: `45 s`, `12 min`, `3 h`, `6 days`. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
  if (seconds < DAY_S) return `${Math.floor(seconds / 3600)} h`;
  const days = Math.floor(seconds / DAY_S);
  return days === 1 ? "1 day" : `${days} days`;
}

/** Formats a number of things: `1 account`, `12,345 accounts`. */
export function counted(count: number, thing: string): string {
  return `${grouped(count)} ${thing}${count === 1 ? "" : "s"}`;
}

/** Formats how often something happened: `once`, `12,345 times`. */
export function times(count: number): string {
  return count === 1 ? "once" : `${grouped(count)} times`;
}

/** Formats an identifier for people: `dependency_resolution` becomes `Dependency resolution`. */
export function titled(identifier: string): string {
  const words = identifier.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Returns the beginning of a text that may be long. */
export function beginning(text: string, most: number): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text;
}

/** Formats bytes in binary units, as plans do: `512 B`, `31.5 MiB`, `4 GiB`. */
export function byteSize(bytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = bytes < 1024 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${grouped(Math.round((10 * bytes) / 1024 ** power) / 10)} ${units[power]}`;
}
