import type { RouteOutput } from "../../../client/routes.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import type { Output } from "../../terminal/io.ts";
import { sparkline } from "../../ui/chart.ts";
import { count, spaced } from "../../ui/format.ts";
import { cohortLine, figure, standingLine } from "./standing.ts";
import type { MeasureType } from "./types.ts";

type Insight = RouteOutput<"GET /api/v1/tools/learning/insights">["items"][number];

/** The number of latest values that fit into a narrow terminal. */
const MAX_SPARKS = 30;
const TYPE_WIDTH = 20;

export async function insights({ client, io }: Context, { type }: { type?: MeasureType }): Promise<Outcome> {
  const found = await client.call("GET /api/v1/tools/learning/insights", { type });
  const measured = found.items.filter(({ status }) => status !== "no_measurements");
  if (measured.length === 0) {
    const example = `tool learning benchmark ${type ?? "build_duration"} 212`;
    return { document: found, lines: [`Nothing was measured yet. Record something: ${example}`] };
  }
  return { document: found, lines: spaced(measured.map((insight) => linesOf(insight, io.out))) };
}

function linesOf(insight: Insight, output: Output): string[] {
  const { type, unit, latest, trend, cohort, patterns } = insight;
  const { style, symbols } = output;
  const values = trend.values.slice(-MAX_SPARKS);
  const standing = standingLine(insight);
  return [
    [
      type.replaceAll("_", " ").padEnd(TYPE_WIDTH),
      style.bold(figure(latest?.value ?? 0, unit)),
      `  ${style.dim(sparkline(values, symbols))}`,
      `  ${directionOf(trend, output)}`,
    ].join(""),
    ...(standing === undefined ? [] : [`${" ".repeat(TYPE_WIDTH)}${standing}`]),
    `${" ".repeat(TYPE_WIDTH)}${style.dim(cohortLine(cohort, unit))}`,
    ...patterns.flatMap(({ title, description, outcome }) => [
      `  ${style.cyan(symbols.pointer)} ${title}${outcome === undefined ? "" : `: ${outcome}`}`,
      ...description.split("\n").map((line) => `    ${style.dim(line)}`),
    ]),
  ];
}

function directionOf({ direction, measurements }: Insight["trend"], { style }: Output): string {
  if (direction === "insufficient_data")
    return style.dim(`${count(measurements, "measurement")}, no trend yet`);
  const colour = { improving: style.green, worsening: style.red, steady: style.dim }[direction];
  return `${colour(direction)} over ${count(measurements, "measurement")}`;
}
