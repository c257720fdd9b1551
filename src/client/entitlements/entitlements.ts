import { OAuthError, Problem } from "../../contract/problem.ts";
import type { Clock } from "../../system/clock.ts";
import type { ApiClient } from "../api-client.ts";
import { SignedOut, UnexpectedAnswer, Unreachable, UntrustedEntitlements } from "../errors.ts";
import type { RouteOutput } from "../routes.ts";
import type { CredentialSource } from "../sign-in/credential.ts";
import { isLoopback } from "../transport/base-url.ts";
import { MAX_SMALL_ANSWER_BYTES } from "../transport/transport.ts";
import {
  type CachedEntitlements,
  createEntitlementsCache,
  type Subject,
  sha256,
} from "./entitlements-cache.ts";
import { type GateAnswer, gateAnswer } from "./gate.ts";
import { issuerOf, keyIdOf, type PublicKey, verifiedPayload } from "./jws.ts";

type Resolved = RouteOutput<"GET /api/v1/entitlements/resolve">;
/** A server may be older than this program, and have no `gates` to tell. */
export type EntitlementDocument = Omit<Resolved, "signature" | "gates"> & Partial<Pick<Resolved, "gates">>;

/** How good an answer is: new or in its lifetime, in the grace period after that, or past both. */
export type Standing = "current" | "grace" | "expired";

export interface Entitlements {
  document: EntitlementDocument;
  /** `server`: asked just now. */
  source: "server" | "cache";
  standing: Standing;
  /** Milliseconds since the epoch: when the document serves offline no longer. */
  graceEndsAt: number;
}

export interface ResolveOptions {
  /** The cache alone; no request. */
  offline?: boolean;
  /** False takes a cached document within its lifetime without asking the server. */
  fresh?: boolean;
  signal?: AbortSignal;
}

export interface EntitlementsClient {
  /**
   * From the server, or from the cache where it cannot answer. Throws as `ApiClient.call` does where the
   * cache is of no use either, and `UntrustedEntitlements`.
   */
  resolve(options?: ResolveOptions): Promise<Entitlements>;
  /** Whether a gate (or a gated agent, by its id) is open, and why not. */
  check(gate: string, entitlements: Entitlements): GateAnswer;
  /** Forgets every cached document of this server, as `logout` does. */
  forget(): Promise<void>;
}

export interface EntitlementsOptions {
  api: ApiClient;
  credentials: CredentialSource;
  clock: Clock;
  /** Made if missing, 0700. */
  cacheDirectory: string;
  /** Told each policy that the server signed: the telemetry queue listens. */
  onPolicy?: (policy: EntitlementDocument["policy"]) => void;
}

/** The payload of the signature. */
type SignedDocument = EntitlementDocument & { iss: string; credential: { id: string } };

const ROUTE = "GET /api/v1/entitlements/resolve";
const TOKEN_TYPE = "entitlements+jwt";
/** By how much the server's clock may be ahead of ours. */
const CLOCK_SKEW_MS = 5 * 60 * 1000;

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
      // A disk that takes nothing: the answer is as good, only nothing serves offline.
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

  /** The document as its signature has it; undefined unless it was signed here, for us and for this project. */
  function trusted({ signature, keys, subject }: CachedEntitlements): EntitlementDocument | undefined {
    const payload = verifiedPayload(signature, keys, TOKEN_TYPE) as SignedDocument | undefined;
    if (!payload || !isSameServer(payload.iss, baseUrl)) return undefined;
    if (payload.account.id !== subject.accountId) return undefined;
    if (payload.credential.id !== subject.credentialId) return undefined;
    if (projectId !== undefined && payload.project?.id !== projectId) return undefined;
    const { iss: _, credential: __, ...document } = payload;
    return document;
  }

  /** The cached document, if it is this sign-in's; a token that was renewed since is known by its account. */
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
    // A clock that was set back prolongs nothing.
    if (now < Date.parse(document.resolvedAt) - CLOCK_SKEW_MS) return "expired";
    if (now < Date.parse(document.expiresAt)) return "current";
    return now < graceEndsAt ? "grace" : "expired";
  }

  return {
    async resolve({ offline = false, fresh = true, signal } = {}) {
      const cached = cache.read(projectId);
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

/** A server on this machine has several addresses, and knows itself by one of them. */
function isSameServer(issuer: string, baseUrl: string): boolean {
  if (issuer === baseUrl) return true;
  const [ours, theirs] = [new URL(baseUrl), URL.canParse(issuer) ? new URL(issuer) : undefined];
  if (!theirs || !isLoopback(ours.hostname) || !isLoopback(theirs.hostname)) return false;
  return ours.protocol === theirs.protocol && ours.port === theirs.port && ours.pathname === theirs.pathname;
}

function graceEndOf({ expiresAt, policy }: EntitlementDocument): number {
  return Date.parse(expiresAt) + policy.offlineGraceSeconds * 1000;
}

/** What says nothing about the credential: the network's faults, the server's own, a limit. */
function isOutage(error: unknown): boolean {
  if (error instanceof Unreachable || error instanceof UnexpectedAnswer) return true;
  const answered = error instanceof Problem || error instanceof OAuthError;
  return answered && (error.status >= 500 || error.status === 429);
}
