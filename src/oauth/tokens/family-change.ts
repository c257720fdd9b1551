import type { TokenFamily } from "../../accounts/model.ts";
import type { Actor } from "../../audit/model.ts";
import type { Change } from "../../audit/trail.ts";

type DeviceAction = "device.signed_in" | "device.signed_out" | "device.ended_by_reuse";

/**
 * What happened to a sign-in of a device, which acts for the user who approved it.
 * @param from who asked: where a token was used again, maybe not that device.
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
