import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import { isLoopback } from "../../system/network/loopback.ts";
import { sha256 } from "../../system/sha256.ts";
import { isAnswered } from "../answered-error.ts";
import type { ApiClient } from "../api-client.ts";
import { SignedOut, UnexpectedAnswer, Unreachable, UntrustedEntitlements } from "../errors.ts";
import type { CredentialSource } from "../sign-in/credential.ts";
import { MAX_SMALL_ANSWER_BYTES } from "../transport/transport.ts";
import type { EntitlementDocument, Standing } from "./entitlement-document.ts";
import { type CachedEntitlements, createEntitlementsCache, type Subject } from "./entitlements-cache.ts";
import { type GateAnswer, gateAnswer } from "./gate.ts";
import { issuerOf, keyIdOf, type PublicKey, verifiedPayload } from "./jws.ts";

export interface Entitlements {
  document: EntitlementDocument;
  /** `server` if the server was just asked. */
  source: "server" | "cache";
  standing: Standing;
  /** Milliseconds since the epoch: the end of offline use. */
  graceEndsAt: number;
}

export interface ResolveOptions {
  /** Reads the cache only; sends no request. */
  offline?: boolean;
  /** False: a cached document within its lifetime is used without asking the server. */
  fresh?: boolean;
  signal?: AbortSignal;
}

export interface EntitlementsClient {
  /**
   * Resolves from the server, or from the cache if the server cannot answer. Throws as `ApiClient.call` does if the
   * cache does not help either, and `UntrustedEntitlements`.
   */
  resolve(options?: ResolveOptions): Promise<Entitlements>;
  /** Reports whether a gate (or a gated agent, by its id) is open, and the reason. */
  check(gate: string, entitlements: Entitlements): GateAnswer;
  /** Deletes every cached document of this server, as `logout` does. */
  forget(): Promise<void>;
}

export interface EntitlementsOptions {
  api: ApiClient;
  credentials: CredentialSource;
  clock: Clock;
  /** Created with mode 0700 if missing. */
  cacheDirectory: string;
  /** Called with each policy that the server signed. The telemetry queue uses it. */
  onPolicy?: (policy: EntitlementDocument["policy"]) => void;
}

/** The payload of the signature. */
type SignedDocument = EntitlementDocument & { iss: string; credential: { id: string } };

const ROUTE = "GET /api/v1/entitlements/resolve";
const TOKEN_TYPE = "entitlements+jwt";
/** How far the server's clock may be ahead of this machine's. */
const CLOCK_SKEW_MS = 5 * MINUTE_MS;

