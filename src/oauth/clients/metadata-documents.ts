import type { JSONWebKeySet } from "jose";
import { faultsOf } from "../../contract/faults.ts";
import { type Fault, OAuthError } from "../../contract/problem.ts";
import type { Store } from "../../store/store.ts";
import { BoundedMap } from "../../system/caching.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { DAY_MS, MINUTE_MS } from "../../system/durations.ts";
import { CannotFetch, type FetchedDocument, type FetchPublic } from "../../system/network/fetch-public.ts";
import { createTurns } from "../../system/turns.ts";
import { type Client, idTokenAlgorithmFor, invalidClient } from "./client.ts";
import { ClientMetadata, PublishedKeySet } from "./client-metadata.ts";

/**
 * Clients whose id is the URL of a document that describes them (OAuth Client ID Metadata Document). Only the document
 * defines such a client, and the site that serves it vouches for it.
 */
export interface MetadataDocuments {
  /** Whether an id is such a URL, in its canonical form. */
  isDocumentId(clientId: string): boolean;
  /**
   * Returns the client of a document, which may be cached. `OAuthError` `invalid_client` with the reason if it is
   * unusable.
   *
   * @param subject the subject that the requester is counted by.
   */
  find(clientId: string, subject: string): Promise<Client>;
}

const MAX_ID = 512;
const MAX_REMEMBERED = 1000;
const USUAL_MS = 5 * MINUTE_MS;
const MIN_MS = MINUTE_MS;
const MAX_MS = DAY_MS;
/** However long the owner of keys lets them be cached: whoever rotates them signs with new ones soon after. */
const MAX_KEYS_MS = 10 * MINUTE_MS;
/** How long a refusal is cached. Short, so that a corrected document soon takes effect. */
const REFUSED_MS = 10_000;
const FETCHES_PER_MINUTE = 20;

interface Remembered {
  outcome: Client | OAuthError;
  until: number;
}

/** @param allowPrivate for development: also allows ids that are http URLs. */
export function createMetadataDocuments({
  store,
  clock,
  fetch,
  allowPrivate,
}: {
  store: Store;
  clock: Clock;
  fetch: FetchPublic;
  allowPrivate: boolean;
}): MetadataDocuments {
  const remembered = new BoundedMap<string, Remembered>(MAX_REMEMBERED);
  /** Pending lookups by requester and client, so that nobody waits in another requester's queue. */
  const asked = new Map<string, Promise<Client | OAuthError>>();
  const fetched = new Map<string, Promise<Client | OAuthError>>();
  const turns = createTurns({ maxRunning: 8, maxOfOne: 2, maxWaiting: 64, refusal: tooMany });

  function isDocumentId(clientId: string): boolean {
    if (clientId.length > MAX_ID || !URL.canParse(clientId)) return false;
    const { protocol, href, pathname, hash, search, username, password } = new URL(clientId);
    const plain = hash + search + username + password === "" && href === clientId && pathname !== "/";
    return plain && (protocol === "https:" || (allowPrivate && protocol === "http:"));
  }

  async function ask(clientId: string, subject: string): Promise<Client | OAuthError> {
    const window = { key: `client-documents/${subject}`, kind: "bucket", windowMs: MINUTE_MS } as const;
    const { admitted } = await store.admit([{ ...window, capacity: FETCHES_PER_MINUTE }]);
    if (!admitted) throw tooMany();
    return turns.run(
      subject,
      async () => recalled(clientId) ?? shared(fetched, clientId, () => get(clientId)),
    );
  }

  async function get(clientId: string): Promise<Client | OAuthError> {
    const now = clock.monotonic();
    const remember = (outcome: Client | OAuthError, lifetime: number) => {
      remembered.set(clientId, { outcome, until: now + lifetime });
      return outcome;
    };
    try {
      const document = await fetch(new URL(clientId));
      const metadata = read(clientId, document.text);
      if (metadata instanceof OAuthError) return remember(metadata, REFUSED_MS);
      const { keys, lifetime } = await keysOf(metadata);
      const outcome = clientOf(clientId, metadata, keys);
      if (outcome instanceof OAuthError) return remember(outcome, REFUSED_MS);
      return remember(outcome, Math.min(lifetime, lifetimeOf(document)));
    } catch (error) {
      if (!(error instanceof CannotFetch)) throw error;
      return remember(refusal(clientId, error.message), REFUSED_MS);
    }
  }

  /** Returns the keys of a client that may sign assertions, also from their own document, and how long to cache them. */
  async function keysOf(metadata: ClientMetadata): Promise<{ keys?: JSONWebKeySet; lifetime: number }> {
    const { jwks, jwks_uri: uri } = metadata;
    if (!methodsOf(metadata).includes("private_key_jwt")) return { lifetime: MAX_MS };
    if (jwks) return { keys: jwks, lifetime: MAX_MS };
    if (uri === undefined) return { lifetime: MAX_MS };
    if (!URL.canParse(uri)) throw new CannotFetch("its jwks_uri is no URL");
    const document = await fetch(new URL(uri)).catch((error) => {
      throw error instanceof CannotFetch ? new CannotFetch(`of its jwks_uri, ${error.message}`) : error;
    });
    const keys = PublishedKeySet.safeParse(parsed(document.text));
    if (!keys.success) throw new CannotFetch("its jwks_uri holds no set of public keys");
    return { keys: keys.data, lifetime: Math.min(MAX_KEYS_MS, lifetimeOf(document)) };
  }

  function recalled(clientId: string): Client | OAuthError | undefined {
    const known = remembered.get(clientId);
    return known && clock.monotonic() < known.until ? known.outcome : undefined;
  }

  return {
    isDocumentId,
    async find(clientId, subject) {
      const known = recalled(clientId);
      if (known) return unlessRefused(known);
      const line = JSON.stringify([subject, clientId]);
      return unlessRefused(await shared(asked, line, () => ask(clientId, subject)));
    },
  };
}

