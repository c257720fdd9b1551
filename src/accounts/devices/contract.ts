import * as z from "zod";
import { SCOPES } from "../../contract/caller.ts";
import { named } from "../../contract/components.ts";
import { At, endpoint, listOf, Page, SearchTerm, UserId } from "../../contract/endpoint.ts";
import { DEVICE_ORDERS } from "./search.ts";

const SignedInDevice = z.object({
  id: z.string(),
  clientId: z.string().describe("The OAuth client: `tool-cli` of a terminal"),
  clientName: z.string().optional().describe("What a client that registered itself calls itself"),
  userAgent: z.string().describe("Of the program, at its sign-in"),
  userId: z.string(),
  email: z.string().describe("The e-mail address of this user"),
  scopes: z.array(z.enum(SCOPES)),
  audience: z
    .string()
    .optional()
    .describe("The URI of the one resource that it is signed in to; absent: to all"),
  address: z.string().describe("Where it signed in from"),
  createdAt: At.describe("When it signed in"),
  lastUsedAt: At.describe("To a minute"),
  expiresAt: At.describe("Unless it is used before"),
  current: z.boolean().describe("Whether it is the one that asks"),
});

named({ SignedInDevice });

const OWN_ALONE =
  "Without the scope `admin`, only a device that is signed in may ask, and for the devices of its own user.";

export const devicesContract = {
  listDevices: endpoint({
    name: "devices.list",
    method: "GET",
    path: "/api/v1/devices",
    summary: "List the devices and applications that are signed in",
    description: `Your own; with the scope \`admin\`, those of everybody in the account. Browsers are not among them. A
cursor goes with the order and search that it came from.`,
    rules: [OWN_ALONE],
    scope: "read",
    lane: "control",
    input: z.strictObject({
      ...Page,
      query: SearchTerm.optional().describe("Part of the client, user agent, address, e-mail address or id"),
      userId: UserId.optional().describe("Of this user alone"),
      sort: z
        .enum([...DEVICE_ORDERS, ...DEVICE_ORDERS.map((order) => `-${order}` as const)])
        .default("-lastUsedAt")
        .describe("With a `-` the other way round"),
    }),
    output: listOf(SignedInDevice),
  }),
  revokeDevice: endpoint({
    name: "devices.revoke",
    method: "DELETE",
    path: "/api/v1/devices/{deviceId}",
    summary: "Sign a device out",
    description: "Its tokens end at once.",
    rules: [OWN_ALONE],
    scope: "write",
    errors: ["not_found"],
    lane: "control",
    status: 204,
    input: z.strictObject({ deviceId: UserId }),
    output: z.object({}),
  }),
};
