import type { IncomingMessage } from "node:http";
import { wholeAccount } from "../../accounts/whole-account.ts";
import type { AuthorizationServer } from "../../oauth/authorization-server.ts";
import type { Registrations } from "../../oauth/clients/registration.ts";
import type { ApproveLocally } from "../../oauth/device/local-approval.ts";
import { protectedResourceMetadata, TOKEN_PATHS } from "../../oauth/metadata.ts";
import type { Parameters, Requester } from "../../oauth/parameters.ts";
import type { TokenEndpoint, TokenRequest } from "../../oauth/tokens/token.ts";
import { defined } from "../../system/defined.ts";
import { OAUTH_OPERATIONS } from "../openapi/oauth.ts";
import type { Operation } from "../openapi/operation.ts";
import { CACHEABLE, jsonAnswer } from "../pipeline/answer.ts";
import { metadataUrl, unauthenticated } from "../pipeline/authenticate.ts";
import { isFromHere } from "../pipeline/client-address.ts";
import type { Exchange } from "../pipeline/exchange.ts";
import { MAX_MAIN_VALUES, parseJson, parseParameters } from "../pipeline/json-body.ts";
import { unknownPath } from "../pipeline/kernel.ts";
import { BODY_BYTES } from "../pipeline/request-body.ts";
import type { Route } from "../pipeline/route.ts";
import { toAnyOrigin } from "./any-origin.ts";
import type { DescribedRoute } from "./service-routes.ts";

type OAuthName = keyof typeof OAUTH_OPERATIONS;

/** An OAuth endpoint that takes a form or JSON. Its operation in the OpenAPI document has the same name. */
interface Form {
  name: OAuthName;
  path: string;
  lane?: "control";
  status?: 201;
  perform: (parameters: Parameters, sender: Requester & TokenRequest) => Promise<unknown>;
  subject?: TokenEndpoint["tokenLimitSubject"];
}

/**
 * Creates the routes `/auth/*` (RFC 6749, 7009, 7591, 7662, 8628, 9126) and `/.well-known/*` (RFC 8414, 9728, 7517).
 */
