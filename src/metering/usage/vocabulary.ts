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
