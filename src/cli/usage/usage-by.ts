import { UnexpectedAnswer } from "../../client/errors.ts";
import type { RouteInput, RouteOutput } from "../../client/routes.ts";
import { iso } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { InvalidArgumentError, words } from "../options.ts";
import type { Output } from "../terminal/io.ts";
import { count, number } from "../ui/format.ts";
import { type Column, table } from "../ui/table.ts";

type Question = RouteInput<"GET /api/v1/usage">;
type Usage = RouteOutput<"GET /api/v1/usage">;
type Group = NonNullable<Usage["groups"]>[number];

export interface UsageByOptions {
  by?: Dimension[];
  days: number;
  from?: string;
  to?: string;
  type?: NonNullable<Question["type"]>;
  csv?: boolean;
}

/** Not imported from the contract: that would load every schema of it. */
const DIMENSIONS = ["account", "project", "key", "user", "tool"] as const;
type Dimension = (typeof DIMENSIONS)[number];
export const TYPES: readonly NonNullable<Question["type"]>[] = [
  "api_calls",
  "agents_invoked",
  "skills_accessed",
  "workflows_started",
  "mcp_calls",
  "refused",
];
const TITLES: Record<Dimension, string> = {
  account: "Account",
  project: "Project",
  key: "Key",
  user: "User",
  tool: "Tool",
};

/** Further groups are in JSON and CSV. */
const MAX_ROWS = 40;
const DAY_MS = 86_400_000;

/** `key,tool` as what usage is told apart by. */
export function dimensions(text: string): Dimension[] {
  const names = words(text);
  const wrong = names.find((name) => !DIMENSIONS.includes(name as Dimension));
  if (wrong !== undefined || names.length === 0) {
    throw new InvalidArgumentError(
      `It must list some of ${DIMENSIONS.join(", ")}, with commas between them.`,
    );
  }
  return [...new Set(names as Dimension[])];
}

/** Usage of the account told apart: of the project that is set, or of all where projects are told apart. */
export async function showUsageBy(
  context: Context,
  by: Dimension[],
  options: UsageByOptions,
): Promise<Outcome> {
  const { client, clock, progress, io } = context;
  const today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  const { days, from = iso(today - (days - 1) * DAY_MS), to, type, csv } = options;
  const projectId = by.includes("project") ? undefined : client.projectId;
  const question: Question = {
    groupBy: by.join(","),
    from,
    granularity: [from, to ?? ""].some((time) => /T(?!00:00)/.test(time)) ? "hour" : "day",
    format: csv ? "csv" : "json",
    ...defined({ to, type, projectId }),
  };
  const usage: Usage | string = await progress.during("Counting", client.call("GET /api/v1/usage", question));
  if (!csv) return { document: usage, lines: usageByLines(usage, by, io.out) };
  if (typeof usage === "string") return { document: { format: "csv", text: usage }, raw: usage };
  throw new UnexpectedAnswer(
    200,
    `${client.baseUrl} did not answer with CSV: is it older than this command?`,
  );
}

export function usageByLines(usage: Usage, by: readonly Dimension[], output: Output): string[] {
  const { style } = output;
  const { groups = [], totals, refused = 0, projectId, from, to } = usage;
  const last = iso(Date.parse(to) - 1);
  const project = projectId === null ? "" : ` of project ${style.bold(projectId)}`;
  const period = `${from.slice(0, 10)} to ${last.slice(0, 10)} (UTC)`;
  const title = [`Usage${project} by ${by.join(", ")}`, period];
  if (groups.length === 0)
    return [...title, "", "Nothing was counted. Record something: tool track api_calls"];
  const shown = groups.slice(0, MAX_ROWS);
  const columns: Column[] = [
    ...by.map((dimension) => ({ title: TITLES[dimension], shrink: true })),
    { title: "Uses", align: "right" },
    ...(refused > 0 ? [{ title: "Refused", align: "right" } as const] : []),
    ...by
      .filter((dimension) => isNamed(shown, dimension))
      .map((dimension) => ({
        title: `${TITLES[dimension]} id`,
        minor: true,
      })),
  ];
  const rows = shown.map((group) => [
    ...by.map((dimension) => nameOf(group, dimension)),
    number(group.total),
    ...(refused > 0 ? [number(group.refused)] : []),
    ...by.filter((dimension) => isNamed(shown, dimension)).map((dimension) => group[dimension] ?? ""),
  ]);
  const sum = Object.values(totals).reduce((before, value) => before + value, 0);
  const more = groups.length - shown.length;
  return [
    ...title,
    "",
    ...table(columns, rows, output),
    ...(more > 0 ? [style.dim(`${count(more, "more group")} in --csv and --json`)] : []),
    "",
    `total ${style.bold(number(sum))}${refused > 0 ? `, refused ${style.bold(number(refused))}` : ""}`,
  ];
}

function nameOf(group: Group, dimension: Dimension): string {
  const id = group[dimension];
  const name = dimension === "tool" ? undefined : group[`${dimension}Name`];
  return name ?? id ?? (dimension === "tool" ? "(none)" : "(unknown)");
}

/** Ids say something beside the names where there are such. */
function isNamed(groups: readonly Group[], dimension: Dimension): boolean {
  return groups.some((group) => ![null, undefined, nameOf(group, dimension)].includes(group[dimension]));
}
