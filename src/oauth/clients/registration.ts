import {
  type RegisteredClient,
  registeredClients,
  registeredItself,
} from "../../accounts/devices/registered-clients.ts";
import { listPage, type PageOf, type PageRequest, viewed } from "../../accounts/page.ts";
import type { Actor } from "../../audit/model.ts";
import type { AuditTrail } from "../../audit/trail.ts";
import { faultsOf } from "../../contract/faults.ts";
import type { IdTokenAlgorithm } from "../../contract/oauth-names.ts";
import { type Fault, OAuthError, Problem } from "../../contract/problem.ts";
import { GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { DAY_MS } from "../../system/durations.ts";
import type { Random } from "../../system/random.ts";
import { REGISTRATIONS_SHARE, requireStrangersRoom } from "../strangers-room.ts";
import { type Client, idTokenAlgorithmFor } from "./client.ts";
import { ClientMetadata } from "./client-metadata.ts";

/** How long a registration is kept before its first approval. */
const UNUSED_MS = DAY_MS;
/** How long a registration is kept after its last use. */
const USED_MS = 90 * DAY_MS;
const MAX_REDIRECT_CHARACTERS = 2048;

/** The registered metadata (RFC 7591 §3.2.1), which may differ from the requested metadata. */
export interface RegistrationResponse {
  client_id: string;
  /** Seconds since the epoch. */
  client_id_issued_at: number;
  client_name: string;
  redirect_uris: string[];
  token_endpoint_auth_method: "none";
  grant_types: ["authorization_code", "refresh_token"];
  response_types: ["code"];
  id_token_signed_response_alg: IdTokenAlgorithm;
}

export interface Registrations {
  /** Registers a client (RFC 7591 §3.1). `OAuthError`. */
  register(metadata: unknown, by: Actor): Promise<RegistrationResponse>;
  find(clientId: string): Promise<Client | undefined>;
  /** Lists registrations, oldest first. */
  list(page: PageRequest): Promise<PageOf<RegisteredClient & { id: string }>>;
  /** Revokes a client, which ends what it was issued, and returns its name. `Problem` `not_found`. */
  revoke(by: Actor, clientId: string): Promise<string>;
}

/**
 * Registers every client as a public one, whatever it requests (RFC 7591 §2 lets the server replace values). A secret
 * that anybody can obtain proves nothing, and PKCE protects the code.
 */
export function createRegistrations({
  store,
  audit,
  clock,
  random,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
}): Registrations {
  return {
    async register(metadata, by) {
      const parsed = ClientMetadata.safeParse(metadata);
      if (!parsed.success) throw refusal(faultsOf(parsed.error)[0] as Fault);
      const { client_name = "Unnamed application", redirect_uris, grant_types, response_types } = parsed.data;
      const idTokenAlgorithm = idTokenAlgorithmFor(parsed.data.id_token_signed_response_alg);
      if (redirect_uris.join("").length > MAX_REDIRECT_CHARACTERS) {
        throw refusal({
          path: "redirect_uris",
          message: `hold more than ${MAX_REDIRECT_CHARACTERS} characters`,
        });
      }
      if (grant_types && !grant_types.includes("authorization_code")) {
        throw refusal({ path: "grant_types", message: "must hold authorization_code" });
      }
      if (response_types && !response_types.includes("code")) {
        throw refusal({ path: "response_types", message: "must hold code" });
      }
      requireStrangersRoom(store, REGISTRATIONS_SHARE);
      const createdAt = clock.now();
      const id = random.id("dcr");
      const client = { name: client_name, redirectUris: redirect_uris, idTokenAlgorithm, createdAt };
      await audit.transact(by, async (tx, note) => {
        await tx.insert(registeredClients, GLOBAL, id, client, { expiresAt: createdAt + UNUSED_MS });
        note({
          action: "client.registered",
          target: { kind: "client", id, name: client_name },
          accountId: null,
          after: { redirectUris: redirect_uris },
        });
      });
      return {
        client_id: id,
        client_id_issued_at: Math.floor(createdAt / 1000),
        client_name,
        redirect_uris,
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code", "refresh_token"],
        response_types: ["code"],
        id_token_signed_response_alg: idTokenAlgorithm,
      };
    },
    async find(clientId) {
      if (!registeredItself(clientId)) return undefined;
      const found = await store.transact((tx) => tx.get(registeredClients, GLOBAL, clientId));
      return (
        found && {
          id: clientId,
          name: found.name,
          vouchedBy: "nobody",
          redirectUris: found.redirectUris,
          authentication: { method: "none" },
          idTokenAlgorithm: idTokenAlgorithmFor(found.idTokenAlgorithm),
        }
      );
    },
    list: async (page) =>
      viewed(await listPage(store, registeredClients, GLOBAL, page), ({ id, value }) => ({ id, ...value })),
    revoke: (by, clientId) =>
      audit.transact(by, async (tx, note) => {
        const client = await tx.get(registeredClients, GLOBAL, clientId);
        if (!client) throw new Problem("not_found", "This client is not registered any more.");
        await tx.delete(registeredClients, GLOBAL, clientId);
        const { name, redirectUris } = client;
        const target = { kind: "client", id: clientId, name };
        note({ action: "client.revoked", target, accountId: null, before: { redirectUris } });
        return name;
      }),
  };
}

/** Extends the registration of a client in use, at most once a day. Does nothing for other clients. */
export async function noteUseOfClient(tx: Transaction, clientId: string, now: number): Promise<void> {
  if (!registeredItself(clientId)) return;
  const client = await tx.get(registeredClients, GLOBAL, clientId);
  if (!client || now - (client.lastUsedAt ?? 0) < DAY_MS) return;
  const used = { ...client, lastUsedAt: now };
  await tx.put(registeredClients, GLOBAL, clientId, used, { expiresAt: now + USED_MS });
}

/** Returns the error for invalid metadata (RFC 7591 §3.2.2). */
function refusal({ path, message }: Fault): OAuthError {
  const code = path.startsWith("redirect_uris") ? "invalid_redirect_uri" : "invalid_client_metadata";
  return new OAuthError(code, `${path}: ${message}`.replace(/^: /, ""));
}
