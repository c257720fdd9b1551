import * as z from "zod";
import { SCOPES } from "../../contract/caller.ts";
import { named } from "../../contract/components.ts";
import { DEVICE_CODE_GRANT, ID_TOKEN_ALGORITHMS } from "../../contract/oauth-names.ts";

const ClientId = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,64}$/)
  .describe("1 to 64 characters of A-Z a-z 0-9 . _ -");
const AnyClientId = z.string().describe("Also the URL of a client metadata document");
const Scopes = z.string().describe(`Of ${SCOPES.join(", ")}, with spaces between`);
const TokenTypeHint = z.string().optional().describe("Not needed: a token's prefix tells its kind");
const Resource = z
  .string()
  .optional()
  .describe(
    "The one resource that the tokens are for (RFC 8707), such as `https://host/mcp`; all where it is left out",
  );
const Texts = z.array(z.string());
const Seconds = z.int().nonnegative();

export const DeviceCodeRequest = z.object({
  client_id: ClientId,
  scope: Scopes.optional().describe("Space-separated; `read write` where it is left out"),
  resource: Resource,
});

const LocalProof = z.string().max(128);

export const LocalApprovalRequest = z.object({
  device_code: z.string(),
  proof: LocalProof.describe(
    'HMAC-SHA-256 by the secret of the JSON text `["toolplane local sign-in","command",<base URL>,<device_code>]`, in base64url',
  ),
});

export const LocalApprovalResponse = z.object({
  proof: LocalProof.describe("The same of `server` instead of `command`"),
});

export const DeviceCodeResponse = z.object({
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
    client_id: AnyClientId.optional().describe(
      "The client that the token was issued to, unless it proves who it is",
    ),
    scope: Scopes.optional().describe("Fewer scopes than the sign-in has; all of them where it is left out"),
    resource: Resource,
  })
  .describe("A refresh (RFC 6749 §6)");

const ClientProof = {
  client_secret: z
    .string()
    .optional()
    .describe("Of a confidential client, unless it is in the Authorization header"),
  client_assertion_type: z
    .string()
    .optional()
    .describe("`urn:ietf:params:oauth:client-assertion-type:jwt-bearer`"),
  client_assertion: z.string().optional().describe("A JWT that a confidential client has signed (RFC 7523)"),
};

const AuthorizationCodeRequest = z
  .object({
    grant_type: z.literal("authorization_code"),
    code: z.string(),
    code_verifier: z.string().describe("What the code challenge is the SHA-256 of (RFC 7636)"),
    redirect_uri: z.string().optional().describe("The one of the authorization request"),
    client_id: AnyClientId.optional(),
    resource: Resource,
    ...ClientProof,
  })
  .describe("A code that a redirect has brought (RFC 6749 §4.1.3)");

export const TokenRequest = z.union([DeviceTokenRequest, RefreshTokenRequest, AuthorizationCodeRequest]);

export const PushedRequest = z.object({
  response_type: z.literal("code"),
  client_id: AnyClientId.optional(),
  redirect_uri: z.string(),
  code_challenge: z
    .string()
    .regex(/^[A-Za-z0-9_-]{43}$/)
    .describe("SHA-256 of the code verifier, in base64url"),
  code_challenge_method: z.literal("S256"),
  scope: Scopes.optional().describe(
    "Space-separated, `openid`, `email` and `profile` too; `read write` where it is left out",
  ),
  resource: Resource,
  state: z.string().optional(),
  nonce: z.string().optional().describe("Comes back in the ID token"),
  dpop_jkt: z
    .string()
    .optional()
    .describe("The thumbprint of the key that the tokens are to be bound to (RFC 9449 §10)"),
  ...ClientProof,
});

export const PushedResponse = z.object({
  request_uri: z.string().describe("What to send the browser to `/auth/authorize` with, beside `client_id`"),
  expires_in: Seconds,
});

export const RegistrationRequest = z.object({
  redirect_uris: Texts.describe("https, http on loopback (any port), or a scheme of the application's own"),
  client_name: z.string().optional(),
  token_endpoint_auth_method: z.string().optional().describe("Whatever is asked for, it becomes `none`"),
  grant_types: Texts.optional(),
  response_types: Texts.optional(),
  id_token_signed_response_alg: z.string().optional().describe("`RS256`, or else it becomes `EdDSA`"),
});

export const RegistrationResponse = z.object({
  client_id: z.string(),
  client_id_issued_at: Seconds.describe("Unix time"),
  client_name: z.string(),
  redirect_uris: Texts,
  token_endpoint_auth_method: z.literal("none"),
  grant_types: Texts,
  response_types: Texts,
  id_token_signed_response_alg: z.enum(ID_TOKEN_ALGORITHMS),
});

