import { Option } from "commander";
import type { RouteOutput } from "../../client/routes.ts";
import { Problem } from "../../contract/problem.ts";
import { iso } from "../../system/clock.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { wholeNumber } from "../options.ts";
import type { Output } from "../terminal/io.ts";
import { type BoundsReport, boundLines } from "../ui/bounds.ts";
import { bar, sparkline } from "../ui/chart.ts";
import { count, number } from "../ui/format.ts";
import { dimensions, showUsageBy, TYPES, type UsageByOptions } from "./usage-by.ts";

type Usage = RouteOutput<"GET /api/v1/usage">;

const DAY_MS = 86_400_000;
const WIDEST_BAR = 40;
/** Beyond a month of rows the sparklines say it better. */
const MAX_ROWS = 31;

export const define: Define = (command, run) => {
  command
    .option("--days <n>", "How many days, today included", wholeNumber(1, 366), 14)
    .option("--by <groups>", "Tell apart by project, key, user or tool, or several: key,tool", dimensions)
    .option("--from <time>", "With --by: since then, a date or an ISO 8601 time")
    .option("--to <time>", "With --by: until then")
    .addOption(new Option("--type <type>", "With --by: this type alone").choices(TYPES))
    .option("--csv", "With --by: every group, for a spreadsheet")
    .addHelpText(
      "after",
      examples(
        "tool usage",
        "tool usage --days 30 --json",
        "tool usage --by key",
        "tool usage --by user,tool --from 2026-01-01 --to 2026-02-01 --csv > january.csv",
      ),
    )
    .action(run(show));
};

async function show(context: Context, options: UsageByOptions): Promise<Outcome> {
  const { by, days, from, to, type, csv } = options;
  if (by) return showUsageBy(context, by, options);
  if (from !== undefined || to !== undefined || type !== undefined || csv) {
    throw new UsageError("--from, --to, --type and --csv need --by", "Such as tool usage --by key --csv");
  }
  const { client, clock, progress, io } = context;
  const today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  const [usage, bounds] = await progress.during(
    "Counting",
    Promise.all([
      client.call("GET /api/v1/usage", {
        from: iso(today - (days - 1) * DAY_MS),
        to: iso(today + DAY_MS),
        granularity: "day",
      }),
      boundsIn(client),
    ]),
  );
  return {
    document: { ...usage, ...(bounds && { account: bounds }) },
    lines: [...usageLines(usage, days, io.out), ...(bounds ? ["", ...boundLines(bounds, io.out)] : [])],
  };
}

/** Undefined where the server is older than they are. */
async function boundsIn(client: Context["client"]): Promise<BoundsReport | undefined> {
  try {
    return await client.call("GET /api/v1/usage/bounds", {});
  } catch (error) {
    if (error instanceof Problem && error.error === "not_found") return undefined;
    throw error;
  }
}

export function usageLines({ totals, series, projectId }: Usage, days: number, output: Output): string[] {
  const { style, symbols } = output;
  const sum = Object.values(totals).reduce((before, value) => before + value, 0);
  const period = days === 1 ? "today" : `last ${count(days, "day")}`;
  const title = `Usage of project ${style.bold(projectId ?? "default")}, ${period} (UTC)`;
  if (sum === 0) return [title, "", "Nothing was counted yet. Record something: tool track agents_invoked"];
  const types = Object.entries(totals);
  const width = Math.min(WIDEST_BAR, Math.max(8, output.columns - 40));
  const most = Math.max(...Object.values(totals));
  const byType = types.map(([type, total]) => {
    const trend = sparkline(
      series.map(({ counts }) => (counts as Record<string, number>)[type] ?? 0),
      symbols,
    );
    return [
      type.padEnd(18),
      `${style.cyan(bar(total, most, width, symbols))}${total > 0 ? " " : ""}${number(total)}`,
      days <= MAX_ROWS && days > 1 && total > 0 ? `  ${style.dim(trend)}` : "",
    ].join("");
  });
  return [
    title,
    "",
    ...byType,
    ...dayLines(series, width, output),
    "",
    `${"total".padEnd(18)}${style.bold(number(sum))}`,
  ];
}

function dayLines(series: Usage["series"], width: number, { style, symbols }: Output): string[] {
  if (series.length < 2 || series.length > MAX_ROWS) return [];
  const sums = series.map(({ counts }) =>
    Object.values(counts).reduce((before: number, value) => before + (value ?? 0), 0),
  );
  const most = Math.max(...sums);
  return [
    "",
    ...series.map(({ at }, index) => {
      const value = sums[index] as number;
      return `${style.dim(at.slice(0, 10).padEnd(18))}${bar(value, most, width, symbols)}${value > 0 ? " " : ""}${number(value)}`;
    }),
  ];
}
