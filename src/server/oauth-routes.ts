import type { DeviceAuthorizations } from "../oauth/device-authorization.ts";
import type { Introspect } from "../oauth/introspection.ts";
import { authorizationServerMetadata, protectedResourceMetadata } from "../oauth/metadata.ts";
import type { Parameters, Requester } from "../oauth/parameters.ts";
import type { Revoke } from "../oauth/revocation.ts";
import type { TokenEndpoint } from "../oauth/token.ts";
import { type Answer, JSON_TYPE } from "./answer.ts";
import { parseParameters } from "./json-body.ts";
import { BODY_BYTES } from "./request-body.ts";
import type { DescribedRoute } from "./service-routes.ts";

type Json = Record<string, unknown>;

interface Operation {
  name: string;
  path: string;
  summary: string;
  scope: "public" | "operator";
  /** For the OpenAPI document: each parameter's description, the required ones first. */
  parameters: { required: Record<string, string>; optional?: Record<string, string> };
  perform: (parameters: Parameters, requester: Requester) => Promise<unknown>;
  subject?: (parameters: Parameters) => Promise<string | undefined>;
}

/** `/auth/*` (RFC 6749, 7009, 7662, 8628) and `/.well-known/*` (RFC 8414, 9728, 7517). */
export function oauthRoutes({
  devices,
  tokens,
  revoke,
  introspect,
  issuer,
  jwks,
}: {
  devices: DeviceAuthorizations;
  tokens: TokenEndpoint;
  revoke: Revoke;
  introspect: Introspect;
  issuer: () => string;
  jwks: () => Promise<unknown>;
}): DescribedRoute[] {
  return [
    form({
      name: "auth.device.code",
      path: "/auth/device/code",
      summary: "Begin a device authorization (RFC 8628 §3.1)",
      scope: "public",
      parameters: {
        required: { client_id: "1 to 64 characters of A-Z a-z 0-9 . _ -" },
        optional: { scope: "Space-separated; `read write` unless given" },
      },
      perform: devices.begin,
    }),
    form({
      name: "auth.device.token",
      path: "/auth/device/token",
      summary: "Poll for tokens, or refresh them (RFC 8628 §3.4, RFC 6749 §6)",
      scope: "public",
      parameters: {
        required: {},
        optional: {
          grant_type: "`urn:ietf:params:oauth:grant-type:device_code` (unless given) or `refresh_token`",
          device_code: "Of the device authorization",
          refresh_token: "To get a new pair of tokens with",
          client_id: "The client that the code or token was issued to",
          scope: "With a refresh token: a narrower scope",
        },
      },
      perform: tokens.token,
      subject: tokens.tokenLimitKey,
    }),
    form({
      name: "auth.revoke",
      path: "/auth/revoke",
      summary: "Revoke a token and all that descend from the same sign-in (RFC 7009)",
      scope: "public",
      parameters: {
        required: { token: "An access or refresh token" },
        optional: { token_type_hint: "Not needed", client_id: "The client it was issued to" },
      },
      perform: revoke,
    }),
    form({
      name: "auth.introspect",
      path: "/auth/introspect",
      summary: "Tell whether a token is active and what it stands for (RFC 7662)",
      scope: "operator",
      parameters: { required: { token: "A token or API key" }, optional: { token_type_hint: "Not needed" } },
      perform: introspect,
    }),
    document(
      "authorization-server",
      "/.well-known/oauth-authorization-server",
      "Show the authorization server's metadata (RFC 8414)",
      async () => authorizationServerMetadata(issuer()),
    ),
    document(
      "protected-resource",
      "/.well-known/oauth-protected-resource",
      "Show the protected resource's metadata (RFC 9728)",
      async () => protectedResourceMetadata(issuer()),
    ),
    document(
      "protected-resource.mcp",
      "/.well-known/oauth-protected-resource/mcp",
      "Show the metadata of /mcp as a protected resource (RFC 9728)",
      async () => protectedResourceMetadata(issuer(), "/mcp"),
    ),
    document(
      "jwks",
      "/.well-known/jwks.json",
      "Show the keys that entitlements are signed with (RFC 7517)",
      jwks,
    ),
  ];
}

function form({ name, path, summary, scope, parameters, perform, subject }: Operation): DescribedRoute {
  return {
    method: "POST",
    path,
    route: {
      name,
      errors: "oauth",
      scope,
      maxBodyBytes: BODY_BYTES.anonymous,
      ...(subject && {
        subject: async (body: Buffer, contentType: string | undefined) =>
          subject(parseParameters(body, contentType)),
      }),
      async answer({ req, address }, body) {
        const given = parseParameters(body, req.headers["content-type"]);
        const requester = { address, userAgent: req.headers["user-agent"] ?? "" };
        return json((await perform(given, requester)) ?? {}, "no-store");
      },
    },
    operation: {
      operationId: name.replaceAll(".", "_"),
      summary,
      tags: ["auth"],
      ...(scope === "public" && { security: [] }),
      requestBody: {
        required: true,
        content: {
          "application/x-www-form-urlencoded": { schema: parameterSchema(parameters) },
          "application/json": { schema: parameterSchema(parameters) },
        },
      },
      responses: {
        200: { description: "Done.", content: { "application/json": { schema: { type: "object" } } } },
        "4XX": { $ref: "#/components/responses/OAuthError" },
        "5XX": { $ref: "#/components/responses/OAuthError" },
      },
    },
  };
}

function parameterSchema({ required, optional = {} }: Operation["parameters"]): Json {
  const names = Object.keys(required);
  const described = Object.entries({ ...required, ...optional });
  return {
    type: "object",
    properties: Object.fromEntries(
      described.map(([name, description]) => [name, { type: "string", description }]),
    ),
    ...(names.length > 0 && { required: names }),
  };
}

function document(name: string, path: string, summary: string, body: () => Promise<unknown>): DescribedRoute {
  return {
    method: "GET",
    path,
    route: {
      name: `well-known.${name}`,
      errors: "problem",
      scope: "public",
      answer: async () => json(await body(), "public, max-age=300"),
    },
    operation: {
      operationId: `well_known_${name.replace(/[-.]/g, "_")}`,
      summary,
      tags: ["auth"],
      security: [],
      responses: {
        200: { description: "Done.", content: { "application/json": { schema: { type: "object" } } } },
        "4XX": { $ref: "#/components/responses/Problem" },
        "5XX": { $ref: "#/components/responses/Problem" },
      },
    },
  };
}

function json(body: unknown, cache: string): Answer {
  return {
    status: 200,
    headers: { "Content-Type": JSON_TYPE, "Cache-Control": cache },
    body: JSON.stringify(body),
  };
}
