import type { IdTokenAlgorithm } from "../../contract/oauth-names.ts";
import { collection, GLOBAL, type Transaction } from "../../store/store.ts";

/** A client that registered itself. Times are milliseconds since the epoch. */
export interface RegisteredClient {
  name: string;
  redirectUris: string[];
  /** Absent if it registered with a version that signed with EdDSA alone. */
  idTokenAlgorithm?: IdTokenAlgorithm;
  createdAt: number;
  /** Accurate to a day. */
  lastUsedAt?: number;
}

/** In GLOBAL, by client id. */
export const registeredClients = collection<RegisteredClient>("registered_clients", { cached: true });

/** The ids of clients that registered themselves, and of no others. */
const ID = /^dcr_[0-9a-z]{26}$/;

export function registeredItself(clientId: string): boolean {
  return ID.test(clientId);
}

/** Whether a client had registered itself, and its registration has expired or was revoked. */
export async function isForgotten(tx: Transaction, clientId: string | undefined): Promise<boolean> {
  return (
    clientId !== undefined &&
    registeredItself(clientId) &&
    (await tx.get(registeredClients, GLOBAL, clientId)) === undefined
  );
}
