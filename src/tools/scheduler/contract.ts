import { z } from "zod";
import { inWords, named } from "../../contract/components.ts";
import { computedEndpoint, Name, UserId } from "../../contract/endpoint.ts";
import { recordOf } from "../../contract/record.ts";

/** About three years: sums of so many stay exact. */
const MAX_MS = 100_000_000_000;
const MAX_TASKS = 20_000;
const MAX_DEPENDENCIES = 1_000_000;
const MAX_UNITS = 1_000_000_000;
/** What a worker does in about ten seconds: schedules times tasks. */
const MAX_WORK = 50_000_000;

const Duration = z.int().min(0).max(MAX_MS);
const Units = z.int().min(0).max(MAX_UNITS);
const Milliseconds = z.number().nonnegative();
const Share = z.number().nonnegative();

const Task = z.strictObject({
  id: UserId,
  durationMs: Duration,
  dependsOn: z.array(UserId).default([]).describe("Ids of the tasks that must end first"),
  resources: recordOf(Name, Units).default({}).describe("Units of each resource that it holds while it runs"),
  priority: z.number().default(0).describe("Where it costs no time, tasks of greater priority come earlier"),
  earliestStartMs: Duration.default(0),
  deadlineMs: Duration.optional(),
});

named({ ScheduledTask: Task });

export const schedulerContract = {
  plan: computedEndpoint({
    name: "scheduler.plan",
    method: "POST",
    path: "/api/v1/tools/scheduler/plan",
    summary: "Plan tasks that depend on each other and share resources",
    description: `Finds when each task starts, so that the whole is over soon (\`makespanMs\`) and, before that,
deadlines are met. Times count from the start of the plan. Each task takes one of the \`workers\` (those of no
duration none); a resource without a \`capacity\` is unlimited, as workers are where they are left out.

The search ends after \`timeBudgetMs\` of wall time, or after \`iterations\` schedules, or as soon as the plan is as
short as \`lowerBoundMs\`, which no plan can beat. The same tasks, \`seed\` and \`iterations\` give the same plan.
\`slackMs\` is how far a task can move without the plan becoming longer, \`criticalPath\` a chain of tasks without a
pause in it that makes the plan as long as it is, \`waves\` the tasks by the depth of their dependencies.`,
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
        seed: z.int().min(0).max(4_294_967_295).default(1),
      })
      .superRefine(({ tasks, iterations = 0 }, context) => {
        const seen = new Set<string>();
        let dependencies = 0;
        for (const [index, { id, dependsOn }] of tasks.entries()) {
          if (seen.has(id)) fault(["tasks", index, "id"], `"${id}" is the id of an earlier task too`);
          seen.add(id);
          dependencies += dependsOn.length;
        }
        if (dependencies > MAX_DEPENDENCIES) {
          fault(["tasks"], `must have at most ${MAX_DEPENDENCIES} dependencies together`);
        }
        if (iterations * tasks.length > MAX_WORK) {
          const most = Math.floor(MAX_WORK / tasks.length);
          fault(["iterations"], `must be at most ${most} for ${tasks.length} tasks`);
        }

        function fault(path: (string | number)[], message: string): void {
          context.addIssue({ code: "custom", path, message });
        }
      })
      .register(inWords, {
        rule: `No two tasks have the same \`id\`; at most ${MAX_DEPENDENCIES} dependencies together, and \`iterations\` times the number of tasks is at most ${MAX_WORK}.`,
      }),
    output: z.object({
      schedule: z.array(
        z.object({
          id: z.string(),
          startMs: Milliseconds,
          endMs: Milliseconds,
          worker: z.int().positive().optional().describe("From 1, where `workers` was given"),
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
      missedDeadlines: z.array(z.object({ id: z.string(), deadlineMs: Milliseconds, endMs: Milliseconds })),
    }),
  }),
};
