import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { changes, commandFor } from "./settings.ts";
import { spoken } from "./severity.ts";

export async function dismiss(
  { client, io }: Context,
  id: string,
  { reason }: { reason?: string },
): Promise<Outcome> {
  const dismissed = await client.call("POST /api/v1/tools/anomalies/dismiss/{id}", { id, reason });
  const { kind, metric } = dismissed.anomaly;
  return {
    document: dismissed,
    lines: [`${io.out.marks.done} Dismissed. A ${spoken(kind)} of ${metric} counts less from now on.`],
  };
}

export async function apply({ client, io }: Context, id: string): Promise<Outcome> {
  const applied = await client.call("POST /api/v1/tools/anomalies/apply/{id}", { id });
  const { metric, before, after } = applied.changed;
  const { style, marks } = io.out;
  return {
    document: applied,
    lines: [
      `${marks.done} ${metric}: ${changes(before, after, io.out)}`,
      `  Undo: ${style.cyan(commandFor(metric, after, before))}`,
    ],
  };
}

export async function reopen({ client, io }: Context, id: string): Promise<Outcome> {
  const reopened = await client.call("POST /api/v1/tools/anomalies/reopen/{id}", { id });
  const { kind, metric } = reopened.anomaly;
  return {
    document: reopened,
    lines: [
      `${io.out.marks.done} Open again. A ${spoken(kind)} of ${metric} is judged as before it was decided on.`,
    ],
  };
}
