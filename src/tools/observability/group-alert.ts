import { type Alert, type AlertSink, shortened } from "../../alerts/alert.ts";
import type { Transaction } from "../../store/store.ts";
import type { Occurrence } from "./occurrence.ts";
import type { Project } from "./reports.ts";

/** `new`: there was none like it. `regressed`: it was resolved, and is back. */
export type GroupChange = "new" | "regressed";

/** Tells the people of a project what became of an error group. */
export async function raiseGroupAlert(
  raise: AlertSink["raiseIn"],
  tx: Transaction,
  { accountId, projectId }: Project,
  { fingerprint: group, source, type: errorType, message }: Occurrence,
  change: GroupChange | undefined,
): Promise<void> {
  if (!change) return;
  const data = { projectId, group, source, errorType, message: shortened(message) };
  const alert: Alert = { type: `error_group.${change}`, accountId, subject: `${projectId}/${group}`, data };
  await raise(tx, alert);
}
