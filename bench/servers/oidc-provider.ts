import { createServer } from "node:http";
import Provider from "oidc-provider";

/**
 * oidc-provider with its memory adapter, a device client and an application. A route approves a device through the
 * provider's models, as its pages would, so that forms and redirects cost it nothing here. The person has approved the
 * application before.
 */
const issuer = "http://127.0.0.1";
const SCOPE = "openid offline_access read write";
const provider = new Provider(issuer, {
  clients: [
    {
      client_id: "tool-cli",
      token_endpoint_auth_method: "none",
      application_type: "native",
      grant_types: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
      redirect_uris: [],
      response_types: [],
    },
    {
      client_id: "tool-web",
      token_endpoint_auth_method: "none",
      grant_types: ["authorization_code", "refresh_token"],
      redirect_uris: ["https://client.example/callback"],
      response_types: ["code"],
    },
  ],
  features: { deviceFlow: { enabled: true }, devInteractions: { enabled: false } },
  scopes: SCOPE.split(" "),
  // Scopes that were granted need no new consent, and offline_access needs none either.
  issueRefreshToken: async () => true,
  findAccount: (_context, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
  // biome-ignore lint/suspicious/noExplicitAny: the context's type is not exported
  rotateRefreshToken: true as any,
});
const handle = provider.callback();

/** Creates a session of a person who has approved the application, and returns its cookie. */
async function signIn(): Promise<string> {
  const grant = new provider.Grant({ accountId: "owner", clientId: "tool-web" });
  grant.addOIDCScope(SCOPE);
  const session = new provider.Session();
  session.loginAccount({ accountId: "owner" });
  session.grantIdFor("tool-web", await grant.save());
  return `_session=${await session.save(24 * 60 * 60)}`;
}

const server = createServer(async (req, res) => {
  if (req.url === "/sign-in") {
    res.end(await signIn());
    return;
  }
  const userCode = /^\/approve\/([A-Z-]+)$/.exec(req.url ?? "")?.[1];
  if (!userCode) return handle(req, res);
  const code = await provider.DeviceCode.findByUserCode(userCode.replace("-", ""), {
    ignoreExpiration: false,
  });
  if (!code) {
    res.writeHead(404).end();
    return;
  }
  const grant = new provider.Grant({ accountId: "owner", clientId: "tool-cli" });
  grant.addOIDCScope(SCOPE);
  const grantId = await grant.save();
  Object.assign(code, {
    accountId: "owner",
    grantId,
    scope: code.params?.scope,
    authTime: Math.floor(Date.now() / 1000),
  });
  await code.save();
  res.writeHead(200, { "Content-Type": "application/json" }).end('{"status":"approved"}');
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}` }));
});
