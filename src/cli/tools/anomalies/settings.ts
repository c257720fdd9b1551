import type { RouteOutput } from "../../../client/routes.ts";
import { shellWord } from "../../../system/processes/shell-word.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";
import { collect } from "../../pages.ts";
import type { Output } from "../../terminal/io.ts";
import { number } from "../../ui/format.ts";
import { table } from "../../ui/table.ts";
import { figure, spoken } from "./severity.ts";

type Settings = RouteOutput<"POST /api/v1/tools/anomalies/settings">["settings"];

/** A value from the command line; `none` removes the setting. */
export type ValueOrNone = number | "none";

const NAMES = [
  { name: "low", option: "--low", said: "lower threshold" },
  { name: "high", option: "--high", said: "upper threshold" },
  { name: "maxGapMs", option: "--max-gap", said: "longest pause (ms)" },
] as const;
const MAX_SETTINGS = 10_000;

/** Lists the settings of all metrics, or changes those of one metric. */
export async function settings(
  context: Context,
  metric: string | undefined,
  { low, high, maxGap }: { low?: ValueOrNone; high?: ValueOrNone; maxGap?: ValueOrNone },
): Promise<Outcome> {
  if (metric === undefined) {
    if (low === undefined && high === undefined && maxGap === undefined) return list(context);
    throw new UsageError(
      "--low, --high and --max-gap need a metric.",
      "Such as tool anomalies settings build_seconds --high 600",
    );
  }
  const { client, io } = context;
  const set = await client.call("POST /api/v1/tools/anomalies/settings", {
    metric,
    low: settingOf(low),
    high: settingOf(high),
    maxGapMs: settingOf(maxGap),
  });
  const said = NAMES.map(({ name, said }) => `${said} ${shown(set.settings[name])}`).join(", ");
  return { document: set, lines: [`${io.out.style.bold(metric)}  ${said}`] };
}

function settingOf(given: ValueOrNone | undefined): number | null | undefined {
  return given === "none" ? null : given;
}

async function list({ client, io }: Context): Promise<Outcome> {
  const page = await collect(MAX_SETTINGS, (query) =>
    client.call("GET /api/v1/tools/anomalies/settings", query),
  );
  if (page.items.length === 0) {
    return {
      document: page,
      lines: ["Nothing is set. Set a threshold: tool anomalies settings <metric> --high 600"],
    };
  }
  const rows = page.items.map(({ metric, settings, dismissed }) => [
    metric,
    ...NAMES.map(({ name }) => shown(settings[name])),
    Object.entries(dismissed)
      .map(([kind, times]) => `${number(times ?? 0)} ${spoken(kind)}`)
      .join(", "),
  ]);
  const columns = [
    { title: "Metric", shrink: true },
    ...["Low", "High", "Max gap (ms)"].map((title) => ({ title, align: "right" as const })),
    { title: "Dismissed", minor: true },
  ];
  return { document: page, lines: table(columns, rows, io.out) };
}

/** Returns a text such as `upper threshold none → 640`. */
export function changes(before: Settings, after: Settings, { symbols }: Output): string {
  const arrow = symbols.unicode ? "→" : "->";
  return changed(before, after)
    .map(({ name, said }) => `${said} ${shown(before[name])} ${arrow} ${shown(after[name])}`)
    .join(", ");
}

/** Returns the command that changes the settings from `from` to `to`. */
export function commandFor(metric: string, from: Settings, to: Settings): string {
  const options = changed(from, to).map(({ name, option }) => `${option}=${to[name] ?? "none"}`);
  return ["tool anomalies settings", ...options, argument(metric)].join(" ");
}

function changed(before: Settings, after: Settings) {
  return NAMES.filter(({ name }) => before[name] !== after[name]);
}

function shown(value: number | null): string {
  return value === null ? "none" : figure(value);
}

/** Puts `--` before a name that begins with a dash, which would be an option. */
function argument(name: string): string {
  return name.startsWith("-") ? `-- ${shellWord(name)}` : shellWord(name);
}
