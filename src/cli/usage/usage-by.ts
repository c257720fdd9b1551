import { UnexpectedAnswer } from "../../client/errors.ts";
import type { RouteInput, RouteOutput } from "../../client/routes.ts";
import { iso } from "../../system/clock.ts";
import { DAY_MS } from "../../system/durations.ts";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { usageByLines } from "./usage-by-lines.ts";
import type { Dimension } from "./usage-dimensions.ts";
import { USAGE_TYPES } from "./usage-types.ts";

type Question = RouteInput<"GET /api/v1/usage">;
type Usage = RouteOutput<"GET /api/v1/usage">;

export interface UsageByOptions {
  by?: Dimension[];
  days: number;
  from?: string;
  to?: string;
  type?: NonNullable<Question["type"]>;
  /** An account's id, or `all`. */
  account?: string;
  csv?: boolean;
}

/** The types that usage can be asked for. */
export const TYPES: readonly NonNullable<Question["type"]>[] = [...USAGE_TYPES, "refused"];

/**
 * Shows usage by groups, of the current project. Of all projects if grouped by project, of another account, and of what
 * was refused, which is of no project.
 */
export async function showUsageBy(
  context: Context,
  by: Dimension[],
  options: UsageByOptions,
): Promise<Outcome> {
  const { client, clock, progress, io } = context;
  const today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  const { days, from = iso(today - (days - 1) * DAY_MS), to, type, account, csv } = options;
  const isOfAll = by.includes("project") || account !== undefined || type === "refused";
  const projectId = isOfAll ? undefined : client.projectId;
  const question: Question = {
    groupBy: by.join(","),
    from,
    granularity: [from, to ?? ""].some((time) => /T(?!00:00)/.test(time)) ? "hour" : "day",
    format: csv ? "csv" : "json",
    to,
    type,
    accountId: account,
    projectId,
  };
  const usage: Usage | string = await progress.during("Counting", client.call("GET /api/v1/usage", question));
  if (!csv) return { document: usage, lines: usageByLines(usage, by, io.out) };
  if (typeof usage === "string") return { document: { format: "csv", text: usage }, raw: usage };
  throw new UnexpectedAnswer(
    200,
    `${client.baseUrl} did not answer with CSV: is it older than this command?`,
  );
}
