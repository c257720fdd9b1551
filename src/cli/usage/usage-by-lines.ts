import type { RouteOutput } from "../../client/routes.ts";
import { iso } from "../../system/clock.ts";
import type { Output } from "../terminal/io.ts";
import { count, number } from "../ui/format.ts";
import { type Column, table } from "../ui/table.ts";
import type { Dimension } from "./usage-dimensions.ts";

type Usage = RouteOutput<"GET /api/v1/usage">;
type Group = NonNullable<Usage["groups"]>[number];

const TITLES: Record<Dimension, string> = {
  account: "Account",
  project: "Project",
  key: "Key",
  user: "User",
  tool: "Tool",
};

/** The most groups to show. JSON and CSV have all of them. */
const MAX_ROWS = 40;

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
  const shared = new Map(by.map((dimension) => [dimension, sharedNames(shown, dimension)]));
  const rows = shown.map((group) => [
    ...by.map((dimension) => {
      const name = nameOf(group, dimension);
      // A narrow terminal has no room for the column of ids.
      const end = shared.get(dimension)?.has(name) ? group[dimension]?.slice(-6) : undefined;
      return end === undefined ? name : `${name} ${output.symbols.ellipsis}${end}`;
    }),
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
  const isGone = (dimension === "key" || dimension === "user") && group[`${dimension}Gone`] === true;
  if (isGone) return `${name ?? id} (gone)`;
  return name ?? id ?? (dimension === "tool" ? "(none)" : "(unknown)");
}

/** Returns the names that stand for several ids, as the terminals of several people have. */
function sharedNames(groups: readonly Group[], dimension: Dimension): ReadonlySet<string> {
  const known = new Map<string, Group[Dimension]>();
  const shared = new Set<string>();
  for (const group of groups) {
    const name = nameOf(group, dimension);
    if (known.has(name) && known.get(name) !== group[dimension]) shared.add(name);
    known.set(name, group[dimension]);
  }
  return shared;
}

/** Whether a dimension needs a column of ids: some group has a name other than its id. */
function isNamed(groups: readonly Group[], dimension: Dimension): boolean {
  return groups.some((group) => ![null, undefined, nameOf(group, dimension)].includes(group[dimension]));
}
