import { createServer } from "node:http";
import Provider from "oidc-provider";

/**
 * oidc-provider with its memory adapter and a device client. A person's approval is a route that does
 * with its models what its pages would, so that forms and redirects cost it nothing here.
 */
const issuer = "http://127.0.0.1";
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
  ],
  features: { deviceFlow: { enabled: true }, devInteractions: { enabled: false } },
  scopes: ["openid", "offline_access", "read", "write"],
  findAccount: (_context, accountId) => ({ accountId, claims: async () => ({ sub: accountId }) }),
  // biome-ignore lint/suspicious/noExplicitAny: the context's type is not exported
  rotateRefreshToken: true as any,
});
const handle = provider.callback();
const server = createServer(async (req, res) => {
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
  grant.addOIDCScope("openid offline_access read write");
  const grantId = await grant.save();
  Object.assign(code, {
    accountId: "owner",
    grantId,
    scope: "openid offline_access",
    authTime: Math.floor(Date.now() / 1000),
  });
  await code.save();
  res.writeHead(200, { "Content-Type": "application/json" }).end('{"status":"approved"}');
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ url: `http://127.0.0.1:${(server.address() as { port: number }).port}` }));
});