export function oauthRoutes({
  devices,
  tokens,
  authorizations,
  register,
  approveLocally,
  userInfo,
  revoke,
  introspect,
  metadata,
  issuer,
  serviceName,
  subjectOf,
  jwks,
}: Omit<AuthorizationServer, "proofs" | "registrations"> & {
  issuer: () => string;
  serviceName: string;
  subjectOf: (address: string) => string;
  jwks: () => Promise<unknown>;
}): DescribedRoute[] {
  const [token, deviceToken] = TOKEN_PATHS;
  const subject = tokens.tokenLimitSubject;
  /** The parameters of each body, which is parsed for the limit and needed again for the answer. */
  const read = new WeakMap<Buffer, Parameters>();
  return [
    form({ name: "auth.device.code", path: "/auth/device/code", perform: devices.begin }),
    form({ name: "auth.device.token", path: deviceToken, perform: tokens.token, subject }),
    toAnyOrigin(form({ name: "auth.token", path: token, perform: tokens.token, subject })),
    form({
      name: "auth.par",
      path: "/auth/par",
      status: 201,
      perform: authorizations.push,
    }),
    ...(register ? [toAnyOrigin(registration(register))] : []),
    ...(approveLocally ? [localApproval(approveLocally, issuer)] : []),
    ...(["GET", "POST"] as const).map((method) => userInfoRoute(method)),
    toAnyOrigin(form({ name: "auth.revoke", path: "/auth/revoke", lane: "control", perform: revoke })),
    form({ name: "auth.introspect", path: "/auth/introspect", lane: "control", perform: introspect }),
    document("authorization-server", "/.well-known/oauth-authorization-server", async () => metadata()),
    document("openid-configuration", "/.well-known/openid-configuration", async () => metadata()),
    document("protected-resource", "/.well-known/oauth-protected-resource", async () =>
      protectedResourceMetadata(issuer(), serviceName),
    ),
    document("protected-resource.mcp", "/.well-known/oauth-protected-resource/mcp", async () =>
      protectedResourceMetadata(issuer(), serviceName, "/mcp"),
    ),
    document("jwks", "/.well-known/jwks.json", jwks),
  ];

  function form({ name, path, lane, status, perform, subject }: Form): DescribedRoute {
    const operation: Operation = OAUTH_OPERATIONS[name];
    return post(name, path, {
      scope: operation.scope,
      lane,
      ...(subject && {
        subject: async (body: Buffer, contentType: string | undefined) =>
          subject(parametersOf(body, contentType)),
      }),
      async answer(exchange, body) {
        const { identity } = exchange;
        if (operation.scope !== "public" && identity) {
          wholeAccount({ accountId: identity.account.id, credential: identity.credential });
        }
        const given = parametersOf(body, exchange.req.headers["content-type"]);
        return jsonAnswer((await perform(given, senderOf(exchange))) ?? {}, defined({ status }));
      },
    });
  }

  function parametersOf(body: Buffer, contentType: string | undefined): Parameters {
    const known = read.get(body);
    if (known) return known;
    const parameters = parseParameters(body, contentType);
    // All empty bodies are the same buffer, whatever their content type.
    if (body.length > 0) read.set(body, parameters);
    return parameters;
  }

  function senderOf({ req, address, requestId, path }: Exchange): Requester & TokenRequest {
    const { authorization, dpop, "user-agent": userAgent = "" } = req.headers;
    const subject = subjectOf(address);
    return { address, requestId, userAgent, subject, url: issuer() + path, authorization, dpop };
  }

  function userInfoRoute(method: "GET" | "POST"): DescribedRoute {
    return {
      method,
      path: "/auth/userinfo",
      route: {
        name: method === "GET" ? "auth.userinfo" : "auth.userinfo.post",
        errors: "oauth",
        scope: "public",
        everyAudience: true,
        async answer({ req, identity }) {
          if (!identity) {
            throw unauthenticated(req.headers.authorization !== undefined, metadataUrl(issuer()));
          }
          const { account, userId, credential } = identity;
          return jsonAnswer(await userInfo({ ...credential, accountId: account.id, userId }));
        },
      },
      operation: OAUTH_OPERATIONS[method === "GET" ? "auth.userinfo" : "auth.userinfo.post"],
    };
  }
}

function registration(register: Registrations["register"]): DescribedRoute {
  return post("auth.register", "/auth/register", {
    scope: "public",
    async answer({ req, address, requestId }, body) {
      const metadata = parseJson(body, req.headers["content-type"], MAX_MAIN_VALUES);
      return jsonAnswer(await register(metadata, { address, requestId }), { status: 201 });
    },
  });
}

function localApproval(approve: ApproveLocally, issuer: () => string): DescribedRoute {
  return post("auth.device.local", "/auth/device/local", {
    scope: "public",
    async answer({ req, address, requestId }, body) {
      // The same answer as for an unknown path.
      if (!isFromHere(req) || isFromPage(req, issuer())) throw unknownPath("/auth/device/local");
      const given = parseParameters(body, req.headers["content-type"]);
      return jsonAnswer(await approve(given, { address, requestId }));
    },
  });
}

/** Whether a request comes from a page in a browser, or has another Host than the server's own (DNS rebinding). */
function isFromPage({ headers }: IncomingMessage, issuer: string): boolean {
  const page = headers.origin ?? headers.referer ?? headers.cookie ?? headers["sec-fetch-site"];
  return page !== undefined || headers.host?.toLowerCase() !== new URL(issuer).host;
}

function post(
  name: OAuthName,
  path: string,
  route: Pick<Route, "scope" | "lane" | "subject" | "answer">,
): DescribedRoute {
  return {
    method: "POST",
    path,
    route: { name, errors: "oauth", maxBodyBytes: BODY_BYTES.anonymous, ...route },
    operation: OAUTH_OPERATIONS[name],
  };
}

function document(name: OAuthName, path: string, body: () => Promise<unknown>): DescribedRoute {
  return toAnyOrigin({
    method: "GET",
    path,
    route: {
      name: `well-known.${name}`,
      errors: "problem",
      scope: "public",
      lane: "control",
      answer: async () => jsonAnswer(await body(), { cacheControl: CACHEABLE }),
    },
    operation: OAUTH_OPERATIONS[name],
  });
}
