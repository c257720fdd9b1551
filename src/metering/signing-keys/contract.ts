import * as z from "zod";
import { At, endpoint } from "../../contract/endpoint.ts";

const SigningKey = z.object({
  kid: z.string().describe("Its id in `/.well-known/jwks.json`"),
  createdAt: At,
  current: z.boolean().describe("Whether it signs; what the others signed can still be verified"),
});

export const signingKeysContract = {
  listSigningKeys: endpoint({
    name: "signingKeys.list",
    method: "GET",
    path: "/api/v1/signing-keys",
    summary: "List the key that signs entitlements and identities, and those before it",
    description: "Newest first.",
    scope: "operator",
    lane: "control",
    input: z.strictObject({}),
    output: z.object({ items: z.array(SigningKey) }),
  }),
  rotateSigningKey: endpoint({
    name: "signingKeys.rotate",
    method: "POST",
    path: "/api/v1/signing-keys/rotate",
    summary: "Have another key sign from now on",
    description: `On all servers of this store. What the key before signed can be verified until it has expired. The key is
replaced every 90 days in any case.`,
    scope: "operator",
    lane: "control",
    status: 201,
    example: {},
    input: z.strictObject({}),
    output: SigningKey,
  }),
};
