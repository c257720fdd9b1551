import { hashSecret } from "../../accounts/credentials/secrets.ts";
import { INSTANCE, instances } from "../../accounts/model.ts";
import { activeUser } from "../../accounts/people.ts";
import { scopesOf } from "../../accounts/roles.ts";
import type { Actor } from "../../audit/model.ts";
import type { AuditTrail } from "../../audit/trail.ts";
import { isLocalProof, localProof } from "../../contract/local-proof.ts";
import { OAuthError } from "../../contract/problem.ts";
import { GLOBAL, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { deviceAuthorizations, keepAuthorization } from "../model.ts";
import { type Parameters, required } from "../parameters.ts";
import { type Approver, changeOf, decide } from "./device-authorization.ts";

/**
 * Approves a device's request as the owner of this instance, if the caller proves to be the operating-system user that
 * runs this server. Takes `device_code` and `proof`, and returns the server's own proof. `OAuthError` `invalid_grant`
 * for an unknown or expired code, `access_denied` for an invalid proof.
 */
export type ApproveLocally = (parameters: Parameters, by: Actor) => Promise<{ proof: string }>;

/**
 * @param secret the secret that this server has stored for that user.
 * @param address returns the base URL.
 */
export function createLocalApproval({
  audit,
  clock,
  secret,
  address,
}: {
  audit: AuditTrail;
  clock: Clock;
  secret: string;
  address: () => string;
}): ApproveLocally {
  return async (parameters, by) => {
    const deviceCode = required(parameters, "device_code");
    const signIn = { address: address(), deviceCode };
    if (!isLocalProof(required(parameters, "proof"), secret, "command", signIn)) {
      await audit.refused(by, { action: "device.approved", target: { kind: "client", id: "unproven" } });
      throw new OAuthError("access_denied", "That is no proof of running this server.");
    }
    await audit.transact(by, async (tx, note) => {
      const id = hashSecret(deviceCode);
      const authorization = await tx.get(deviceAuthorizations, GLOBAL, id);
      if (!authorization || authorization.expiresAt <= clock.now()) {
        throw new OAuthError("invalid_grant", "The device code is unknown or has expired. Begin again.");
      }
      const approver = await ownerOf(tx, by);
      const decided = decide(authorization, "approve", approver, clock.now());
      if (decided === authorization) return;
      await keepAuthorization(tx, id, decided);
      const change = changeOf("approve", decided);
      note({
        ...change,
        accountId: approver.accountId,
        by: approver,
        after: { ...change.after, provenBy: "file" },
      });
    });
    return { proof: localProof(secret, "server", signIn) };
  };
}

async function ownerOf(tx: Transaction, { address, requestId }: Actor): Promise<Approver> {
  const instance = await tx.get(instances, GLOBAL, INSTANCE);
  const owner = instance && (await activeUser(tx, instance.accountId, instance.ownerId));
  if (owner) {
    return { accountId: owner.accountId, userId: owner.id, scopes: scopesOf(owner), address, requestId };
  }
  throw new OAuthError("access_denied", "The owner of this instance is suspended.");
}
