import type { TokenFamily } from "../../accounts/model.ts";
import type { Actor } from "../../audit/model.ts";
import type { Change } from "../../audit/trail.ts";

type DeviceAction = "device.signed_in" | "device.signed_out" | "device.ended_by_reuse";

/**
 * Returns the audit log's change for a token family. The actor is the user who approved it.
 * @param from the requester. After reuse of a token, this may not be the device itself.
 */
export function changeOfFamily(
  action: DeviceAction,
  accountId: string,
  family: Pick<TokenFamily, "id" | "userId" | "clientId" | "clientName">,
  { address, requestId }: Actor,
): Change {
  const { id, userId, clientId, clientName = clientId } = family;
  return {
    by: { accountId, userId, address, requestId },
    action,
    target: { kind: "device", id, name: clientName },
  };
}
