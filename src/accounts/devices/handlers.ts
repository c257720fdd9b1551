import { allows, type Caller } from "../../contract/caller.ts";
import type { Handlers, Output } from "../../contract/endpoint.ts";
import { iso } from "../../system/clock.ts";
import { insufficientScope } from "../insufficient-scope.ts";
import { sortedPage, viewed } from "../page.ts";
import { inPerson, wholeAccount } from "../whole-account.ts";
import type { devicesContract } from "./contract.ts";
import { deviceSortKey, devicesMatching } from "./search.ts";
import type { SignedInDevice, SignedInDevices } from "./signed-in-devices.ts";

export function devicesHandlers(devices: SignedInDevices): Handlers<typeof devicesContract> {
  return {
    async listDevices({ userId, query, ...page }, caller) {
      const accountId = wholeAccount(caller);
      const list = await devices.list(accountId, usersAsked(caller, userId));
      const found = devicesMatching(list, query);
      return viewed(sortedPage(found, { ...page, sortKeyOf: deviceSortKey, idPrefix: "fam_" }), (device) =>
        view(device, caller),
      );
    },
    async revokeDevice({ deviceId }, caller) {
      wholeAccount(caller);
      await devices.revoke(caller, deviceId, usersAsked(caller) === undefined);
      return {};
    },
  };
}

/** Returns the user whose devices are meant; undefined for everybody's, which administrators see. */
function usersAsked(caller: Caller, asked?: string): string | undefined {
  if (allows(caller.credential.scopes, "admin")) return asked;
  inPerson(caller);
  if (asked === undefined || asked === caller.userId) return caller.userId;
  throw insufficientScope("admin", 'Devices of other people need the scope "admin".');
}

function view(
  { createdAt, lastUsedAt, expiresAt, ...device }: SignedInDevice,
  { credential }: Caller,
): Output<typeof devicesContract.listDevices>["items"][number] {
  return {
    ...device,
    createdAt: iso(createdAt),
    lastUsedAt: iso(lastUsedAt),
    expiresAt: iso(expiresAt),
    current: device.id === credential.familyId,
  };
}
