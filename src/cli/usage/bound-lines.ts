import { planNameOf } from "../../client/plan-names.ts";
import type { RouteOutput } from "../../client/routes.ts";
import type { Output } from "../terminal/io.ts";
import { bar } from "../ui/chart.ts";
import { byteSize, number } from "../ui/format.ts";

export type BoundsReport = RouteOutput<"GET /api/v1/usage/bounds">;

const WINDOWS = { minute: "requests a minute", hour: "requests an hour", day: "requests a day" };
/** Of a window that lets more than its limit through at once. */
const BURST = "requests in a burst";
const LABELS: Record<keyof BoundsReport["bounds"], string> = {
  storageBytes: "storage",
  documents: "documents",
  computeSecondsPerMinute: "computing a minute",
  jobsInFlight: "computing at once",
  streams: "event streams",
};
/* Widths in columns: the margin of a line, the names, and the bars. */
const MARGIN = 2;
const LEAST_LABEL = 20;
const NARROWEST = 6;
const WIDEST = 20;
/** The share of a bound from which on it is shown as nearly reached. */
const NEARLY = 0.9;

/** Returns one line per limit of the account, with what is used of it. */
export function boundLines(report: BoundsReport, output: Output): string[] {
  // Servers of 0.1 know no limits of uses.
  const { bounds, windows, uses = [], server } = report;
  const { style, symbols } = output;
  const requests = windows.map(({ name, limit, capacity, remaining }) =>
    rowOf(capacity > limit ? BURST : WINDOWS[name], capacity - remaining, capacity),
  );
  const occupied = Object.entries(LABELS).map(([key, label]) => {
    const name = key as keyof typeof LABELS;
    return rowOf(label, bounds[name].used, bounds[name].limit, FIGURES[name]);
  });
  const monthly = uses.map(({ type, limit, used }) => rowOf(`${type} a month`, used, limit));
  const rows = [...requests, ...monthly, ...occupied];
  const labels = Math.max(LEAST_LABEL, ...rows.map(({ label }) => label.length + 1));
  const room = output.columns - MARGIN - labels - Math.max(...rows.map(({ figures }) => figures.length)) - 1;
  const width = Math.min(WIDEST, room);
  const lines = rows.map(({ label, limit, used, figures }) => {
    if (width < NARROWEST) return label.padEnd(labels) + figures;
    const filled = bar(Math.min(used, limit), limit, width, symbols);
    const colour = used >= NEARLY * limit ? style.yellow : style.cyan;
    const rest = symbols.unicode ? "░" : ".";
    const track = style.dim(rest.repeat(Math.max(0, width - filled.length)));
    return `${label.padEnd(labels)}${colour(filled)}${track} ${figures}`;
  });
  return [
    `Used of the account's limits, plan ${style.bold(planNameOf(report))}, all projects together`,
    "",
    ...lines,
    ...(server.takesMore
      ? []
      : [
          "",
          style.yellow("The server's memory is full: it stores nothing more until something is deleted."),
        ]),
  ];
}

function rowOf(label: string, used: number, limit: number, figure = number) {
  return { label, limit, used, figures: `${figure(used)} of ${figure(limit)}` };
}

const FIGURES: Partial<Record<keyof typeof LABELS, (value: number) => string>> = {
  storageBytes: byteSize,
  computeSecondsPerMinute: (seconds) => `${number(seconds)} s`,
};