export function createEntitlements({
  api,
  credentials,
  clock,
  cacheDirectory,
  onPolicy,
}: EntitlementsOptions): EntitlementsClient {
  const { baseUrl, projectId } = api;
  const cache = createEntitlementsCache(cacheDirectory, baseUrl);

  async function ask(cached: CachedEntitlements | undefined, signal?: AbortSignal): Promise<Entitlements> {
    const { accessToken } = await api.credential();
    const subject = await subjectOf(accessToken, cached, signal);
    const known = cached?.subject.credentialId === subject.credentialId ? cached : undefined;
    const headers = known?.etag ? { "if-none-match": known.etag } : undefined;
    const answer = await api.answer(ROUTE, {}, { headers, signal });
    const signature = answer.status === 304 ? known?.signature : answer.body?.signature;
    if (typeof signature !== "string") {
      const message = `${baseUrl} answered without signed entitlements: is the base URL right?`;
      throw new UnexpectedAnswer(answer.status, message, answer.requestId);
    }
    const keys = await keysFor(signature, known, signal);
    const document = trusted({ signature, keys, subject });
    if (!document) throw new UntrustedEntitlements(baseUrl, issuerOf(signature), answer.requestId);
    try {
      cache.write(projectId, { signature, etag: answer.headers.etag, keys, subject });
      onPolicy?.(document.policy);
    } catch {
      // The disk cannot be written. The answer is still valid; it only cannot be used offline.
    }
    return { document, source: "server", standing: "current", graceEndsAt: graceEndOf(document) };
  }

  async function subjectOf(accessToken: string, cached?: CachedEntitlements, signal?: AbortSignal) {
    const secretHash = sha256(accessToken);
    if (cached?.subject.secretHash === secretHash) return cached.subject;
    const { account, credential } = await api.call("GET /api/v1/account", {}, { signal });
    return { secretHash, accountId: account.id, credentialId: credential.id } satisfies Subject;
  }

  async function keysFor(signature: string, cached?: CachedEntitlements, signal?: AbortSignal) {
    const kid = keyIdOf(signature);
    if (cached?.keys.some((key) => key.kid === kid)) return cached.keys;
    const { body } = await api.request("GET", "/.well-known/jwks.json", {
      authenticate: false,
      maxBytes: MAX_SMALL_ANSWER_BYTES,
      signal,
    });
    return (body as { keys?: PublicKey[] } | undefined)?.keys ?? [];
  }

  /** Returns the signed document; undefined unless this server signed it for this sign-in and project. */
  function trusted({ signature, keys, subject }: CachedEntitlements): EntitlementDocument | undefined {
    const payload = verifiedPayload(signature, keys, TOKEN_TYPE) as SignedDocument | undefined;
    if (!payload || !isSameServer(payload.iss, baseUrl)) return undefined;
    if (payload.account.id !== subject.accountId) return undefined;
    if (payload.credential.id !== subject.credentialId) return undefined;
    if (projectId !== undefined && payload.project?.id !== projectId) return undefined;
    const { iss: _, credential: __, ...document } = payload;
    return document;
  }

  /** Returns the cached document if it belongs to this sign-in. A token renewed since is recognised by its account. */
  async function fromCache(cached: CachedEntitlements | undefined): Promise<Entitlements | undefined> {
    const credential = await credentials.read();
    if (!credential) throw new SignedOut(baseUrl, "none", `You are not signed in to ${baseUrl}.`);
    const ours =
      cached?.subject.secretHash === sha256(credential.accessToken) ||
      cached?.subject.accountId === credential.account?.id;
    const document = cached && ours ? trusted(cached) : undefined;
    if (!document) return undefined;
    const graceEndsAt = graceEndOf(document);
    return { document, source: "cache", standing: standingOf(document, graceEndsAt), graceEndsAt };
  }

  function standingOf(document: EntitlementDocument, graceEndsAt: number): Standing {
    const now = clock.now();
    // Setting the clock back must not extend the lifetime.
    if (now < Date.parse(document.resolvedAt) - CLOCK_SKEW_MS) return "expired";
    if (now < Date.parse(document.expiresAt)) return "current";
    return now < graceEndsAt ? "grace" : "expired";
  }

  return {
    async resolve({ offline = false, fresh = true, signal } = {}) {
      const found = cache.read(projectId);
      // Otherwise a 304 would confirm a damaged or edited document.
      const cached = found && trusted(found) ? found : undefined;
      if (offline || !fresh) {
        const kept = await fromCache(cached);
        if (kept && (offline || kept.standing === "current")) return kept;
      }
      if (offline) {
        const reason = "nothing was asked of it, and no entitlements of this sign-in are kept from before";
        throw new Unreachable(baseUrl, reason, { delivery: "never" });
      }
      try {
        return await ask(cached, signal);
      } catch (error) {
        const kept = isOutage(error) ? await fromCache(cached) : undefined;
        if (kept) return kept;
        throw error;
      }
    },
    check: (gate, { document, standing }) => gateAnswer(gate, document, standing),
    forget: async () => cache.clear(),
  };
}

/** Whether both URLs are the same server. A server on this machine is reachable at several addresses and names one. */
function isSameServer(issuer: string, baseUrl: string): boolean {
  if (issuer === baseUrl) return true;
  const [ours, theirs] = [new URL(baseUrl), URL.canParse(issuer) ? new URL(issuer) : undefined];
  if (!theirs || !isLoopback(ours.hostname) || !isLoopback(theirs.hostname)) return false;
  return ours.protocol === theirs.protocol && ours.port === theirs.port && ours.pathname === theirs.pathname;
}

function graceEndOf({ expiresAt, policy }: EntitlementDocument): number {
  return Date.parse(expiresAt) + policy.offlineGraceSeconds * 1000;
}

/** Whether an error says nothing about the credential: a network fault, a server fault or a limit. */
function isOutage(error: unknown): boolean {
  if (error instanceof Unreachable || error instanceof UnexpectedAnswer) return true;
  return isAnswered(error) && (error.status >= 500 || error.status === 429);
}
