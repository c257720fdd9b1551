import type { RouteInput } from "../../../client/routes.ts";
import { defined } from "../../../system/defined.ts";
import { askTool, recordOption } from "../../ask-tool.ts";
import { type Define, examples, type Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { UsageError } from "../../exit-codes.ts";
import { typedPairs, wholeNumber } from "../../options.ts";
import { inputName } from "../../terminal/input.ts";
import { readJson } from "../../terminal/read-json.ts";
import { ineffectiveNames } from "./ineffective-names.ts";
import { planLines } from "./plan-lines.ts";

type PlanInput = RouteInput<"POST /api/v1/tools/scheduler/plan">;

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
  const { answer: found, isRecorded } = await context.progress.during("Planning", asked);
  for (const note of ineffectiveNames(input)) context.progress.note(note);
  return { document: found, lines: planLines(found, context), isRecorded };
}

async function requestFrom({ io }: Context, file: string): Promise<PlanInput> {
  const content = await readJson(io, file);
  if (Array.isArray(content)) return { tasks: content };
  if (typeof content === "object" && content !== null && "tasks" in content) return content as PlanInput;
  throw new UsageError(
    `${inputName(file)} must hold a list of tasks, or { "tasks": […], "workers"?, "capacity"? }.`,
  );
}