export const UserInfo = z.object({
  sub: z.string().describe("The user's id"),
  email: z.string().optional().describe("With the scope `email`"),
  email_verified: z
    .boolean()
    .optional()
    .describe("Whether they have proven that they receive mail there; with `email`"),
  preferred_username: z.string().optional().describe("With the scope `profile`, as what follows"),
  account_id: z.string().optional(),
  account_name: z.string().optional(),
});

export const TokenResponse = z.object({
  access_token: z.string(),
  token_type: z.enum(["Bearer", "DPoP"]).describe("`DPoP` where the request bore a proof (RFC 9449)"),
  expires_in: Seconds.describe("Seconds until the access token expires"),
  refresh_token: z.string().describe("Takes the place of the one before"),
  scope: z.string().describe("What was granted, with spaces between"),
  id_token: z.string().optional().describe("With the scope `openid`, and a code"),
});

export const RevocationRequest = z.object({
  token: z.string().describe("An access or refresh token"),
  token_type_hint: TokenTypeHint,
  client_id: AnyClientId.optional().describe("Where it is sent: the client that the token was issued to"),
});
export const RevocationResponse = z.object({}).describe("Nothing, be the token known or not");

export const IntrospectionRequest = z.object({
  token: z.string().describe("A token or an API key"),
  token_type_hint: TokenTypeHint,
});

const InactiveToken = z.object({ active: z.literal(false) });
const ActiveToken = z.object({
  active: z.literal(true),
  scope: z.string(),
  client_id: z.string().optional().describe("Of tokens: API keys belong to no client"),
  username: z.string().optional().describe("The user's e-mail address"),
  token_type: z
    .enum(["Bearer", "DPoP"])
    .optional()
    .describe("Not of refresh tokens, which no resource takes"),
  exp: z.int().optional().describe("Unix time in seconds"),
  iat: z.int().describe("Unix time in seconds"),
  sub: z.string().describe("The user's id"),
  aud: z
    .string()
    .optional()
    .describe("The one resource that it is for; absent where that is all of this server"),
  iss: z.string(),
  cnf: z.object({ jkt: z.string() }).optional().describe("The key that it works with alone (RFC 9449 §6.2)"),
  account_id: z.string(),
});
export const Introspection = z.discriminatedUnion("active", [ActiveToken, InactiveToken]);

const Url = z.string().meta({ format: "uri" });

export const AuthorizationServerMetadata = z.object({
  issuer: Url,
  authorization_endpoint: Url,
  pushed_authorization_request_endpoint: Url,
  device_authorization_endpoint: Url,
  token_endpoint: Url,
  revocation_endpoint: Url,
  introspection_endpoint: Url,
  userinfo_endpoint: Url,
  jwks_uri: Url,
  registration_endpoint: Url.optional().describe("Where clients may register themselves"),
  client_id_metadata_document_supported: z.boolean(),
  scopes_supported: Texts,
  response_types_supported: Texts,
  response_modes_supported: Texts,
  grant_types_supported: Texts,
  code_challenge_methods_supported: Texts,
  authorization_response_iss_parameter_supported: z.boolean(),
  request_uri_parameter_supported: z.boolean().describe("Those of pushed requests are taken nevertheless"),
  token_endpoint_auth_methods_supported: Texts,
  token_endpoint_auth_signing_alg_values_supported: Texts,
  revocation_endpoint_auth_methods_supported: Texts,
  introspection_endpoint_auth_methods_supported: Texts,
  dpop_signing_alg_values_supported: Texts,
  subject_types_supported: Texts,
  id_token_signing_alg_values_supported: Texts,
  claims_supported: Texts,
  service_documentation: Url,
});

export const ProtectedResourceMetadata = z.object({
  resource: Url,
  authorization_servers: z.array(Url),
  scopes_supported: Texts,
  bearer_methods_supported: Texts,
  dpop_signing_alg_values_supported: Texts,
  resource_name: z.string(),
  resource_documentation: Url,
});

const JsonWebKey = z.object({
  kty: z.string(),
  kid: z.string(),
  use: z.string(),
  alg: z.enum(ID_TOKEN_ALGORITHMS),
  crv: z.string().optional().describe("Of a key of Ed25519, as `x`"),
  x: z.string().optional(),
  n: z.string().optional().describe("Of a key of RSA, as `e`"),
  e: z.string().optional(),
});
export const JsonWebKeySet = z.object({ keys: z.array(JsonWebKey) });

named({
  DeviceCodeRequest,
  DeviceCodeResponse,
  LocalApprovalRequest,
  LocalApprovalResponse,
  DeviceTokenRequest,
  RefreshTokenRequest,
  AuthorizationCodeRequest,
  TokenRequest,
  TokenResponse,
  PushedRequest,
  PushedResponse,
  RegistrationRequest,
  RegistrationResponse,
  UserInfo,
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
