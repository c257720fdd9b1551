import * as z from "zod";
import { At, endpoint } from "../../contract/endpoint.ts";
import { ID_TOKEN_ALGORITHMS } from "../../contract/oauth-names.ts";

const SigningKey = z.object({
  kid: z.string().describe("Its id in `/.well-known/jwks.json`"),
  alg: z
    .enum(ID_TOKEN_ALGORITHMS)
    .describe("RS256 signs the ID tokens of clients that ask for it, and nothing else"),
  createdAt: At,
  current: z.boolean().describe("Whether it signs; what the others signed can still be verified"),
});

export const signingKeysContract = {
  listSigningKeys: endpoint({
    name: "signingKeys.list",
    method: "GET",
    path: "/api/v1/signing-keys",
    summary: "List the keys that sign entitlements and identities, and those before them",
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
replaced every 90 days in any case, and one that signs by RS256 along with it. The answer is the key of EdDSA.`,
    scope: "operator",
    lane: "control",
    status: 201,
    example: {},
    input: z.strictObject({}),
    output: SigningKey,
  }),
};
