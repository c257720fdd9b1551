import { collection, GLOBAL, type Transaction } from "../../store/store.ts";
import type { TokenFamily } from "../credentials/model.ts";

/** By client id: when the plans file ceased to name a client, in milliseconds since the epoch. */
type Removals = Readonly<Record<string, number>>;

/**
 * In GLOBAL, one document of all. Each start ensures that it is there, because every request with an access token looks
 * at it, and a store keeps in memory only what there is.
 */
export const removedClients = collection<Removals>("removed_clients", { cached: true });

const ALL = "all";

/**
 * Notes the clients that the plans file names no more, at `now`, and forgets those that are back.
 *
 * @param named ids of the clients that the file names newly.
 * @param gone ids of those that it named until now.
 */
export async function noteRemovals(
  tx: Transaction,
  { named, gone, now }: { named: readonly string[]; gone: readonly string[]; now: number },
): Promise<void> {
  const before = await tx.get(removedClients, GLOBAL, ALL);
  if (before && named.length === 0 && gone.length === 0) return;
  const left = Object.entries(before ?? {}).filter(([id]) => !named.includes(id));
  const added = gone.map((id) => [id, now] as const);
  await tx.put(removedClients, GLOBAL, ALL, Object.fromEntries([...left, ...added]));
}

/**
 * Whether a sign-in is older than the removal of its client from the plans file. Later ones are valid: the device flow
 * takes clients that nobody has named.
 */
export async function isRemoved(
  tx: Transaction,
  { clientId, createdAt }: Pick<TokenFamily, "clientId" | "createdAt">,
): Promise<boolean> {
  const removals = (await tx.get(removedClients, GLOBAL, ALL)) ?? {};
  return Object.hasOwn(removals, clientId) && createdAt <= (removals[clientId] as number);
}
