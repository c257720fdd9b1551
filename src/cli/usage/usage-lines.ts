import type { RouteOutput } from "../../client/routes.ts";
import type { Output } from "../terminal/io.ts";
import { bar, sparkline } from "../ui/chart.ts";
import { count, number } from "../ui/format.ts";

type Usage = RouteOutput<"GET /api/v1/usage">;

const WIDEST_BAR = 40;
/** The longest period, in days, for which trends and one row per day are shown. */
const MAX_ROWS = 31;

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
