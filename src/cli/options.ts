import { iso, parseTime } from "../system/clock.ts";
import { DAY_MS, DAY_S, HOUR_MS, MINUTE_MS } from "../system/durations.ts";
import { UsageError } from "./exit-codes.ts";

/** Wrong usage with the code that commander expects. Defined here since quick commands parse without commander. */
export class InvalidArgumentError extends Error {
  readonly code = "commander.invalidArgument";
  readonly exitCode = 2;
}

/** An option: its flags, its help text, and a parser that gets the value's text and the previous value. */
export type OptionSpec = readonly [
  flags: string,
  description: string,
  read?: (text: string, before?: never) => unknown,
];

/** The options that may stand before or after the command. */
export interface CommonOptions {
  json?: boolean;
  verbose?: boolean;
  baseUrl?: string;
  project?: string;
  createProject?: boolean;
}

/** The options that every command takes. */
export const COMMON_OPTIONS: readonly OptionSpec[] = [
  ["--json", "Print one JSON document"],
  ["--base-url <url>", "The server to talk to"],
  ["--project <id>", "The project to act in; default unless set"],
  ["--create-project", "Write to it although it is not there yet"],
  ["--verbose", "Show requests, without secrets"],
];

/* Parsers of values. Each throws `InvalidArgumentError`. */

export function wholeNumber(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (/^\d+$/.test(text) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${least} to ${most}.`);
  };
}

export function anyNumber(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !Number.isFinite(value)) throw new InvalidArgumentError("It must be a number.");
  return value;
}

export function share(text: string): number {
  const value = anyNumber(text);
  if (value >= 0 && value <= 1) return value;
  throw new InvalidArgumentError("It must be a number from 0 to 1.");
}

/** Parses an amount of money, which is at least 0. */
export function amount(text: string): number {
  const value = anyNumber(text);
  if (value >= 0) return value;
  throw new InvalidArgumentError("It must not be less than 0.");
}

const UNIT_SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: DAY_S };

/** Parses `30s`, `5m`, `24h` or `7d` into seconds. */
export function timeSpan(leastSeconds: number, mostSeconds: number, such: string): (text: string) => number {
  return (text) => {
    const [, count, unit = ""] = /^(\d{1,7})([smhd])$/.exec(text) ?? [];
    const seconds = text === "0" ? 0 : Number(count) * (UNIT_SECONDS[unit] ?? Number.NaN);
    if (seconds >= leastSeconds && seconds <= mostSeconds) return seconds;
    throw new InvalidArgumentError(`It must be a time such as ${such}.`);
  };
}

/** Parses `-o a=1 -o b=2` into `{ a: "1", b: "2" }`. */
export function pairs(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [name, value] = pair(text);
  return { ...before, [name]: value };
}

/** Parses as `pairs` does, but reads JSON values other than strings: `count=3`, `tags=["a"]`, `on=true`. */
export function typedPairs(text: string, before: Record<string, unknown> = {}): Record<string, unknown> {
  const [name, value] = pair(text);
  return { ...before, [name]: typed(value) };
}

/** Parses as `pairs` does, each value with a parser of its own. */
export function pairsOf<Value>(read: (text: string) => Value) {
  return (text: string, before: Record<string, Value> = {}): Record<string, Value> => {
    const [name, value] = pair(text);
    return { ...before, [name]: read(value) };
  };
}

function pair(text: string): [name: string, value: string] {
  const equals = text.indexOf("=");
  if (equals < 1) throw new InvalidArgumentError("It must have the form name=value.");
  return [text.slice(0, equals), text.slice(equals + 1)];
}

function typed(text: string): unknown {
  if (!/^(-?\d|true$|false$|null$|\[|\{)/.test(text)) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Splits an argument at commas and white space. */
export function words(text: string): string[] {
  return text.split(/[\s,]+/).filter((word) => word !== "");
}

/** Splits as `words` does, but throws if there is none: a script whose variable is unset does not mean "nothing". */
export function someWords(text: string): string[] {
  const found = words(text);
  if (found.length > 0) return found;
  throw new InvalidArgumentError("It must name at least one.");
}

const UNIT_MS: Readonly<Record<string, number>> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/**
 * Converts a date, a time, or a duration from now (back if `direction` is -1) to ISO 8601. Not a parser of values, since
 * these do not know the time. Throws `UsageError`.
 *
 * @param option the option's name, for the error
 */
export function instantOf(option: string, text: string, now: number, direction: 1 | -1): string {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const at = count === undefined ? parseTime(text) : now + direction * Number(count) * (UNIT_MS[unit] ?? 0);
  if (!Number.isNaN(at)) return iso(at);
  throw new UsageError(
    `${option} takes a time (2026-01-15T09:30:00Z) or a stretch (90m, 24h, 7d), not "${text}".`,
  );
}
