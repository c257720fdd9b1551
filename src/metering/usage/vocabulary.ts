import * as z from "zod";

export const USAGE_TYPES = [
  "api_calls",
  "agents_invoked",
  "skills_accessed",
  "workflows_started",
  "mcp_calls",
] as const;
export const UsageType = z.enum(USAGE_TYPES);
export type UsageType = z.infer<typeof UsageType>;

export const GRANULARITIES = ["hour", "day", "month"] as const;
export const Granularity = z.enum(GRANULARITIES);
export type Granularity = z.infer<typeof Granularity>;

export const Total = z.int().nonnegative();

/** The most uses of each type in a calendar month (UTC), of an account. A type that is absent has no limit. */
export const UsesPerMonth = z.partialRecord(
  UsageType,
  z.int("must be a whole number").min(0, "must be at least 0").max(1e12, "must be at most 10^12"),
);
export type UsesPerMonth = z.infer<typeof UsesPerMonth>;
