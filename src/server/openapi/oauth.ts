import { z } from "zod";
import { SCOPES } from "../../contract/caller.ts";
import { named } from "../../contract/components.ts";
import type { OAuthErrorCode } from "../../contract/problem.ts";
import { ANYWHERE } from "../../contract/problems-of.ts";
import type { Operation } from "./operation.ts";

const DEVICE_CODE_GRANT = "urn:ietf:params:oauth:grant-type:device_code";

const ClientId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/)
  .describe("1 to 64 characters of A-Z a-z 0-9 . _ -");
const Scopes = z.string().describe(`Of ${SCOPES.join(", ")}, with spaces between`);
const TokenTypeHint = z.string().optional().describe("Not needed: a token's prefix tells its kind");
const Resource = z
  .string()
  .optional()
  .describe(
    "The one resource that the tokens are for (RFC 8707), such as `https://host/mcp`; all where it is left out",
  );
const Seconds = z.int().nonnegative();

const DeviceCodeRequest = z.object({
  client_id: ClientId,
  scope: Scopes.optional().describe("Space-separated; `read write` where it is left out"),
  resource: Resource,
});

const DeviceCodeResponse = z.object({
  device_code: z.string().describe("What the device polls with. A secret, of no use afterwards"),
  user_code: z.string().describe("What the user types or compares, such as `BCDF-GHJK`"),
  verification_uri: z.string().meta({ format: "uri" }),
  verification_uri_complete: z.string().meta({ format: "uri" }).describe("With the user code filled in"),
  expires_in: Seconds.describe("Seconds until both codes expire"),
  interval: Seconds.describe("Seconds to leave between two polls; 5 more after each `slow_down`"),
});

const DeviceTokenRequest = z
  .object({
    grant_type: z.literal(DEVICE_CODE_GRANT).optional().describe("Meant where it is left out"),
    device_code: z.string(),
    client_id: ClientId.optional().describe("Where it is sent: the client that the code was issued to"),
  })
  .describe("A poll (RFC 8628 §3.4)");

const RefreshTokenRequest = z
  .object({
    grant_type: z.literal("refresh_token"),
    refresh_token: z.string(),
    client_id: ClientId.describe("The client that the token was issued to"),
    scope: Scopes.optional().describe("Fewer scopes than the sign-in has; all of them where it is left out"),
    resource: Resource,
  })
  .describe("A refresh (RFC 6749 §6)");

const TokenRequest = z.union([DeviceTokenRequest, RefreshTokenRequest]);

const TokenResponse = z.object({
  access_token: z.string(),
  token_type: z.literal("Bearer"),
  expires_in: Seconds.describe("Seconds until the access token expires"),
  refresh_token: z.string().describe("Takes the place of the one before"),
  scope: z.string().describe("What was granted, with spaces between"),
});

const RevocationRequest = z.object({
  token: z.string().describe("An access or refresh token"),
  token_type_hint: TokenTypeHint,
  client_id: ClientId.optional().describe("Where it is sent: the client that the token was issued to"),
});
const RevocationResponse = z.object({}).describe("Nothing, be the token known or not");

const IntrospectionRequest = z.object({
  token: z.string().describe("A token or an API key"),
  token_type_hint: TokenTypeHint,
});

const InactiveToken = z.object({ active: z.literal(false) });
const ActiveToken = z.object({
  active: z.literal(true),
  scope: z.string(),
  client_id: z.string().optional().describe("Of tokens: API keys belong to no client"),
  username: z.string().optional().describe("The user's e-mail address"),
  token_type: z.literal("Bearer").optional().describe("Not of refresh tokens, which no resource takes"),
  exp: z.int().optional().describe("Unix time in seconds"),
  iat: z.int().describe("Unix time in seconds"),
  sub: z.string().describe("The user's id"),
  aud: z
    .string()
    .optional()
    .describe("The one resource that it is for; absent where that is all of this server"),
  iss: z.string(),
  account_id: z.string(),
});
const Introspection = z.discriminatedUnion("active", [ActiveToken, InactiveToken]);

const Url = z.string().meta({ format: "uri" });
const Texts = z.array(z.string());

const AuthorizationServerMetadata = z.object({
  issuer: Url,
  device_authorization_endpoint: Url,
  token_endpoint: Url,
  revocation_endpoint: Url,
  introspection_endpoint: Url,
  jwks_uri: Url,
  scopes_supported: Texts,
  grant_types_supported: Texts,
  response_types_supported: Texts,
  token_endpoint_auth_methods_supported: Texts,
  revocation_endpoint_auth_methods_supported: Texts,
  introspection_endpoint_auth_methods_supported: Texts,
  service_documentation: Url,
});

const ProtectedResourceMetadata = z.object({
  resource: Url,
  authorization_servers: z.array(Url),
  scopes_supported: Texts,
  bearer_methods_supported: Texts,
  resource_name: z.string(),
  resource_documentation: Url,
});

const JsonWebKey = z.object({
  kty: z.string(),
  kid: z.string(),
  crv: z.string(),
  x: z.string(),
  use: z.string(),
  alg: z.string(),
});
const JsonWebKeySet = z.object({ keys: z.array(JsonWebKey) });

