import { expect, it } from "vitest";
import { lineOf } from "../../src/alerts/lines.ts";

const resetsAt = "2026-03-01T13:00:00.000Z";

it.each([
  ["limit.warning", "minute", "80 % of the burst of 240 requests is used"],
  [
    "limit.reached",
    "minute",
    "The burst of 240 requests is used up: more are refused until some of it is back",
  ],
  ["limit.warning", "hour", "80 % of the 240 requests of this hour are used"],
  ["limit.reached", "day", "All 240 requests of this day are used: more are refused"],
  ["limit.warning", "month", "80 % of the 240 mcp_calls of this month are used", "mcp_calls"],
  ["limit.reached", "month", "All 240 mcp_calls of this month are used", "mcp_calls"],
] as const)("%s of a %s says what the limit does", (type, window, line, usageType = undefined) => {
  expect(lineOf({ type, data: { window, limit: 240, used: 240, resetsAt, usageType } })).toBe(line);
});
