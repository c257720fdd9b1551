import * as z from "zod";
import { SCOPES } from "../../contract/caller.ts";
import { named, refinementRules } from "../../contract/components.ts";
import {
  At,
  endpoint,
  Instant,
  listOf,
  Page,
  SearchTerm,
  ShownName,
  UserId,
} from "../../contract/endpoint.ts";
import { DAY_S } from "../../system/durations.ts";
import { bindingRangeOf } from "./address-ranges.ts";
import { MAX_BOUND_TO } from "./binding.ts";

/** The sort orders of keys; a leading `-` reverses them. */
export const KEY_ORDERS = ["createdAt", "name", "lastUsedAt", "expiresAt"] as const;

const Scopes = z.array(z.enum(SCOPES));

const ToolPattern = z
  .string()
  .max(300, "must have at most 300 characters")
  .regex(/^[^\s*\p{C}]+\*?$/u, "must be a name, or the beginning of names and a *")
  .register(refinementRules, {
    rule: "Without spaces and control characters, and with a * at its end alone.",
  })
  .describe("An endpoint's name, an MCP tool's, or `upstream/tool` for one of an MCP server behind this one");

const AddressRange = z
  .string()
  .max(64, "must have at most 64 characters")
  .refine((text) => bindingRangeOf(text) !== undefined, "must be an IPv4 or IPv6 address, or a CIDR range")
  .register(refinementRules, { rule: "An IPv4 or IPv6 address, or a CIDR range such as 203.0.113.0/24." });

const few = <T extends z.ZodType>(item: T) =>
  z.array(item).min(1, "must name one, or be null").max(MAX_BOUND_TO, `must name at most ${MAX_BOUND_TO}`);

const binding = {
  projectId: UserId.optional().describe("The one project that it may name"),
  tools: few(ToolPattern).optional().describe("The only ones that it works for"),
  addresses: few(AddressRange).optional().describe("The only ones that it works from"),
};

const ApiKey = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe("The first characters of the secret"),
  scopes: Scopes,
  projectId: z.string().optional(),
  tools: z.array(z.string()).optional(),
  addresses: z.array(z.string()).optional(),
  userId: z.string().describe("Who made it and whose it is: it ends with this user"),
  createdBy: z.string().describe("The e-mail address of this user"),
  createdAt: At,
  expiresAt: At.optional(),
  lastUsedAt: At.optional().describe("To a minute"),
  lastUsedAddress: z.string().optional().describe("Where it was used from then"),
  suspendedAt: At.optional().describe("Since when it is refused"),
  rotatedAt: At.optional().describe("When it was given its present secret, if that is not its first"),
  previous: z
    .object({ prefix: z.string(), endsAt: At })
    .optional()
    .describe("The secret before, while it works"),
});

named({ ApiKey, ToolPattern, AddressRange });

const Nothing = z.object({});

/** The account of a key, if it is not the caller's. */
const OfAccount = UserId.optional().describe("The caller's unless given");
const OPERATORS_ALONE = "`accountId` names another account with the scope `operator` alone.";

const GIVES_NO_MORE =
  "Neither it nor what it becomes exceeds the scopes and bindings of the credential that does this, nor the role of the user whose key it is.";
const TOOLS_EXIST = "Each of `tools` stands for at least one endpoint, MCP tool or upstream of this server.";

