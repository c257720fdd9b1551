import { OAuthError } from "../../contract/problem.ts";

/** An application that asks for tokens. One that is not registered works too, and is shown as such. */
export interface Client {
  id: string;
  name: string;
  registered: boolean;
}

/** Finds a client by its id. */
export type Clients = (clientId: string) => Client;

const OWN = { "tool-cli": { name: "tool command line" } };

/** @param registered by client id, beside our own command line. */
export function createClients(registered: Readonly<Record<string, { name: string }>>): Clients {
  const byId = new Map(Object.entries({ ...OWN, ...registered }));
  return (id) => ({ id, name: byId.get(id)?.name ?? id, registered: byId.has(id) });
}

/** @returns the id, once it has the form of one (RFC 6749 §2.2 leaves the form to the server). */
export function checkClientId(id: string): string {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(id)) return id;
  throw new OAuthError("invalid_request", "client_id must have 1 to 64 characters of A-Z a-z 0-9 . _ -");
}
