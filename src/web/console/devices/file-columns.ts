import type { SignedInDevice } from "../../../accounts/devices/signed-in-devices.ts";
import type { SessionView } from "../../../accounts/sign-in/sign-in.ts";
import { iso } from "../../../system/clock.ts";
import type { FileColumns } from "../frame/files.ts";
import { browserName } from "./browser-name.ts";

/** The columns of the devices file. */
export const DEVICE_COLUMNS: FileColumns<SignedInDevice> = {
  device: ({ id }) => id,
  client: ({ clientId }) => clientId,
  clientName: ({ clientName }) => clientName,
  email: ({ email }) => email,
  program: ({ userAgent }) => userAgent,
  address: ({ address }) => address,
  scopes: ({ scopes }) => scopes.join(" "),
  audience: ({ audience }) => audience,
  createdAt: ({ createdAt }) => iso(createdAt),
  lastUsedAt: ({ lastUsedAt }) => iso(lastUsedAt),
  expiresAt: ({ expiresAt }) => iso(expiresAt),
};

/** The columns of the browsers file. */
export const BROWSER_COLUMNS: FileColumns<SessionView> = {
  browser: ({ id }) => id,
  name: ({ userAgent }) => browserName(userAgent),
  address: ({ address }) => address,
  signedInBy: ({ startedBy }) => startedBy,
  createdAt: ({ createdAt }) => iso(createdAt),
  lastUsedAt: ({ lastUsedAt }) => iso(lastUsedAt),
  expiresAt: ({ expiresAt }) => iso(expiresAt),
};