export const keysContract = {
  listKeys: endpoint({
    name: "keys.list",
    method: "GET",
    path: "/api/v1/keys",
    summary: "List the account's API keys",
    description: "A cursor goes with the order and search that it came from.",
    rules: [OPERATORS_ALONE],
    scope: "admin",
    lane: "control",
    input: z.strictObject({
      ...Page,
      accountId: OfAccount,
      query: SearchTerm.optional().describe(
        "Part of the name, the id, the beginning of the secret or the project's id",
      ),
      userId: UserId.optional().describe("Of this user alone"),
      sort: z
        .enum([...KEY_ORDERS, ...KEY_ORDERS.map((order) => `-${order}` as const)])
        .optional()
        .describe("`createdAt` unless given; with a `-` the other way round"),
    }),
    output: listOf(ApiKey),
  }),
  createKey: endpoint({
    name: "keys.create",
    method: "POST",
    path: "/api/v1/keys",
    summary: "Make an API key",
    description: `The secret is shown this once. A key may not exceed the scopes of the credential that makes it.
One that is bound to a project may name no other (403, \`forbidden\`). One that is bound to tools works for them alone, over the API and over
MCP, and for \`account.show\`; \`name*\` stands for all names that begin so. One that is bound to addresses works from
them alone. Whatever else it is used for is a 403, \`outside_binding\`.`,
    rules: ["`expiresAt` lies in the future.", TOOLS_EXIST],
    scope: "admin",
    errors: ["conflict"],
    lane: "control",
    status: 201,
    example: { name: "ci", scopes: ["write"] },
    input: z.strictObject({
      name: ShownName,
      scopes: Scopes.min(1, "must name a scope"),
      ...binding,
      expiresAt: Instant.optional(),
    }),
    output: z.object({ key: ApiKey, secret: z.string() }),
  }),
  showKey: endpoint({
    name: "keys.show",
    method: "GET",
    path: "/api/v1/keys/{keyId}",
    summary: "Show an API key",
    rules: [OPERATORS_ALONE],
    scope: "admin",
    errors: ["not_found"],
    lane: "control",
    input: z.strictObject({ keyId: UserId, accountId: OfAccount }),
    output: z.object({
      key: ApiKey,
      usedIn30Days: z
        .int()
        .optional()
        .describe("What was counted of it, as GET /api/v1/usage does; absent where too many ask for that"),
    }),
  }),
  updateKey: endpoint({
    name: "keys.update",
    method: "PATCH",
    path: "/api/v1/keys/{keyId}",
    summary: "Rename an API key, suspend it, let it expire, or change its scopes and what it is bound to",
    description: `Effective at once. What is left out stays; null takes an expiry or a binding away. A suspended key is refused
as a revoked one is, until it is resumed (\`"suspended": false\`).`,
    rules: [
      "`expiresAt` lies in the future.",
      TOOLS_EXIST,
      GIVES_NO_MORE,
      OPERATORS_ALONE,
      "Of another account's key nothing changes but `suspended`.",
    ],
    scope: "admin",
    errors: ["not_found", "conflict"],
    lane: "control",
    example: { keyId: "key_example", addresses: ["203.0.113.0/24"], expiresAt: null },
    input: z.strictObject({
      keyId: UserId,
      accountId: OfAccount,
      name: ShownName.optional(),
      scopes: Scopes.min(1, "must name a scope").optional(),
      projectId: binding.projectId.nullable(),
      tools: binding.tools.nullable(),
      addresses: binding.addresses.nullable(),
      expiresAt: Instant.nullable().optional(),
      suspended: z.boolean().optional(),
    }),
    output: z.object({ key: ApiKey }),
  }),
  rotateKey: endpoint({
    name: "keys.rotate",
    method: "POST",
    path: "/api/v1/keys/{keyId}/rotate",
    summary: "Give an API key another secret",
    description: `The secret is shown this once. The one before works for \`overlapSeconds\` more, at once no longer unless given;
a secret before that ends now. A repeat under the same \`Idempotency-Key\` gets the same secret: the answer is kept
encrypted under that key, so choose one that nobody guesses, such as a UUID.`,
    rules: [GIVES_NO_MORE],
    scope: "admin",
    errors: ["not_found", "invalid_state"],
    lane: "control",
    idempotent: true,
    answersSecret: true,
    example: { keyId: "key_example", overlapSeconds: DAY_S },
    input: z.strictObject({
      keyId: UserId,
      overlapSeconds: z
        .int("must be a whole number")
        .min(0, "must be at least 0")
        .max(30 * DAY_S, "must be at most 30 days")
        .default(0),
    }),
    output: z.object({ key: ApiKey, secret: z.string() }),
  }),
  deleteKey: endpoint({
    name: "keys.delete",
    method: "DELETE",
    path: "/api/v1/keys/{keyId}",
    summary: "Revoke an API key",
    description: "Effective at once.",
    rules: [OPERATORS_ALONE],
    scope: "admin",
    errors: ["not_found"],
    lane: "control",
    status: 204,
    input: z.strictObject({ keyId: UserId, accountId: OfAccount }),
    output: Nothing,
  }),
};
