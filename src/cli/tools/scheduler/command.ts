import type { RouteInput, RouteOutput } from "../../../client/routes.ts";
import { defined } from "../../../system/defined.ts";
import { askTool, recordOption } from "../../ask-tool.ts";
import { type Define, examples, type Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";
import { typedPairs, wholeNumber } from "../../options.ts";
import { inputName } from "../../terminal/input.ts";
import { readJson } from "../../terminal/read-json.ts";
import { count, number } from "../../ui/format.ts";
import { hanging } from "../../ui/width.ts";
import { clockTime, gantt, legend } from "./gantt.ts";
import { span } from "./span.ts";

type Plan = RouteOutput<"POST /api/v1/tools/scheduler/plan">;
type PlanInput = RouteInput<"POST /api/v1/tools/scheduler/plan">;

const MAX_ROWS = 100;
const MAX_IN_PATH = 30;

export const define: Define = (command, run) => {
  command
    .command("plan <tasks.json>")
    .description('Plan tasks, [{ "id", "durationMs", "dependsOn"? … }] or the whole request; - is stdin.')
    .option("--workers <n>", "How many tasks may run at once", wholeNumber(1, 1_000_000_000))
    .option("--capacity <resource=units>", "How much there is of a resource; repeatable", typedPairs)
    .option("--time <ms>", "How long to search", wholeNumber(1, 20_000))
    .option("--iterations <n>", "How many schedules to try instead: repeatable", wholeNumber(1, 50_000_000))
    .option("--seed <n>", "Another seed finds another plan", wholeNumber(0, 4_294_967_295))
    .addOption(recordOption())
    .addHelpText(
      "after",
      examples(
        "tool scheduler plan tasks.json --workers 4",
        "tool scheduler plan build.json --capacity cpu=8 --capacity gpu=1 --time 5000",
        "tool scheduler plan tasks.json --json | jq -r '.order[]'",
      ),
    )
    .action(run(plan));
};

interface Options {
  workers?: number;
  capacity?: Record<string, unknown>;
  time?: number;
  iterations?: number;
  seed?: number;
  record: boolean;
}

async function plan(context: Context, file: string, options: Options): Promise<Outcome> {
  const { capacity, time, workers, iterations, seed, record } = options;
  const request = await requestFrom(context, file);
  const input = {
    ...request,
    ...defined({ workers, iterations, seed, timeBudgetMs: time }),
    ...(capacity && { capacity: { ...request.capacity, ...capacity } }),
  } as PlanInput;
  const asking = { replayable: true, record };
  const asked = askTool(context, "POST /api/v1/tools/scheduler/plan", input, asking);
  const { answer: found, kept } = await context.progress.during("Planning", asked);
  return { document: found, lines: linesOf(found, context), kept };
}

async function requestFrom({ io }: Context, file: string): Promise<PlanInput> {
  const content = await readJson(io, file);
  if (Array.isArray(content)) return { tasks: content };
  if (typeof content === "object" && content !== null && "tasks" in content) return content as PlanInput;
  throw new UsageError(
    `${inputName(file)} must hold a list of tasks, or { "tasks": […], "workers"?, "capacity"? }.`,
  );
}

function linesOf(plan: Plan, { io }: Context): string[] {
  const { style, symbols } = io.out;
  const { schedule, makespanMs, criticalPath, missedDeadlines } = plan;
  if (schedule.length === 0) return ["There are no tasks to plan."];
  const slots = new Map(schedule.map((slot) => [slot.id, slot]));
  const shown = plan.order.slice(0, MAX_ROWS).flatMap((id) => slots.get(id) ?? []);
  const path = criticalPath.slice(0, MAX_IN_PATH).join(` ${symbols.pointer} `);
  const pathRest = criticalPath.length - MAX_IN_PATH;
  return [
    `${style.bold(span(makespanMs))} for ${count(schedule.length, "task")}, ${plan.end === undefined ? "" : `until ${clockTime(plan.end)}, `}${qualityOf(plan)}`,
    "",
    ...gantt(plan, shown, io.out),
    ...(schedule.length > MAX_ROWS
      ? [style.dim(`${number(schedule.length - MAX_ROWS)} more: --json shows all`)]
      : []),
    "",
    style.dim(legend(io.out)),
    "",
    hanging("Critical path  ", `${path}${pathRest > 0 ? ` and ${pathRest} more` : ""}`, io.out.columns - 2),
    ...utilisationLine(plan),
    ...(plan.missedStarts ?? []).map(({ id, startMs, plannedMs }) =>
      style.yellow(`${symbols.attention} ${id} starts ${span(startMs - plannedMs)} late`),
    ),
    ...missedDeadlines.map(({ id, endMs, deadlineMs }) =>
      style.yellow(`${symbols.attention} ${id} ends ${span(endMs - deadlineMs)} after its deadline`),
    ),
  ];
}

function qualityOf({ gap, lowerBoundMs }: Plan): string {
  if (gap === 0) return "the shortest there is";
  const percent = (gap * 100).toLocaleString("en-GB", { maximumSignificantDigits: 2 });
  return `at most ${percent} % longer than the shortest (no plan is under ${span(lowerBoundMs)})`;
}

function utilisationLine({ utilisation: { workers, resources } }: Plan): string[] {
  const shares = [...(workers === null ? [] : [["workers", workers] as const]), ...Object.entries(resources)];
  if (shares.length === 0) return [];
  const parts = shares.map(([name, share]) => `${name} ${Math.round(share * 100)} %`);
  return [`In use         ${parts.join(", ")}`];
}
