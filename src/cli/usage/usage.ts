import { Option } from "commander";
import { Problem } from "../../contract/problem.ts";
import { iso } from "../../system/clock.ts";
import { DAY_MS } from "../../system/durations.ts";
import { type Define, examples, type Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { wholeNumber } from "../options.ts";
import { type BoundsReport, boundLines } from "./bound-lines.ts";
import { showUsageBy, TYPES, type UsageByOptions } from "./usage-by.ts";
import { dimensions } from "./usage-dimensions.ts";
import { usageLines } from "./usage-lines.ts";

export const define: Define = (command, run) => {
  command
    .option("--days <n>", "How many days, today included", wholeNumber(1, 366), 14)
    .option(
      "--by <groups>",
      "Tell apart by account, project, key, user or tool, or several: key,tool",
      dimensions,
    )
    .option("--from <time>", "With --by: since then, a date or an ISO 8601 time")
    .option("--to <time>", "With --by: until then")
    .addOption(new Option("--type <type>", "With --by: only this type").choices(TYPES))
    .option("--account <id>", "With --by: all projects of another account, or of all: for the operator")
    .option("--csv", "With --by: every group, for a spreadsheet")
    .addHelpText(
      "after",
      examples(
        "tool usage",
        "tool usage --days 30 --json",
        "tool usage --by key",
        "tool usage --by user,tool --from 2026-01-01 --to 2026-02-01 --csv > january.csv",
        "tool usage --by account,key --account all --type refused",
      ),
    )
    .action(run(show));
};

async function show(context: Context, options: UsageByOptions): Promise<Outcome> {
  const { by, days, from, to, type, account, csv } = options;
  if (by) return showUsageBy(context, by, options);
  if ([from, to, type, account, csv].some((given) => given !== undefined)) {
    throw new UsageError(
      "--from, --to, --type, --account and --csv need --by",
      "Such as tool usage --by key --csv",
    );
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

/** Returns the account's bounds; undefined if the server is too old to have them. */
async function boundsIn(client: Context["client"]): Promise<BoundsReport | undefined> {
  try {
    return await client.call("GET /api/v1/usage/bounds", {});
  } catch (error) {
    if (error instanceof Problem && error.error === "not_found") return undefined;
    throw error;
  }
}
