import type * as z from "zod";
import { DEVICE_CODE_GRANT } from "../../contract/oauth-names.ts";
import type { OAuthErrorCode } from "../../contract/problem.ts";
import { ANYWHERE } from "../../contract/problems-of.ts";
import * as schemas from "./oauth-schemas.ts";
import type { Operation } from "./operation.ts";

interface Form {
  name: string;
  summary: string;
  description?: string;
  scope?: "operator";
  request: z.ZodType;
  response: z.ZodType;
  answer: string;
  /** The status of its answer; 200 by default. */
  status?: 200 | 201;
  /** The media types of its request; a form and JSON by default. */
  takes?: readonly string[];
  /** The errors with status 400. */
  errors: readonly OAuthErrorCode[];
  /** Whether its client may have to authenticate. */
  authenticatesClient?: boolean;
  /** Whether pages of any site may use it. */
  anyOrigin?: boolean;
  /** Whether it exists for some clients only. */
  hidden?: boolean;
  example: Record<string, unknown>;
}

const ANY_ORIGIN = ["Cache-Control", "Access-Control-Allow-Origin"] as const;

const OF_CLIENTS: Operation["oauthErrors"] = { 401: ["invalid_client"] };

/** The answer to clients that may not know that a route exists. */
const FOR_SOME: Operation["oauthErrors"] = { 404: ["invalid_request"] };

/** `invalid_request`: the key is bound to something else. */
const WITH_SCOPE: Operation["oauthErrors"] = {
  401: ["invalid_token"],
  403: ["insufficient_scope", "invalid_request"],
};

function form({
  name,
  summary,
  description,
  scope,
  request,
  response,
  answer,
  status = 200,
  takes = ["application/x-www-form-urlencoded", "application/json"],
  errors,
  authenticatesClient = false,
  anyOrigin = false,
  hidden = false,
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
      content: Object.fromEntries(takes.map((type) => [type, request])),
      example,
    },
    answers: {
      [status]: {
        description: answer,
        headers: anyOrigin ? ANY_ORIGIN : ["Cache-Control"],
        content: { "application/json": response },
      },
    },
    // Problems that arise before the path of a request is known.
    problems: ["request_timeout", "headers_too_large"],
    oauthErrors: {
      400: errors,
      ...(scope === "operator" ? WITH_SCOPE : {}),
      ...(authenticatesClient ? OF_CLIENTS : {}),
      ...(hidden ? FOR_SOME : {}),
      413: ["invalid_request"],
      415: ["invalid_request"],
      429: ["slow_down"],
      500: ["server_error"],
      503: ["temporarily_unavailable"],
      507: ["temporarily_unavailable"],
    },
  };
}

/** Common to the token endpoints. */
const TOKEN = {
  request: schemas.TokenRequest,
  response: schemas.TokenResponse,
  answer: "An access token, and the refresh token to get the next one with.",
  errors: [
    "authorization_pending",
    "slow_down",
    "expired_token",
    "access_denied",
    "invalid_dpop_proof",
    "invalid_grant",
    "invalid_request",
    "invalid_scope",
    "invalid_target",
    "unsupported_grant_type",
  ],
  authenticatesClient: true,
} satisfies Partial<Form>;

const USER_INFO: Omit<Operation, "id"> = {
  summary: "Tell who signed in (OpenID Connect Core §5.3)",
  description: "With an access token of a sign-in that had the scope `openid`, whatever resource it is for.",
  tag: "auth",
  scope: "public",
  answers: {
    200: {
      description: "Who it is, as far as the person allowed it.",
      headers: ["Cache-Control"],
      content: { "application/json": schemas.UserInfo },
    },
  },
  problems: ["request_timeout", "headers_too_large"],
  oauthErrors: {
    400: ["invalid_request"],
    ...WITH_SCOPE,
    429: ["slow_down"],
    500: ["server_error"],
    503: ["temporarily_unavailable"],
  },
};

function metadata(name: string, summary: string, response: z.ZodType): Operation {
  return {
    id: `well_known_${name.replace(/[-.]/g, "_")}`,
    summary,
    tag: "auth",
    scope: "public",
    answers: {
      200: { description: "Done.", headers: ANY_ORIGIN, content: { "application/json": response } },
    },
    problems: ANYWHERE,
  };
}

