import * as z from "zod";
import { named, refinementRules } from "../../contract/components.ts";
import { computedEndpoint, type Input, Name, UserId } from "../../contract/endpoint.ts";
import { recordOf } from "../../contract/record.ts";
import { LocalTime, PlanCalendar } from "./calendar/contract.ts";

/** About three years. Sums of as many durations as there may be tasks stay exact. */
const MAX_MS = 100_000_000_000;
const MAX_TASKS = 20_000;
const MAX_DEPENDENCIES = 1_000_000;
const MAX_ALTERNATIVES = 20;
const MAX_UNITS = 1_000_000_000;
/** Factor by which calendars, lags or alternatives slow down a schedule. */
const CONSTRAINED_COST = 10;
/** Schedules times tasks that a worker process makes in about ten seconds. */
const MAX_WORK = 50_000_000;

const Duration = z.int().min(0).max(MAX_MS);
const Units = z.int().min(0).max(MAX_UNITS);
const Milliseconds = z.number().nonnegative();
const Instant = z.number().describe("Negative: before the plan's start");
const Share = z.number().nonnegative();

const Resources = recordOf(Name, Units);
const Lag = z.int().min(-MAX_MS).max(MAX_MS);

const Task = z.strictObject({
  id: UserId,
  durationMs: Duration,
  dependsOn: z.array(UserId).default([]).describe("Ids that must end first"),
  dependsOnStart: z.array(UserId).default([]).describe("Ids that must have started"),
  lagMs: recordOf(UserId, Lag).default({}).describe("By these ids; negative: overlap"),
  resources: Resources.default({}).describe("Units that it holds"),
  anyOf: z.array(Resources).max(MAX_ALTERNATIVES).default([]),
  interruptible: z.boolean().default(true),
  priority: z.number().default(0).describe("Greater comes earlier where free"),
  earliestStartMs: Duration.default(0),
  deadlineMs: Duration.optional(),
  startMs: Duration.optional(),
  earliestStart: LocalTime.optional(),
  deadline: LocalTime.optional(),
  start: LocalTime.optional(),
});

named({ ScheduledTask: Task });

/** Members with the same meaning, as local time and in milliseconds, and what the latter is where it is left out. */
const DATES = [
  ["earliestStart", "earliestStartMs", 0],
  ["deadline", "deadlineMs", undefined],
  ["start", "startMs", undefined],
] as const;

function isConstrained({ dependsOnStart, lagMs }: z.output<typeof Task>): boolean {
  return dependsOnStart.length > 0 || Object.keys(lagMs).length > 0;
}

