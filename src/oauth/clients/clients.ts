import { OAuthError } from "../../contract/problem.ts";
import { type Client, type ClientAuthentication, idTokenAlgorithmFor, invalidClient } from "./client.ts";
import { KeySet, RedirectUris } from "./client-metadata.ts";
import type { MetadataDocuments } from "./metadata-documents.ts";
import type { Registrations } from "./registration.ts";

/** A client in the plan catalogue. */
export interface CatalogueClient {
  name: string;
  redirectUris?: readonly string[] | undefined;
  /** The SHA-256 hash of its secret, in hex. */
  secretSha256?: string | undefined;
  /** Its public keys (RFC 7517 §5). */
  jwks?: unknown;
  idTokenSignedResponseAlg?: string | undefined;
}

/** A client of the device flow, as people see it. An unregistered one may claim any name. */
export interface NamedClient {
  id: string;
  name: string;
  registered: boolean;
}

export interface Clients {
  /** Returns a client with its name in the catalogue, or else its id as its name. */
  named(clientId: string): NamedClient;
  /** Returns a client of the catalogue. */
  inCatalogue(clientId: string): Client | undefined;
  /**
   * Finds a client for a redirect, in the catalogue, by its metadata document or by its registration. `OAuthError`
   * `invalid_client` with the reason if there is none.
   *
   * @param subject the subject that the requester is counted by.
   */
  find(clientId: string, subject: string): Promise<Client>;
}

/**
 * Throws if a client of the catalogue is invalid.
 *
 * @param catalogue the operator's clients and the command line, by id.
 * @param registrations absent if clients may not register themselves.
 */
export function createClients({
  catalogue,
  documents,
  registrations,
}: {
  catalogue: Readonly<Record<string, CatalogueClient>>;
  documents: MetadataDocuments;
  registrations?: Pick<Registrations, "find"> | undefined;
}): Clients {
  const byId = new Map(Object.entries(catalogue).map(([id, client]) => [id, fromCatalogue(id, client)]));
  return {
    named: (id) => ({ id, name: byId.get(id)?.name ?? id, registered: byId.has(id) }),
    inCatalogue: (id) => byId.get(id),
    async find(id, subject) {
      const known = byId.get(id);
      if (known) return known;
      if (documents.isDocumentId(id)) return documents.find(id, subject);
      const registered = await registrations?.find(id);
      if (registered) return registered;
      throw invalidClient(
        "This application is not known here. It may be that its registration has expired: remove the connection in the application and add it again.",
      );
    },
  };
}

function fromCatalogue(id: string, client: CatalogueClient): Client {
  const { name, redirectUris, secretSha256, jwks, idTokenSignedResponseAlg } = client;
  const uris = redirectUris === undefined ? undefined : RedirectUris.safeParse(redirectUris);
  if (uris && !uris.success) {
    throw new Error(
      `The client "${id}" of the catalogue cannot be used: its redirectUris ${uris.error.issues[0]?.message}.`,
    );
  }
  return {
    id,
    name,
    vouchedBy: "catalogue",
    redirectUris: uris?.data ?? [],
    authentication: authenticationOf(id, secretSha256, jwks),
    idTokenAlgorithm: idTokenAlgorithmFor(idTokenSignedResponseAlg),
  };
}

function authenticationOf(id: string, secretSha256: string | undefined, jwks: unknown): ClientAuthentication {
  if (secretSha256 !== undefined) return { method: "client_secret", secretSha256 };
  if (jwks === undefined) return { method: "none" };
  const keys = KeySet.safeParse(jwks);
  if (keys.success) return { method: "private_key_jwt", keys: keys.data };
  throw new Error(`The client "${id}" of the catalogue cannot be used: its jwks is no set of public keys.`);
}

/** Returns a client id if it is well-formed. RFC 6749 §2.2 leaves the form to the server. */
export function checkClientId(id: string): string {
  if (/^[A-Za-z0-9._-]{1,64}$/.test(id)) return id;
  throw new OAuthError("invalid_request", "client_id must have 1 to 64 characters of A-Z a-z 0-9 . _ -");
}
