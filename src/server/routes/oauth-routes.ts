import type { DeviceAuthorizations } from "../../oauth/device/device-authorization.ts";
import { authorizationServerMetadata, protectedResourceMetadata } from "../../oauth/metadata.ts";
import type { Parameters, Requester } from "../../oauth/parameters.ts";
import type { Introspect } from "../../oauth/tokens/introspection.ts";
import type { Revoke } from "../../oauth/tokens/revocation.ts";
import type { TokenEndpoint } from "../../oauth/tokens/token.ts";
import { OAUTH_OPERATIONS } from "../openapi/oauth.ts";
import type { Operation } from "../openapi/operation.ts";
import { type Answer, JSON_TYPE } from "../pipeline/answer.ts";
import { parseParameters } from "../pipeline/json-body.ts";
import { BODY_BYTES } from "../pipeline/request-body.ts";
import type { DescribedRoute } from "./service-routes.ts";

/** An OAuth endpoint, which takes a form or JSON; the OpenAPI document knows it by the same name. */
interface Form {
  name: keyof typeof OAUTH_OPERATIONS;
  path: string;
  lane?: "control";
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
    form({ name: "auth.device.code", path: "/auth/device/code", perform: devices.begin }),
    form({
      name: "auth.device.token",
      path: "/auth/device/token",
      perform: tokens.token,
      subject: tokens.tokenLimitKey,
    }),
    form({ name: "auth.revoke", path: "/auth/revoke", lane: "control", perform: revoke }),
    form({ name: "auth.introspect", path: "/auth/introspect", lane: "control", perform: introspect }),
    document("authorization-server", "/.well-known/oauth-authorization-server", async () =>
      authorizationServerMetadata(issuer()),
    ),
    document("protected-resource", "/.well-known/oauth-protected-resource", async () =>
      protectedResourceMetadata(issuer()),
    ),
    document("protected-resource.mcp", "/.well-known/oauth-protected-resource/mcp", async () =>
      protectedResourceMetadata(issuer(), "/mcp"),
    ),
    document("jwks", "/.well-known/jwks.json", jwks),
  ];
}

function form({ name, path, lane, perform, subject }: Form): DescribedRoute {
  const operation: Operation = OAUTH_OPERATIONS[name];
  return {
    method: "POST",
    path,
    route: {
      name,
      errors: "oauth",
      scope: operation.scope,
      lane,
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
    operation,
  };
}

function document(
  name: keyof typeof OAUTH_OPERATIONS,
  path: string,
  body: () => Promise<unknown>,
): DescribedRoute {
  return {
    method: "GET",
    path,
    route: {
      name: `well-known.${name}`,
      errors: "problem",
      scope: "public",
      lane: "control",
      answer: async () => json(await body(), "public, max-age=300"),
    },
    operation: OAUTH_OPERATIONS[name],
  };
}

function json(body: unknown, cache: string): Answer {
  return {
    status: 200,
    headers: { "Content-Type": JSON_TYPE, "Cache-Control": cache },
    body: JSON.stringify(body),
  };
}
