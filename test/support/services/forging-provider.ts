import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { onTestFinished } from "vitest";

export interface Forgery {
  /** Claims that replace the correct ones. */
  claims?: Record<string, unknown>;
  /** Whether to sign with a key that the provider does not publish. */
  wrongKey?: boolean;
  /** Answer to give to every request instead. */
  answer?: { status: number; body: string };
}

/** Starts an OpenID provider whose tokens and answers can be forged by `forge`, and stops it after the test. */
export async function startForgingProvider(): Promise<{ issuer: string; forge: Forgery }> {
  const forge: Forgery = {};
  const [right, wrong] = await Promise.all([generateKeyPair("RS256"), generateKeyPair("RS256")]);
  const jwk = { ...(await exportJWK(right.publicKey)), kid: "one", alg: "RS256", use: "sig" };
  const server = createServer(async (request, response) => {
    const send = (body: unknown, status = 200) =>
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(typeof body === "string" ? body : JSON.stringify(body));
    if (forge.answer) return void send(forge.answer.body, forge.answer.status);
    if (request.url === "/.well-known/openid-configuration") {
      return void send({
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        id_token_signing_alg_values_supported: ["RS256"],
        code_challenge_methods_supported: ["S256"],
      });
    }
    if (request.url === "/jwks") return void send({ keys: [jwk] });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    // Tests pass the nonce as the code, so that this provider needs no state.
    const nonce = new URLSearchParams(Buffer.concat(chunks).toString()).get("code");
    const idToken = await new SignJWT({
      iss: issuer,
      aud: "toolplane",
      sub: "somebody",
      nonce,
      email: "ada@example.com",
      email_verified: true,
      ...forge.claims,
    })
      .setProtectedHeader({ alg: "RS256", kid: "one" })
      .setIssuedAt()
      .setExpirationTime((forge.claims?.exp as number | undefined) ?? "5m")
      .sign(forge.wrongKey ? wrong.privateKey : right.privateKey);
    send({ access_token: "a token", token_type: "bearer", id_token: idToken });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close().closeAllConnections());
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { issuer, forge };
}
