import { type SortKey, textSortKey } from "../page.ts";
import type { SignedInDevice } from "./signed-in-devices.ts";

/** The sort orders of devices; a leading `-` reverses them. */
export const DEVICE_ORDERS = ["name", "email", "address", "createdAt", "lastUsedAt"] as const;
export type DeviceOrder = (typeof DEVICE_ORDERS)[number];

/** Returns a client's name with its id, since any client can use the same name. */
export function nameOfDevice({
  clientId,
  clientName,
}: Pick<SignedInDevice, "clientId" | "clientName">): string {
  return clientName === undefined ? clientId : `${clientName} (${clientId})`;
}

/** Returns the devices that a part of their name, user agent, address, e-mail or id matches; case is ignored. */
export function devicesMatching(list: readonly SignedInDevice[], query = ""): SignedInDevice[] {
  const part = query.toLowerCase();
  return list.filter((device) =>
    [nameOfDevice(device), device.email, device.userAgent, device.address, device.id].some((text) =>
      text.toLowerCase().includes(part),
    ),
  );
}

type Placed = Pick<
  SignedInDevice,
  "id" | "clientId" | "clientName" | "email" | "address" | "createdAt" | "lastUsedAt"
>;

export function deviceSortKey(device: Placed, order: DeviceOrder): SortKey {
  switch (order) {
    case "name":
      return textSortKey(nameOfDevice(device), device.id);
    case "email":
      return textSortKey(device.email, device.id);
    case "address":
      return textSortKey(device.address, device.id);
    case "createdAt":
      return [device.createdAt, device.id];
    case "lastUsedAt":
      return [device.lastUsedAt, device.id];
  }
}
