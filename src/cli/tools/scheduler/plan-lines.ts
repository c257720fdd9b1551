import type { RouteOutput } from "../../../client/routes.ts";
import type { Context } from "../../context.ts";
import { count, number, span } from "../../ui/format.ts";
import { hanging } from "../../ui/width.ts";
import { clockTime, gantt, legend } from "./gantt.ts";

type Plan = RouteOutput<"POST /api/v1/tools/scheduler/plan">;

const MAX_ROWS = 100;
const MAX_IN_PATH = 30;

export function planLines(plan: Plan, { io }: Context): string[] {
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
    ...utilisationLine(plan, io.out.columns - 2),
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

function utilisationLine({ utilisation: { workers, resources } }: Plan, width: number): string[] {
  const shares = [...(workers === null ? [] : [["workers", workers] as const]), ...Object.entries(resources)];
  if (shares.length === 0) return [];
  const parts = shares.map(([name, share]) => `${name} ${Math.round(share * 100)} %`);
  return [hanging("In use         ", parts.join(", "), width)];
}
