import { type AlertSink, shortened } from "../../alerts/alert.ts";
import type { Transaction } from "../../store/store.ts";
import type { GroupTurn } from "./record.ts";

/**
 * Raises an alert for an error that is new, regressed or no longer ignored, in the transaction of the
 * occurrence that made it so.
 */
export async function raiseGroupAlert(
  raise: AlertSink["raiseIn"],
  tx: Transaction,
  { accountId, projectId }: { accountId: string; projectId: string },
  { turn, fingerprint, group: { source, type: errorType, message } }: GroupTurn,
): Promise<void> {
  const data = { projectId, group: fingerprint, source, errorType, message: shortened(message) };
  await raise(tx, { type: `error_group.${turn}`, accountId, subject: `${projectId}/${fingerprint}`, data });
}
