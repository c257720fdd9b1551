import { hashSecret } from "../../accounts/credentials/secrets.ts";
import type { AuditTrail, Note } from "../../audit/trail.ts";
import { DEVICE_CODE_GRANT } from "../../contract/oauth-names.ts";
import { OAuthError } from "../../contract/problem.ts";
import { GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { unprovenClient } from "../clients/client.ts";
import type { Clients } from "../clients/clients.ts";
import {
  type DeviceAuthorization,
  type DeviceDecision,
  deviceAuthorizations,
  keepAuthorization,
} from "../model.ts";
import { optional, required } from "../parameters.ts";
import type { Grant, TokenAsker } from "../tokens/grant.ts";
import type { TokenPairs, TokenResponse } from "../tokens/token-pair.ts";

/** Tolerance for polls that arrive a little early because of network jitter. */
const TOLERANCE_MS = 500;
const SLOW_DOWN_SECONDS = 5;
const MAX_INTERVAL_SECONDS = 60;

/** Answers a device that polls for the decision on its request (RFC 8628 §3.4). */
export function deviceCodeGrant({
  store,
  audit,
  clock,
  clients,
  begin,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  clients: Pick<Clients, "inCatalogue">;
  begin: TokenPairs["begin"];
}): Grant {
  return {
    type: DEVICE_CODE_GRANT,
    async exchange(parameters, asker) {
      const id = hashSecret(required(parameters, "device_code"));
      // A refusal is returned, not thrown, so that the transaction commits and the poll is recorded.
      const outcome = await audit.transact(asker.from, (tx, note) => poll(tx, note, id, asker));
      if (outcome instanceof OAuthError) throw outcome;
      return outcome;
    },
    async limitSubject(parameters) {
      const deviceCode = optional(parameters, "device_code");
      if (deviceCode === undefined) return undefined;
      const id = hashSecret(deviceCode);
      const known = await store.transact((tx) => tx.has(deviceAuthorizations, GLOBAL, id));
      return known ? { key: `device_code/${id}` } : undefined;
    },
  };

  async function poll(
    tx: Transaction,
    note: Note,
    id: string,
    asker: TokenAsker,
  ): Promise<TokenResponse | OAuthError> {
    const authorization = await tx.get(deviceAuthorizations, GLOBAL, id);
    if (!authorization || authorization.redeemedAt !== undefined) {
      return new OAuthError("invalid_grant", "The device code is unknown or was used already. Begin again.");
    }
    if (asker.client.id !== undefined && asker.client.id !== authorization.clientId) {
      return new OAuthError("invalid_grant", "The device code was issued to another client.");
    }
    // A device need not say which client it is, so that the authentication of clients may not have asked for its proof.
    const { method = "none" } = clients.inCatalogue(authorization.clientId)?.authentication ?? {};
    if (method !== "none" && !asker.client.authenticated) return unprovenClient();
    const now = clock.now();
    if (authorization.expiresAt <= now) {
      return new OAuthError("expired_token", "The device code has expired. Begin again.");
    }
    const { decision } = authorization;
    if (!decision) return wait(tx, id, authorization, now);
    if (!decision.approved) return new OAuthError("access_denied", "The request was denied.");
    return redeem(tx, note, id, { authorization, decision, asker }, now);
  }

  async function wait(
    tx: Transaction,
    id: string,
    authorization: DeviceAuthorization,
    now: number,
  ): Promise<OAuthError> {
    const { lastPolledAt, interval } = authorization;
    const tooFast =
      lastPolledAt !== undefined && Math.abs(now - lastPolledAt) < interval * 1000 - TOLERANCE_MS;
    const next = tooFast ? Math.min(interval + SLOW_DOWN_SECONDS, MAX_INTERVAL_SECONDS) : interval;
    await keepAuthorization(tx, id, { ...authorization, lastPolledAt: now, interval: next });
    return tooFast
      ? new OAuthError("slow_down", `Polled too fast. Leave ${next} s between two polls.`)
      : new OAuthError("authorization_pending", "Nobody has decided on this request yet.");
  }

  async function redeem(
    tx: Transaction,
    note: Note,
    id: string,
    approved: { authorization: DeviceAuthorization; decision: DeviceDecision; asker: TokenAsker },
    now: number,
  ): Promise<TokenResponse | OAuthError> {
    const { authorization, decision, asker } = approved;
    const { clientId, audience, address, userAgent } = authorization;
    const { accountId, userId, scopes } = decision;
    const signIn = {
      userId,
      clientId,
      scopes,
      ...defined({ audience, dpopKey: asker.dpopKey }),
      ...(asker.client.authenticated && { confidential: true }),
      address,
      userAgent,
    };
    const begun = await begin(tx, note, {
      accountId,
      signIn,
      approvedAt: decision.at ?? authorization.createdAt,
      from: asker.from,
    });
    if (!begun) {
      return new OAuthError(
        "access_denied",
        "Who approved the request was removed or suspended, or may do less by now.",
      );
    }
    await keepAuthorization(tx, id, { ...authorization, redeemedAt: now });
    return begun.response;
  }
}
