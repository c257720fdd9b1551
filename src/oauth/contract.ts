import * as z from "zod";
import { SCOPES } from "../contract/caller.ts";
import { named } from "../contract/components.ts";
import { At, endpoint } from "../contract/endpoint.ts";
import { clientsContract } from "./clients/contract.ts";

/** Accepts any text, so that a malformed code counts as a wrong one. */
const TypedUserCode = z
  .string()
  .min(1)
  .max(256)
  .describe("As the device shows it, in any case, with or without dash and spaces");

const DeviceRequest = z.object({
  userCode: z.string(),
  client: z.object({
    id: z.string(),
    name: z.string(),
    registered: z.boolean().describe("False: the name is what the device calls itself"),
  }),
  scopes: z.array(
    z.object({
      scope: z.enum(SCOPES),
      description: z.string(),
      granted: z.boolean().describe("Whether this credential can pass it on, or did"),
    }),
  ),
  address: z.string().describe("Where the device asked from"),
  userAgent: z.string(),
  requestedAt: At,
  expiresAt: At,
  status: z.enum(["pending", "approved", "denied"]),
});

named({ DeviceRequest });

const WRONG_CODES =
  "Ten wrong codes an hour by a user, and a hundred from an address, are answered with 404, more with 429.";

export const oauthContract = {
  ...clientsContract,

  showDeviceAuthorization: endpoint({
    name: "deviceAuthorizations.show",
    method: "GET",
    path: "/api/v1/device-authorizations/{userCode}",
    summary: "Show what a device asks for",
    description: WRONG_CODES,
    scope: "admin",
    errors: ["not_found"],
    lane: "control",
    input: z.strictObject({ userCode: TypedUserCode }),
    output: DeviceRequest,
  }),
  decideDeviceAuthorization: endpoint({
    name: "deviceAuthorizations.decide",
    method: "POST",
    path: "/api/v1/device-authorizations/{userCode}",
    summary: "Approve or deny what a device asks for",
    description: `Signs the device in to the caller's own account, with those of the scopes that the caller
holds. The same decision again gets the same answer, another one 409. ${WRONG_CODES}`,
    scope: "admin",
    errors: ["not_found", "conflict"],
    example: { userCode: "BCDF-GHJK", decision: "approve" },
    lane: "control",
    input: z.strictObject({ userCode: TypedUserCode, decision: z.enum(["approve", "deny"]) }),
    output: DeviceRequest,
  }),
};