/** Returns the pending work for a key, or starts it. */
async function shared<T>(underWay: Map<string, Promise<T>>, key: string, work: () => Promise<T>): Promise<T> {
  const begun = underWay.get(key);
  if (begun) return begun;
  const working = work();
  underWay.set(key, working);
  try {
    return await working;
  } finally {
    underWay.delete(key);
  }
}

function unlessRefused(outcome: Client | OAuthError): Client {
  if (outcome instanceof OAuthError) throw outcome;
  return outcome;
}

function read(clientId: string, text: string): ClientMetadata | OAuthError {
  const given = parsed(text);
  if (given === undefined) return refusal(clientId, "it is not JSON");
  if ((given as { client_id?: unknown } | null)?.client_id !== clientId) {
    return refusal(clientId, "its client_id is not the URL that it lies at");
  }
  const metadata = ClientMetadata.safeParse(given);
  if (metadata.success) return metadata.data;
  const { path, message } = faultsOf(metadata.error)[0] as Fault;
  return refusal(clientId, `its ${path}: ${message}`);
}

/** Returns undefined if the text is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns how a client can prove who it is. A document is the same for all servers, so some, such as ChatGPT's, list what
 * the client can do besides what it prefers; it then chooses by what a server's metadata offers.
 */
function methodsOf({
  token_endpoint_auth_method = "none",
  token_endpoint_auth_methods_supported = [],
}: ClientMetadata): string[] {
  return [token_endpoint_auth_method, ...token_endpoint_auth_methods_supported];
}

function clientOf(
  clientId: string,
  metadata: ClientMetadata,
  keys: JSONWebKeySet | undefined,
): Client | OAuthError {
  const { client_name, redirect_uris, id_token_signed_response_alg } = metadata;
  const client = {
    id: clientId,
    name: client_name ?? new URL(clientId).host,
    vouchedBy: "site" as const,
    redirectUris: redirect_uris,
    idTokenAlgorithm: idTokenAlgorithmFor(id_token_signed_response_alg),
  };
  if (methodsOf(metadata).includes("none")) {
    return { ...client, authentication: { method: "none", ...defined({ keys }) } };
  }
  if (keys) return { ...client, authentication: { method: "private_key_jwt", keys } };
  return refusal(
    clientId,
    "its token_endpoint_auth_method must be none, or private_key_jwt with the public keys in jwks or at jwks_uri: nothing secret can stand in a document",
  );
}

function refusal(clientId: string, why: string): OAuthError {
  return invalidClient(`The client metadata document ${clientId} cannot be used: ${why}.`);
}

function tooMany(): OAuthError {
  return new OAuthError(
    "slow_down",
    "Too many client metadata documents were asked for. Try again in a minute.",
    { status: 429, headers: { "Retry-After": "60" } },
  );
}

/** Returns how long to cache a document (RFC 9111 §5.2.2), bounded so that it is fetched neither always nor never. */
function lifetimeOf({ cacheControl = "" }: FetchedDocument): number {
  if (/\bno-(store|cache)\b/i.test(cacheControl)) return MIN_MS;
  const seconds = /\bmax-age="?(\d{1,9})/i.exec(cacheControl)?.[1];
  if (seconds === undefined) return USUAL_MS;
  return Math.min(MAX_MS, Math.max(MIN_MS, Number(seconds) * 1000));
}
