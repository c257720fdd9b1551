import type { RouteOutput } from "../../../client/routes.ts";
import type { Output } from "../../terminal/io.ts";
import { span } from "../../ui/format.ts";
import { type Column, table } from "../../ui/table.ts";
import { columnsOf, shorten } from "../../ui/width.ts";

type Plan = RouteOutput<"POST /api/v1/tools/scheduler/plan">;
type Slot = Plan["schedule"][number];

const WIDEST_CHART = 60;
const NARROWEST_CHART = 12;
const WIDEST_NAME = 32;

/**
 * Draws one row per task with its bar below a common axis. Highlights the tasks on the critical path, and those
 * without slack beside it: others may make the plan as long as it is.
 */
export function gantt(plan: Plan, slots: readonly Slot[], output: Output): string[] {
  const { style, symbols } = output;
  const path = new Set(plan.criticalPath);
  const isCritical = ({ id, critical }: Slot) => critical || path.has(id);
  const named = slots.map(({ id }) => shorten(id, WIDEST_NAME, symbols.ellipsis));
  const withUses = slots.some(({ uses }) => uses !== undefined);
  const withWorkers = slots.some(({ worker }) => worker !== undefined);
  const cells = slots.map((slot, index) => [
    isCritical(slot) ? style.bold(named[index] as string) : (named[index] as string),
    slot.start === undefined ? span(slot.startMs) : clockTime(slot.start),
    span(slot.endMs - slot.startMs),
    ...(withUses ? [shorten(usedBy(slot, symbols), WIDEST_NAME, symbols.ellipsis)] : []),
    ...(withWorkers ? [String(slot.worker ?? "")] : []),
  ]);
  const columns: Column[] = [
    { title: "Task", shrink: true },
    { title: "Start", align: "right" },
    { title: "Takes", align: "right" },
    ...(withUses ? [{ title: "With", shrink: true }] : []),
    ...(withWorkers ? [{ title: "Worker", align: "right", minor: true } as const] : []),
  ];
  const taken = columns.reduce(
    (sum, { title }, at) => sum + 2 + Math.max(title.length, ...cells.map((row) => columnsOf(row[at] ?? ""))),
    2,
  );
  const width = Math.max(NARROWEST_CHART, Math.min(WIDEST_CHART, output.columns - taken));
  return table(
    [...columns, { title: axis(plan.makespanMs, width) }],
    cells.map((row, index) => {
      const slot = slots[index] as Slot;
      const critical = isCritical(slot);
      const drawn = bar(slot, plan.makespanMs, width, { critical, output });
      return [...row, critical ? style.bold(drawn) : drawn];
    }),
    output,
  );
}

/** Returns the alternatives that a task uses: "ada", "ada, room ×2". */
function usedBy({ uses = {} }: Slot, { unicode }: Output["symbols"]): string {
  return Object.entries(uses)
    .map(([name, units]) => (units === 1 ? name : `${name} ${unicode ? "×" : "x"}${units}`))
    .join(", ");
}

/** Returns the date and time of day of an ISO 8601 text, in the calendar's zone. */
export function clockTime(text: string): string {
  return text.slice(0, 16).replace("T", " ");
}

/** Returns the meaning of the bars' characters. */
export function legend({ symbols }: Output): string {
  return symbols.unicode
    ? "█ on the critical path  ▒ with time to spare"
    : "# on the critical path  = with time to spare";
}

function axis(makespan: number, width: number): string {
  const end = span(makespan);
  return `0${end.padStart(width - 1)}`;
}

function bar(
  { startMs, endMs }: Slot,
  makespan: number,
  width: number,
  { critical, output }: { critical: boolean; output: Output },
): string {
  const { unicode } = output.symbols;
  if (startMs === endMs) {
    const at = makespan > 0 ? Math.min(width - 1, Math.floor((startMs / makespan) * width)) : 0;
    return " ".repeat(at) + (unicode ? "◆" : "*");
  }
  const from = Math.min(width - 1, Math.floor((startMs / makespan) * width));
  const to = Math.max(from + 1, Math.round((endMs / makespan) * width));
  const fill = unicode ? (critical ? "█" : "▒") : critical ? "#" : "=";
  return " ".repeat(from) + fill.repeat(to - from);
}
