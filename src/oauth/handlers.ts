import { viewed } from "../accounts/page.ts";
import { checkSignsIn, wholeAccount } from "../accounts/whole-account.ts";
import type { Caller } from "../contract/caller.ts";
import type { Handlers, Output } from "../contract/endpoint.ts";
import { iso } from "../system/clock.ts";
import type { Registrations } from "./clients/registration.ts";
import type { oauthContract } from "./contract.ts";
import type { Approver, DeviceAuthorizations, DeviceRequest } from "./device/device-authorization.ts";

export function oauthHandlers({
  devices,
  registrations,
}: {
  devices: DeviceAuthorizations;
  registrations: Pick<Registrations, "list" | "revoke">;
}): Handlers<typeof oauthContract> {
  return {
    async listClients(page, caller) {
      wholeAccount(caller);
      return viewed(
        await registrations.list(page),
        ({ createdAt, lastUsedAt, idTokenAlgorithm: _, ...client }) => ({
          ...client,
          createdAt: iso(createdAt),
          ...(lastUsedAt !== undefined && { lastUsedAt: iso(lastUsedAt) }),
        }),
      );
    },
    async revokeClient({ clientId }, caller) {
      wholeAccount(caller);
      await registrations.revoke(caller, clientId);
      return {};
    },
    async showDeviceAuthorization({ userCode }, caller) {
      return view(await devices.describe(userCode, approver(caller)));
    },
    async decideDeviceAuthorization({ userCode, decision }, caller) {
      return view(await devices.decide(userCode, decision, approver(caller)));
    },
  };
}

function approver(caller: Caller): Approver {
  checkSignsIn(caller);
  const { accountId, userId, address, credential, requestId } = caller;
  return { accountId, userId, address, credential, requestId, scopes: credential.scopes };
}

function view({
  requestedAt,
  expiresAt,
  ...request
}: DeviceRequest): Output<typeof oauthContract.showDeviceAuthorization> {
  return { ...request, requestedAt: iso(requestedAt), expiresAt: iso(expiresAt) };
}