named({
  DeviceCodeRequest,
  DeviceCodeResponse,
  DeviceTokenRequest,
  RefreshTokenRequest,
  TokenRequest,
  TokenResponse,
  RevocationRequest,
  RevocationResponse,
  IntrospectionRequest,
  ActiveToken,
  InactiveToken,
  Introspection,
  AuthorizationServerMetadata,
  ProtectedResourceMetadata,
  JsonWebKey,
  JsonWebKeySet,
});

interface Form {
  name: string;
  summary: string;
  description?: string;
  scope?: "operator";
  request: z.ZodType;
  response: z.ZodType;
  answer: string;
  /** What it answers with 400. */
  errors: readonly OAuthErrorCode[];
  example: Record<string, string>;
}

const WITH_SCOPE: Operation["oauthErrors"] = { 401: ["invalid_token"], 403: ["insufficient_scope"] };

function form({
  name,
  summary,
  description,
  scope,
  request,
  response,
  answer,
  errors,
  example,
}: Form): Operation {
  return {
    id: name.replaceAll(".", "_"),
    summary,
    ...(description && { description }),
    tag: "auth",
    scope: scope ?? "public",
    body: {
      required: true,
      content: { "application/x-www-form-urlencoded": request, "application/json": request },
      example,
    },
    answers: {
      200: { description: answer, headers: ["Cache-Control"], content: { "application/json": response } },
    },
    // What is refused before anybody knows which path it is for.
    problems: ["request_timeout", "headers_too_large"],
    oauthErrors: {
      400: errors,
      ...(scope === "operator" ? WITH_SCOPE : {}),
      413: ["invalid_request"],
      415: ["invalid_request"],
      429: ["slow_down"],
      500: ["server_error"],
      503: ["temporarily_unavailable"],
      507: ["temporarily_unavailable"],
    },
  };
}

function metadata(name: string, summary: string, response: z.ZodType): Operation {
  return {
    id: `well_known_${name.replace(/[-.]/g, "_")}`,
    summary,
    tag: "auth",
    scope: "public",
    answers: {
      200: { description: "Done.", headers: ["Cache-Control"], content: { "application/json": response } },
    },
    problems: ANYWHERE,
  };
}

/** The OAuth routes as the document tells of them, by the names that they bear as routes. */
export const OAUTH_OPERATIONS = {
  "auth.device.code": form({
    name: "auth.device.code",
    summary: "Begin a device authorization (RFC 8628 §3.1)",
    description: "Then show `user_code` and `verification_uri` to the user, and poll `/auth/device/token`.",
    request: DeviceCodeRequest,
    response: DeviceCodeResponse,
    answer: "The device's code and the user's.",
    errors: ["invalid_request", "invalid_scope", "invalid_target"],
    example: { client_id: "tool-cli", scope: "read write" },
  }),
  "auth.device.token": form({
    name: "auth.device.token",
    summary: "Poll for tokens, or refresh them (RFC 8628 §3.4, RFC 6749 §6)",
    description: `\`authorization_pending\`: poll on. \`slow_down\`, be it 400 or 429: leave five seconds more between two
polls, and as long as \`Retry-After\` says where it is there. \`expired_token\`: begin again. \`access_denied\`: the user said no.
Two uses of one refresh token a minute apart end the sign-in: always keep the newest.`,
    request: TokenRequest,
    response: TokenResponse,
    answer: "An access token, and the refresh token to get the next one with.",
    errors: [
      "authorization_pending",
      "slow_down",
      "expired_token",
      "access_denied",
      "invalid_grant",
      "invalid_request",
      "invalid_scope",
      "invalid_target",
      "unsupported_grant_type",
    ],
    example: { grant_type: DEVICE_CODE_GRANT, device_code: "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS" },
  }),
  "auth.revoke": form({
    name: "auth.revoke",
    summary: "Revoke a token and all that descend from the same sign-in (RFC 7009)",
    request: RevocationRequest,
    response: RevocationResponse,
    answer: "It does not work any more, if it ever did.",
    errors: ["invalid_request", "invalid_grant", "unsupported_token_type"],
    example: { token: "trt_example" },
  }),
  "auth.introspect": form({
    name: "auth.introspect",
    summary: "Tell whether a token is active and what it stands for (RFC 7662)",
    scope: "operator",
    request: IntrospectionRequest,
    response: Introspection,
    answer: "What the token stands for, where it is active.",
    errors: ["invalid_request"],
    example: { token: "tat_example" },
  }),
  "authorization-server": metadata(
    "authorization-server",
    "Show the authorization server's metadata (RFC 8414)",
    AuthorizationServerMetadata,
  ),
  "protected-resource": metadata(
    "protected-resource",
    "Show the protected resource's metadata (RFC 9728)",
    ProtectedResourceMetadata,
  ),
  "protected-resource.mcp": metadata(
    "protected-resource.mcp",
    "Show the metadata of /mcp as a protected resource (RFC 9728)",
    ProtectedResourceMetadata,
  ),
  jwks: metadata("jwks", "Show the keys that entitlements are signed with (RFC 7517)", JsonWebKeySet),
} satisfies Record<string, Operation>;
