import { hashSecret } from "../../accounts/credentials/secrets.ts";
import { insufficientScope } from "../../accounts/insufficient-scope.ts";
import type { FailureBudget } from "../../accounts/sign-in/failure-budget.ts";
import type { Actor } from "../../audit/model.ts";
import type { AuditTrail } from "../../audit/trail.ts";
import type { Scope } from "../../contract/caller.ts";
import { Problem } from "../../contract/problem.ts";
import { GLOBAL, type Store, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import type { Clients, NamedClient } from "../clients/clients.ts";
import { type DeviceAuthorization, deviceAuthorizations, keepAuthorization, userCodes } from "../model.ts";
import type { Resources } from "../resources.ts";
import { grantable, SCOPE_DESCRIPTIONS } from "../scopes.ts";
import { createDeviceCodeEndpoint, type IssueDeviceCode } from "./device-code.ts";
import { parseUserCode } from "./user-code.ts";

/** A user who views a device's request and may decide on it. */
export interface Approver extends Actor {
  accountId: string;
  userId: string;
  scopes: readonly Scope[];
}

export type Decision = "approve" | "deny";

/** A device's request, as the approver sees it. Times are milliseconds since the epoch. */
export interface DeviceRequest {
  /** `BCDF-GHJK` */
  userCode: string;
  client: NamedClient;
  /** The requested scopes. `granted`: whether this person can grant the scope, or has. */
  scopes: { scope: Scope; description: string; granted: boolean }[];
  /** The device's IP address. */
  address: string;
  userAgent: string;
  requestedAt: number;
  expiresAt: number;
  status: "pending" | "approved" | "denied";
}

export interface DeviceAuthorizations {
  /** Begins a request (RFC 8628 §3.1) from `client_id`, `scope` and `resource`. `OAuthError`. */
  begin: IssueDeviceCode;
  /**
   * Returns the request under a user code, which may be typed in any case, with or without dash and spaces. `Problem`
   * `not_found` if the code is wrong, has expired, or was decided in another account; `rate_limited` after ten such
   * failures an hour by a user, or a hundred from an address.
   */
  describe(userCode: string, approver: Approver): Promise<DeviceRequest>;
  /**
   * Decides a request, once. Repeating the same decision returns the same result. Throws as `describe` does, and also
   * `conflict` after a different decision, `insufficient_scope` if the approver holds none of the scopes.
   */
  decide(userCode: string, decision: Decision, approver: Approver): Promise<DeviceRequest>;
  /** Counts the devices that wait for a decision. Examines at most 1,000 authorizations. */
  waiting(): Promise<number>;
}

const MAX_LOOKED_AT = 1000;

/**
 * @param verificationUrl the base URL of the page where people enter codes, without `/device`.
 * @param failures the budget of wrong user codes, shared by the pages and the API.
 * @param subjectOf maps an IP address to the subject that it is counted by.
 */
export function createDeviceAuthorizations({
  store,
  audit,
  clock,
  random,
  clients,
  resources,
  verificationUrl,
  failures,
  subjectOf,
}: {
  store: Store;
  audit: AuditTrail;
  clock: Clock;
  random: Random;
  clients: Pick<Clients, "named">;
  resources: Pick<Resources, "target">;
  verificationUrl: () => string;
  failures: FailureBudget;
  subjectOf: (address: string) => string;
}): DeviceAuthorizations {
  return {
    begin: createDeviceCodeEndpoint({ store, clock, random, resources, verificationUrl }),

    describe: async (typed, approver) => {
      const { userCode, authorization } = await look(typed, approver);
      return view(userCode, authorization, approver);
    },

    // The code is checked before the transaction, so that a slow write to disk does not block other attempts of the
    // same person in the failure budget.
    decide: async (typed, decision, approver) => {
      const { userCode } = await look(typed, approver);
      const outcome = await audit.transact(approver, async (tx, note) => {
        const found = await find(tx, userCode, approver);
        if (!found) return undefined;
        const decided = decide(found.authorization, decision, approver, clock.now());
        if (decided !== found.authorization) {
          await keepAuthorization(tx, found.id, decided);
          note(changeOf(decision, decided));
        }
        return view(userCode, decided, approver);
      });
      return outcome ?? unknownCode();
    },

    waiting: async () => {
      const found = await store.transact((tx) =>
        tx.list(deviceAuthorizations, GLOBAL, { limit: MAX_LOOKED_AT }),
      );
      const now = clock.now();
      return found.filter(({ value: { decision, expiresAt } }) => !decision && expiresAt > now).length;
    },
  };

  /** Looks up a user code. A wrong one counts as a failure of the user and of the address. */
  async function look(
    typed: string,
    approver: Approver,
  ): Promise<{ userCode: string; authorization: DeviceAuthorization }> {
    const guesser = { id: `user/${approver.userId}`, address: subjectOf(approver.address) };
    const found = await failures.allow(guesser, async () => {
      const userCode = parseUserCode(typed);
      const found = userCode && (await store.transact((tx) => find(tx, userCode, approver)));
      return found && { userCode, authorization: found.authorization };
    });
    return found || unknownCode();
  }

  function unknownCode(): never {
    throw new Problem(
      "not_found",
      "No device waits under this code. Compare it with the code on the device; a code works for 15 minutes.",
    );
  }

  async function find(
    tx: Transaction,
    userCode: string,
    { accountId }: Approver,
  ): Promise<{ id: string; authorization: DeviceAuthorization } | undefined> {
    const reference = await tx.get(userCodes, GLOBAL, hashSecret(userCode));
    if (!reference) return undefined;
    const id = reference.deviceCodeHash;
    const authorization = await tx.get(deviceAuthorizations, GLOBAL, id);
    if (!authorization || authorization.expiresAt <= clock.now()) return undefined;
    // A decided request belongs to the decider's account and is unknown to all others.
    if (authorization.decision && authorization.decision.accountId !== accountId) return undefined;
    return { id, authorization };
  }

  function view(
    userCode: string,
    { clientId, scopes, address, userAgent, createdAt, expiresAt, decision }: DeviceAuthorization,
    approver: Approver,
  ): DeviceRequest {
    const granted = decision ? decision.scopes : grantable(scopes, approver.scopes);
    return {
      userCode,
      client: clients.named(clientId),
      scopes: scopes.map((scope) => ({
        scope,
        description: SCOPE_DESCRIPTIONS[scope],
        granted: granted.includes(scope),
      })),
      address,
      userAgent,
      requestedAt: createdAt,
      expiresAt,
      status: decision ? (decision.approved ? "approved" : "denied") : "pending",
    };
  }
}

export function changeOf(decision: Decision, { clientId, address, decision: decided }: DeviceAuthorization) {
  return {
    action: decision === "approve" ? "device.approved" : "device.denied",
    target: { kind: "client", id: clientId },
    after: { deviceAddress: address, scopes: decided?.scopes },
  };
}

/** Returns the decided authorization. Unchanged if it was denied before, or approved before by the same person. */
export function decide(
  authorization: DeviceAuthorization,
  decision: Decision,
  { accountId, userId, scopes: held }: Approver,
  now: number,
): DeviceAuthorization {
  const approved = decision === "approve";
  const before = authorization.decision;
  if (before) {
    if (before.approved === approved && (!approved || before.userId === userId)) return authorization;
    const outcome = before.approved ? "approved" : "denied";
    throw new Problem(
      "conflict",
      `This request was ${outcome} already. To decide again, sign in on the device again.`,
    );
  }
  const scopes = approved ? grantable(authorization.scopes, held) : [];
  const [least = "read"] = authorization.scopes;
  if (approved && scopes.length === 0) {
    throw insufficientScope(
      least,
      `The device asks for ${authorization.scopes.join(", ")}, and you hold none of it. Deny it, or let somebody approve it who does.`,
    );
  }
  return { ...authorization, decision: { approved, at: now, accountId, userId, scopes } };
}
