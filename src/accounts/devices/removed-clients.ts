import { collection, GLOBAL, type Transaction } from "../../store/store.ts";
import type { TokenFamily } from "../credentials/model.ts";

/**
 * In GLOBAL, by client id: when the plans file ceased to name a client, in milliseconds since the epoch. Kept until it
 * names it again.
 */
export const removedClients = collection<{ removedAt: number }>("removed_clients", { cached: true });

/**
 * Whether a sign-in is older than the removal of its client from the plans file. Later ones are valid: the device flow
 * takes clients that nobody has named.
 */
export async function isRemoved(
  tx: Transaction,
  { clientId, createdAt }: Pick<TokenFamily, "clientId" | "createdAt">,
): Promise<boolean> {
  const removed = await tx.get(removedClients, GLOBAL, clientId);
  return removed !== undefined && createdAt <= removed.removedAt;
}
