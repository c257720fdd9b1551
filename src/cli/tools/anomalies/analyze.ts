import type { RouteOutput } from "../../../client/routes.ts";
import { defined } from "../../../system/defined.ts";
import { askTool } from "../../ask-tool.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit-codes.ts";
import type { Output } from "../../terminal/io.ts";
import { count, number, spaced } from "../../ui/format.ts";
import { hanging } from "../../ui/width.ts";
import { type Request, readMetrics } from "./read-metrics.ts";
import { coloured, range, SEVERITIES, type Severity, spoken } from "./severity.ts";
import { trend } from "./trend.ts";

type Analysis = RouteOutput<"POST /api/v1/tools/anomalies/analyze">;
type Anomaly = Analysis["anomalies"][number];

/** The most anomalies to show of one metric; the others are only counted. */
const MAX_SHOWN = 20;

interface Options {
  metric?: string;
  session?: string;
  sensitivity?: "low" | "medium" | "high";
  failOn?: Severity;
  record: boolean;
}

export async function analyze(context: Context, file: string, options: Options): Promise<Outcome> {
  const { io, progress } = context;
  const { sensitivity, session, failOn, record } = options;
  const read = await readMetrics(io, file, options.metric);
  for (const note of read.notes) progress.note(note);
  const request: Request = { ...read.request, ...defined({ sessionId: session, sensitivity }) };
  const asked = askTool(context, "POST /api/v1/tools/anomalies/analyze", request, { record });
  const { answer: analysis, isRecorded } = await progress.during("Analysing", asked);
  const least = failOn ? SEVERITIES.indexOf(failOn) : SEVERITIES.length;
  const failed = analysis.anomalies.some(({ severity }) => SEVERITIES.indexOf(severity) >= least);
  return {
    document: analysis,
    lines: linesOf(analysis, request, isRecorded, io.out),
    isRecorded,
    exitCode: failed ? EXIT.negative : EXIT.done,
  };
}

function linesOf(
  { anomalies, series }: Analysis,
  { metrics }: Request,
  isRecorded: boolean,
  output: Output,
): string[] {
  const groups = Object.entries(series).map(([metric, about]) => {
    const found = anomalies.filter((anomaly) => anomaly.metric === metric);
    const values = (metrics[metric] ?? []).map(heightOf);
    return [
      `${output.style.bold(metric)}  ${summary(about, found.length)}`,
      ...trend(values, found, output),
      ...found.slice(0, MAX_SHOWN).flatMap((anomaly) => anomalyLines(anomaly, output)),
      ...(found.length > MAX_SHOWN
        ? [
            output.style.dim(
              `${number(found.length - MAX_SHOWN)} more: ${isRecorded ? "tool anomalies history" : "--json shows all"}`,
            ),
          ]
        : []),
    ];
  });
  const [first] = anomalies;
  const verbs = first?.suggestion ? ["apply", "dismiss"] : ["dismiss"];
  const next =
    first && isRecorded ? verbs.map((verb) => output.style.dim(`tool anomalies ${verb} ${first.id}`)) : [];
  return spaced([...groups, next].filter(({ length }) => length > 0));
}

function summary({ points, verdict, baseline }: Analysis["series"][string], found: number): string {
  const sent = count(points, "point");
  if (verdict === "insufficient_data" || !baseline) return `${sent}, too few to judge: 10 are needed`;
  const expected = `${range(baseline)} is usual`;
  return found === 0
    ? `${sent}, nothing strange; ${expected}`
    : `${sent}, ${count(found, "anomaly", "anomalies")}; ${expected}`;
}

function anomalyLines(anomaly: Anomaly, output: Output): string[] {
  const { style, symbols, columns } = output;
  const { id, kind, severity, at, index, explanation, suggestion } = anomaly;
  const place = at ?? `point ${number(index)}`;
  return [
    `${coloured(severity, symbols.attention, style)} ${coloured(severity, severity, style)} ${spoken(kind)} at ${place}  ${style.dim(id)}`,
    hanging("  ", explanation, columns - 2),
    ...(suggestion ? [hanging(`  ${symbols.pointer} `, suggestion.effect, columns - 2)] : []),
  ];
}

function heightOf(point: unknown): number {
  return typeof point === "number" ? point : ((point as { value?: number } | null)?.value ?? 0);
}
