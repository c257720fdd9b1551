import { hashSecret } from "../../accounts/credentials/secrets.ts";
import { isForgotten } from "../../accounts/devices/registered-clients.ts";
import { insufficientScope } from "../../accounts/insufficient-scope.ts";
import type { Actor } from "../../audit/model.ts";
import type { AuditTrail } from "../../audit/trail.ts";
import type { IdentityScope, Scope } from "../../contract/caller.ts";
import { OAuthError, Problem } from "../../contract/problem.ts";
import { GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { HOUR_MS, MINUTE_MS } from "../../system/durations.ts";
import type { Random } from "../../system/random.ts";
import { unprovenClient } from "../clients/client.ts";
import type { AuthenticateClient } from "../clients/client-authentication.ts";
import type { Clients } from "../clients/clients.ts";
import { destinationOf } from "../clients/redirect-uris.ts";
import { noteUseOfClient } from "../clients/registration.ts";
import { optional, type Parameters, required } from "../parameters.ts";
import type { Resources } from "../resources.ts";
import { grantable, IDENTITY_DESCRIPTIONS } from "../scopes.ts";
import { requireStrangersRoom } from "../strangers-room.ts";
import type { Proofs } from "../tokens/dpop.ts";
import type { TokenRequest } from "../tokens/token.ts";
import { checkRedirectUri, parseAuthorizationRequest } from "./authorization-request.ts";
import { errorResponse } from "./authorization-response.ts";
import { answeredBefore, answerOf, codeOf, idOf, REQUEST_URI } from "./decided-requests.ts";
import {
  type AuthorizationCode,
  type AuthorizationRequest,
  authorizationCodes,
  authorizationRequests,
  decidedRequests,
  type PendingRequest,
} from "./model.ts";

/** The user who is asked for consent, and their browser. Times are milliseconds since the epoch. */
export interface ConsentingUser extends Actor {
  accountId: string;
  userId: string;
  scopes: readonly Scope[];
  signedInAt: number;
  userAgent: string;
}

/** A client's request, as the consent page shows it. */
export interface ConsentRequest {
  client: Pick<AuthorizationRequest, "vouchedBy"> & { id: string; name: string };
  /** Where the browser is sent afterwards. */
  destination: ReturnType<typeof destinationOf>;
  redirectUri: string;
  /** The name of the resource; absent for access to the whole server. */
  resource?: string;
  /** `granted`: whether this person can grant the scope. */
  scopes: { scope: Scope | IdentityScope; description: string; granted: boolean }[];
  /** Whether the client requires a more recent sign-in than the person's. */
  signInAgain: boolean;
}

/** An invalid request whose client and redirect URI are valid. */
export interface RefusedRequest {
  /** The URL that reports the error to the client. */
  redirect: string;
  destination: ReturnType<typeof destinationOf>;
  reason: string;
  /**
   * Whether a browser may be redirected without asking the person. Anybody can publish or register a client, which
   * would make this server an open redirector (RFC 9700 §4.11.2).
   */
  mayRedirectWithoutConsent: boolean;
}

/** The response to a pushed request (RFC 9126 §2.2). */
export interface PushedResponse {
  request_uri: string;
  /** Seconds. */
  expires_in: number;
}

/** The sender of a pushed request. With a DPoP proof, the code is bound to its key (RFC 9449 §10.1). */
export type PushingClient = Pick<TokenRequest, "subject" | "url" | "authorization" | "dpop">;

export interface Authorizations {
  /**
   * Stores a request (RFC 6749 §4.1.1) under a `request_uri` until a person decides. `OAuthError` if the client or the
   * redirect URI is invalid.
   *
   * @param subject the subject that the requester is counted by.
   */
  begin(parameters: Parameters, subject: string): Promise<{ requestUri: string } | RefusedRequest>;
  /** Like `begin`, for a client that pushes its request (RFC 9126). `OAuthError`. */
  push(parameters: Parameters, sender: PushingClient): Promise<PushedResponse>;
  /** Returns the request under a `request_uri`. `Problem` `not_found` if it has expired or was decided. */
  describe(requestUri: string, clientId: string, user: ConsentingUser): Promise<ConsentRequest>;
  /**
   * Decides a request, once, and returns the URL to send the browser to; the same one if the same user sends the same
   * decision again before the application has used it, as by a double click. Throws as `describe` does, and also
   * `insufficient_scope` if the person holds none of the requested scopes, `forbidden` if they must sign in again.
   */
  decide(
    requestUri: string,
    clientId: string,
    decision: "approve" | "deny",
    user: ConsentingUser,
  ): Promise<{ redirect: string }>;
}

const REQUEST_MS = 10 * MINUTE_MS;
const CODE_MS = MINUTE_MS;
/** How long a second use of a code is detected. */
export const CODE_REMEMBERED_MS = HOUR_MS;
const SECRET_BYTES = 32;

export function createAuthorizations({
  store,
  audit,
  clock,
  random,
  clients,
  resources,
  authenticateClient,
  proofs,
  issuer,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
  clients: Clients;
  resources: Resources;
  authenticateClient: AuthenticateClient;
  proofs: Proofs;
  issuer: () => string;
}): Authorizations {
  async function keep(request: AuthorizationRequest): Promise<string> {
    requireStrangersRoom(store);
    const id = random.bytes(SECRET_BYTES).toString("base64url");
    const expiresAt = clock.now() + REQUEST_MS;
    await store.transact((tx) =>
      tx.insert(authorizationRequests, GLOBAL, hashSecret(id), { ...request, expiresAt }, { expiresAt }),
    );
    return REQUEST_URI + id;
  }

  async function find(tx: Transaction, requestUri: string, clientId: string): Promise<PendingRequest> {
    const found = await tx.get(authorizationRequests, GLOBAL, idOf(requestUri));
    const isOpen = found?.clientId === clientId && found.expiresAt > clock.now();
    // An operator may have revoked it or removed it from the plans file, so that it asks nobody any more.
    const isKnown =
      found?.vouchedBy === "catalogue" ? clients.inCatalogue(clientId) : !(await isForgotten(tx, clientId));
    if (isOpen && isKnown) return found;
    throw new Problem(
      "not_found",
      "This sign-in was decided already, or it has waited for more than ten minutes. Start again in the application.",
    );
  }

  async function approve(
    tx: Transaction,
    request: PendingRequest,
    code: string,
    { scopes: held, accountId, userId, signedInAt, address, userAgent }: ConsentingUser,
  ): Promise<void> {
    const { clientName, vouchedBy, state: _, signedInSince: __, ...asked } = request;
    const user = { accountId, userId, signedInAt, address, userAgent };
    if (isTooLongAgo(request, user)) throw new Problem("forbidden", "Sign in again before you allow it.");
    const scopes = grantable(request.scopes, held);
    const [least] = request.scopes;
    if (least !== undefined && scopes.length === 0) {
      throw insufficientScope(
        least,
        `${request.clientName} asks for ${request.scopes.join(", ")}, and you hold none of it. Deny it, or sign in as somebody who does.`,
      );
    }
    const now = clock.now();
    const allowed: AuthorizationCode = {
      ...asked,
      ...(vouchedBy !== "catalogue" && { clientName }),
      ...user,
      scopes,
      expiresAt: now + CODE_MS,
    };
    const remembered = { expiresAt: now + CODE_REMEMBERED_MS };
    await tx.insert(authorizationCodes, GLOBAL, hashSecret(code), allowed, remembered);
    await noteUseOfClient(tx, request.clientId, now);
  }

  return {
    async begin(parameters, subject) {
      const client = await clients.find(required(parameters, "client_id"), subject);
      const redirectUri = checkRedirectUri(parameters, client);
      try {
        const request = parseAuthorizationRequest(parameters, {
          client,
          redirectUri,
          resources,
          now: clock.now(),
        });
        return { requestUri: await keep(request) };
      } catch (error) {
        if (!(error instanceof OAuthError)) throw error;
        const target = { redirectUri, state: optional(parameters, "state") };
        const destination = destinationOf(redirectUri);
        return {
          redirect: errorResponse(target, issuer(), error),
          destination,
          reason: error.description,
          mayRedirectWithoutConsent: client.vouchedBy === "catalogue" || destination.kind === "computer",
        };
      }
    },

    async push(parameters, { subject, url, authorization, dpop }) {
      const { id, authenticated } = await authenticateClient(parameters, authorization, subject);
      const client = await clients.find(id ?? required(parameters, "client_id"), subject);
      if (client.authentication.method !== "none" && !authenticated) {
        throw unprovenClient();
      }
      if (optional(parameters, "request_uri") !== undefined) {
        throw new OAuthError("invalid_request", "A pushed request holds no request_uri (RFC 9126 §2.1).");
      }
      const redirectUri = checkRedirectUri(parameters, client);
      const request = parseAuthorizationRequest(parameters, {
        client,
        redirectUri,
        resources,
        now: clock.now(),
      });
      const proof = await proofs.verify(dpop, { method: "POST", url });
      if (proof && request.dpopKey !== undefined && request.dpopKey !== proof.key) {
        throw new OAuthError("invalid_dpop_proof", "dpop_jkt names another key than the DPoP proof is of.");
      }
      await proof?.spend();
      const requestUri = await keep({ ...request, ...(proof && { dpopKey: proof.key }) });
      return { request_uri: requestUri, expires_in: REQUEST_MS / 1000 };
    },

    async describe(requestUri, clientId, user) {
      const request = await store.transact((tx) => find(tx, requestUri, clientId));
      const granted = grantable(request.scopes, user.scopes);
      return {
        client: { id: clientId, name: request.clientName, vouchedBy: request.vouchedBy },
        destination: destinationOf(request.redirectUri),
        redirectUri: request.redirectUri,
        signInAgain: isTooLongAgo(request, user),
        ...(request.audience !== undefined && { resource: resources.nameOf(request.audience) }),
        scopes: [
          ...request.identity.map((scope) => ({
            scope,
            description: IDENTITY_DESCRIPTIONS[scope],
            granted: true,
          })),
          ...request.scopes.map((scope) => ({
            scope,
            description: resources.meaningOf(scope, request.audience),
            granted: granted.includes(scope),
          })),
        ],
      };
    },

    decide: (requestUri, clientId, decision, user) =>
      audit.transact(user, async (tx, note) => {
        const { accountId, userId } = user;
        const asked = { clientId, decision, accountId, userId };
        const now = clock.now();
        const before = await answeredBefore(tx, requestUri, asked, { now, issuer: issuer() });
        if (before !== undefined) return { redirect: before };
        const request = await find(tx, requestUri, clientId);
        note({
          action: decision === "approve" ? "client.allowed" : "client.denied",
          target: { kind: "client", id: clientId, name: request.clientName },
          after: { scopes: decision === "approve" ? grantable(request.scopes, user.scopes) : [] },
        });
        const { redirectUri, state } = request;
        const expiresAt = now + CODE_MS;
        const salt = random.bytes(SECRET_BYTES).toString("base64url");
        const decided = { ...asked, redirectUri, ...defined({ state }), salt, expiresAt };
        await tx.delete(authorizationRequests, GLOBAL, idOf(requestUri));
        await tx.put(decidedRequests, GLOBAL, idOf(requestUri), decided, { expiresAt });
        if (decision === "approve") await approve(tx, request, codeOf(requestUri, decided), user);
        return { redirect: answerOf(requestUri, decided, issuer()) };
      }),
  };
}

function isTooLongAgo(
  { signedInSince = 0 }: AuthorizationRequest,
  { signedInAt }: Pick<ConsentingUser, "signedInAt">,
): boolean {
  return signedInAt < signedInSince;
}