/** The operations of the OAuth routes, by the names of the routes. */
export const OAUTH_OPERATIONS = {
  "auth.device.code": form({
    name: "auth.device.code",
    summary: "Begin a device authorization (RFC 8628 §3.1)",
    description: "Then show `user_code` and `verification_uri` to the user, and poll `/auth/device/token`.",
    request: schemas.DeviceCodeRequest,
    response: schemas.DeviceCodeResponse,
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
    ...TOKEN,
    example: {
      grant_type: DEVICE_CODE_GRANT,
      device_code: "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
    },
  }),
  "auth.device.local": form({
    name: "auth.device.local",
    summary: "Approve a device authorization as the user of this machine who runs the server",
    description: `Only where \`tool serve\` listens for this machine alone, over a directory of its own. It leaves that user a secret in a
file that nobody else reads; who shows to know it approves a code as the instance's owner. Any other request is 404.`,
    request: schemas.LocalApprovalRequest,
    response: schemas.LocalApprovalResponse,
    answer: "It is approved: poll now. The proof shows that this is the server which has left the secret.",
    errors: ["access_denied", "invalid_grant", "invalid_request"],
    hidden: true,
    example: {
      device_code: "GmRhmhcxhwAzkoEqiMEg_DnyEysNkuNhszIySk9eS",
      proof: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
    },
  }),
  "auth.token": form({
    name: "auth.token",
    summary: "Redeem a code, poll with a device code, or refresh (RFC 6749 §4.1.3, §6, RFC 8628 §3.4)",
    description: `The same as \`/auth/device/token\`, under the name that clients look for. A confidential client proves who it is
by \`Authorization: Basic\`, \`client_secret\` or \`client_assertion\`. With a header \`DPoP\` the tokens are bound to its key (RFC 9449).
A code works once, for a minute; a second use ends what the first began.`,
    ...TOKEN,
    anyOrigin: true,
    example: {
      grant_type: "authorization_code",
      code: "SplxlOBeZQQYbYS6WxSbIA",
      code_verifier: "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk",
      redirect_uri: "http://127.0.0.1:8976/callback",
      client_id: "https://app.example/client.json",
    },
  }),
  "auth.par": form({
    name: "auth.par",
    summary: "Push an authorization request (RFC 9126)",
    description:
      "Then send the browser to `/auth/authorize` with `client_id` and the `request_uri` of the answer. Whoever does without sends it there with these parameters themselves. With a header `DPoP` the code is for its key alone (RFC 9449 §10.1).",
    request: schemas.PushedRequest,
    response: schemas.PushedResponse,
    answer: "Where the request waits for a person, for ten minutes.",
    status: 201,
    errors: [
      "invalid_dpop_proof",
      "invalid_request",
      "invalid_scope",
      "invalid_target",
      "consent_required",
      "unsupported_response_type",
    ],
    authenticatesClient: true,
    example: {
      response_type: "code",
      client_id: "https://app.example/client.json",
      redirect_uri: "http://127.0.0.1:8976/callback",
      code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
      code_challenge_method: "S256",
    },
  }),
  "auth.register": form({
    name: "auth.register",
    summary: "Register a client (RFC 7591)",
    description:
      "For clients that have no metadata document. Every one becomes a public client, and is forgotten a day later where nobody has approved it, 90 days after its last use otherwise. `--no-client-registration` turns it off.",
    request: schemas.RegistrationRequest,
    response: schemas.RegistrationResponse,
    answer: "What was registered.",
    status: 201,
    takes: ["application/json"],
    anyOrigin: true,
    errors: ["invalid_request", "invalid_redirect_uri", "invalid_client_metadata"],
    example: { client_name: "Editor", redirect_uris: ["http://127.0.0.1/callback"] },
  }),
  "auth.userinfo": { id: "auth_userinfo", ...USER_INFO },
  "auth.userinfo.post": { id: "auth_userinfo_post", ...USER_INFO },
  "auth.revoke": form({
    name: "auth.revoke",
    summary: "Revoke a token and all that descend from the same sign-in (RFC 7009)",
    request: schemas.RevocationRequest,
    response: schemas.RevocationResponse,
    answer: "It does not work any more, if it ever did.",
    anyOrigin: true,
    errors: ["invalid_request", "invalid_grant", "unsupported_token_type"],
    example: { token: "trt_example" },
  }),
  "auth.introspect": form({
    name: "auth.introspect",
    summary: "Tell whether a token is active and what it stands for (RFC 7662)",
    scope: "operator",
    request: schemas.IntrospectionRequest,
    response: schemas.Introspection,
    description:
      "Of an account that is suspended or closed nothing is active, nor a key that is bound to tools, addresses or a project: whoever asks could not hold it to them.",
    answer: "What the token stands for, where it is active.",
    errors: ["invalid_request"],
    example: { token: "tat_example" },
  }),
  "authorization-server": metadata(
    "authorization-server",
    "Show the authorization server's metadata (RFC 8414)",
    schemas.AuthorizationServerMetadata,
  ),
  "openid-configuration": metadata(
    "openid-configuration",
    "Show the same, as OpenID Connect Discovery 1.0 has it",
    schemas.AuthorizationServerMetadata,
  ),
  "protected-resource": metadata(
    "protected-resource",
    "Show the protected resource's metadata (RFC 9728)",
    schemas.ProtectedResourceMetadata,
  ),
  "protected-resource.mcp": metadata(
    "protected-resource.mcp",
    "Show the metadata of /mcp as a protected resource (RFC 9728)",
    schemas.ProtectedResourceMetadata,
  ),
  jwks: metadata(
    "jwks",
    "Show the keys that entitlements and ID tokens are signed with (RFC 7517)",
    schemas.JsonWebKeySet,
  ),
} satisfies Record<string, Operation>;
