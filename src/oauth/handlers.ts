import { checkSignsIn } from "../accounts/whole-account.ts";
import type { Caller } from "../contract/caller.ts";
import type { Handlers, Output } from "../contract/endpoint.ts";
import { iso } from "../system/clock.ts";
import type { oauthContract } from "./contract.ts";
import type { Approver, DeviceAuthorizations, DeviceRequest } from "./device/device-authorization.ts";

export function oauthHandlers({
  devices,
}: {
  devices: DeviceAuthorizations;
}): Handlers<typeof oauthContract> {
  return {
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