export const schedulerContract = {
  plan: computedEndpoint({
    name: "scheduler.plan",
    method: "POST",
    path: "/api/v1/tools/scheduler/plan",
    summary: "Plan tasks that depend on each other and share resources",
    description: `Finds when each task starts, so that the whole is over soon (\`makespanMs\`) and, before that, deadlines are
met. Times count from the start of the plan. Each task takes one of the \`workers\` (those of no duration none);
a resource without a \`capacity\` is unlimited, as are workers if left out. The search ends after
\`timeBudgetMs\` of wall time, or after \`iterations\` schedules, or as soon as the plan is as short as
\`lowerBoundMs\`, which no plan can beat. The same tasks, \`seed\` and \`iterations\` give the same plan. Where
there is a \`calendar\`, tasks run in its hours and in those of every resource that they hold: \`durationMs\`
counts working time, all other times and lags (\`lagMs\`, by ids in \`dependsOn\` and \`dependsOnStart\`) every
hour, and \`start\` and \`end\` say when that is by the calendar's clock. A task pauses where its hours end and
holds what it has until it ends, or, where it is not \`interruptible\`, must fit one stretch of hours. \`hours\`
are such as "mon-fri 09:00-17:30" or "sat,sun 22:00-06:00", and all where they are left out; none begin on
\`holidays\`. \`earliestStart\`, \`deadline\` and \`start\` are dates or local times of the calendar; a
\`deadline\` that is a date means its end, a \`start\` any time on it. A task with a \`start\` does not start
before it and, if possible, not after it: \`missedStarts\` has those that do. Of \`anyOf\` a task holds that
with which it ends first: \`uses\` says which. \`slackMs\` is how far a task can move without the plan becoming
longer, \`criticalPath\` a chain of tasks without a pause in it that makes the plan as long as it is, \`waves\`
the tasks by the depth of their dependencies.`,
    scope: "write",
    errors: ["dependency_cycle", "unknown_dependency", "unprocessable"],
    safe: true,
    example: {
      tasks: [
        { id: "build", durationMs: 60_000 },
        { id: "test", durationMs: 30_000, dependsOn: ["build"] },
      ],
      workers: 2,
    },
    compute: "long",
    input: z
      .strictObject({
        tasks: z.array(Task).max(MAX_TASKS),
        capacity: recordOf(Name, Units).default({}),
        workers: z.int().min(1).max(MAX_UNITS).optional(),
        timeBudgetMs: z.int().min(1).max(20_000).default(1000),
        iterations: z.int().min(1).max(MAX_WORK).optional().describe("Instead of `timeBudgetMs`"),
        calendar: PlanCalendar.optional(),
        seed: z.int().min(0).max(4_294_967_295).default(1),
      })
      .superRefine(({ tasks, calendar, iterations = 0 }, context) => {
        const seen = new Set<string>();
        let dependencies = 0;
        let ways = 0;
        for (const [index, task] of tasks.entries()) {
          const { id, dependsOn, dependsOnStart, lagMs, anyOf } = task;
          if (seen.has(id)) fault(["tasks", index, "id"], `"${id}" is the id of an earlier task too`);
          seen.add(id);
          dependencies += dependsOn.length + dependsOnStart.length;
          ways += Math.max(1, anyOf.length);
          const known = new Set([...dependsOn, ...dependsOnStart]);
          for (const other of Object.keys(lagMs)) {
            if (known.has(other)) continue;
            fault(["tasks", index, "lagMs", other], "must be in `dependsOn` or `dependsOnStart` too");
          }
          for (const member of ["earliestStart", "deadline", "start"] as const) {
            if (calendar || task[member] === undefined) continue;
            fault(["tasks", index, member], "needs a `calendar`, whose clock it goes by");
          }
          for (const [dated, counted, leftOut] of DATES) {
            if (task[dated] === undefined || task[counted] === leftOut) continue;
            fault(["tasks", index, dated], `is \`${counted}\` too: give one of them`);
          }
        }
        if (dependencies > MAX_DEPENDENCIES) {
          fault(["tasks"], `must have at most ${MAX_DEPENDENCIES} dependencies together`);
        }
        const cost =
          calendar || ways > tasks.length || tasks.some(isConstrained) ? CONSTRAINED_COST * ways : ways;
        if (iterations * cost > MAX_WORK) {
          const most = Math.floor(MAX_WORK / cost);
          fault(["iterations"], `must be at most ${most} for ${tasks.length} tasks`);
        }

        function fault(path: (string | number)[], message: string): void {
          context.addIssue({ code: "custom", path, message });
        }
      })
      .register(refinementRules, {
        rule: `No two tasks have the same \`id\`; at most ${MAX_DEPENDENCIES} dependencies together, and \`iterations\` times the number of tasks is at most ${MAX_WORK}, a tenth of that with calendars, lags or alternatives, each of which counts as a task.`,
      }),
    output: z.object({
      schedule: z.array(
        z.object({
          id: z.string(),
          startMs: Milliseconds,
          endMs: Milliseconds,
          worker: z.int().positive().optional().describe("From 1, where `workers` was given"),
          start: z.string().optional(),
          end: z.string().optional(),
          uses: z.record(z.string(), z.int()).optional(),
          slackMs: Milliseconds,
          critical: z.boolean().describe("It has no slack"),
        }),
      ),
      order: z.array(z.string()).describe("Ids by start, each behind what it depends on"),
      waves: z.array(z.array(z.string())),
      criticalPath: z.array(z.string()),
      makespanMs: Milliseconds,
      lowerBoundMs: Milliseconds,
      gap: Share.describe("How much longer the plan is than the lower bound, as a fraction of that"),
      iterations: z.int().nonnegative().describe("Schedules that were made"),
      utilisation: z.object({
        workers: Share.nullable().describe("Null where they are unlimited"),
        resources: z.record(z.string(), Share).describe("Those with a capacity"),
      }),
      end: z.string().optional(),
      missedStarts: z
        .array(z.object({ id: z.string(), plannedMs: Instant, startMs: Milliseconds }))
        .optional(),
      missedDeadlines: z.array(z.object({ id: z.string(), deadlineMs: Instant, endMs: Milliseconds })),
    }),
  }),
};

export type PlanInput = Input<typeof schedulerContract.plan>;
export type Task = PlanInput["tasks"][number];
