import { iso, parseTime } from "../../../system/clock.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../system/durations.ts";
import { UsageError } from "../../exit-codes.ts";

const UNITS: Record<string, number> = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

/**
 * Converts a date, a time, or a duration from now (back if `direction` is -1) to ISO 8601. Throws `UsageError`.
 *
 * @param option the option's name, for the error
 */
export function instantOf(option: string, text: string, now: number, direction: 1 | -1): string {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const at = count === undefined ? parseTime(text) : now + direction * Number(count) * (UNITS[unit] ?? 0);
  if (!Number.isNaN(at)) return iso(at);
  throw new UsageError(
    `${option} takes a time (2026-01-15T09:30:00Z) or a stretch (90m, 24h, 7d), not "${text}".`,
  );
}
