import type { MeasureType } from "./types.ts";

/** The properties that measurements must share to be compared. */
export interface Cell {
  type: MeasureType;
  /** Empty if none was given. */
  unit: string;
  language?: string;
  size?: string;
}

/** By unit, the unit that values are stored in, and the factor that converts to it. */
const CONVERTED: Record<string, { unit: string; factor: number }> = {
  ms: { unit: "s", factor: 0.001 },
  s: { unit: "s", factor: 1 },
  min: { unit: "s", factor: 60 },
  h: { unit: "s", factor: 3600 },
  "%": { unit: "share", factor: 0.01 },
  share: { unit: "share", factor: 1 },
};

/** Other names of these units. What was recorded under one keeps it, since its values were not converted. */
const CALLED: Record<string, string> = {
  ...named("ms", "millisecond milliseconds msec msecs"),
  ...named("s", "second seconds sec secs"),
  ...named("min", "minute minutes mins"),
  ...named("h", "hour hours hr hrs"),
  ...named("%", "percent pct"),
};

function named(unit: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(" ").map((name) => [name, unit]));
}

/** Returns the usual name of a unit: `s` for `seconds` or `Sec`; any unknown one as it is. */
export function unitCalled(name: string): string {
  const known = name.trim().toLowerCase();
  if (Object.hasOwn(CONVERTED, known)) return known;
  return Object.hasOwn(CALLED, known) ? (CALLED[known] as string) : name;
}

/** The value of a whole by unit. Without a unit, it is unknown. */
const WHOLE: Readonly<Record<string, number>> = { "%": 100, share: 1 };

/** Types whose values cannot exceed the whole if their unit is a share. */
const OF_A_WHOLE: readonly string[] = [
  "test_pass_rate",
  "deployment_success",
  "quality_score",
] satisfies MeasureType[];

/** Returns the largest possible value of a type in a unit, or undefined if there is none. */
export function mostOf(type: MeasureType, called = ""): number | undefined {
  const unit = unitCalled(called);
  return OF_A_WHOLE.includes(type) && Object.hasOwn(WHOLE, unit) ? WHOLE[unit] : undefined;
}

export function conversionOf(unit: string): { unit: string; factor: number } {
  return Object.hasOwn(CONVERTED, unit)
    ? (CONVERTED[unit] as { unit: string; factor: number })
    : { unit, factor: 1 };
}

/** Names a size. Lines of code are grouped by powers of ten, so that projects of similar size share one. */
export function sizeName(size: string | number | undefined): string | undefined {
  if (typeof size !== "number") return size;
  if (size < 10) return "under 10 lines";
  const power = Math.floor(Math.log10(size));
  return `1e${power}-1e${power + 1} lines`;
}

/** Returns the key of the narrowest cohort that a cell belongs to. */
export function keyOf({ type, unit, language, size }: Cell): string {
  const parts = [
    type,
    unit,
    ...(size !== undefined ? [language ?? "", size] : language !== undefined ? [language] : []),
  ];
  return parts.map((part) => `${encodeURIComponent(part)}|`).join("");
}

/**
 * Returns the keys of all cohorts that a key belongs to, widest first: by type and unit, by language, by
 * size. Each key is a prefix of the next, and every key with that prefix belongs to its cohort.
 */
export function pathOf(key: string): string[] {
  const [type, unit, language, size] = key.split("|").slice(0, -1);
  const root = `${type}|${unit}|`;
  return [root, ...(language ? [`${root}${language}|`] : []), ...(size ? [key] : [])];
}
