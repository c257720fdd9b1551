import { describe, expect, it } from "vitest";
import { authorizationServerMetadata, protectedResourceMetadata } from "../../src/oauth/metadata.ts";
import { startServices } from "../accounts/fixture.ts";

const ISSUER = "https://plane.example";

describe("metadata", () => {
  it("names every endpoint under the issuer", () => {
    const metadata = authorizationServerMetadata(ISSUER);
    expect(metadata).toMatchObject({
      issuer: ISSUER,
      device_authorization_endpoint: `${ISSUER}/auth/device/code`,
      token_endpoint: `${ISSUER}/auth/device/token`,
      revocation_endpoint: `${ISSUER}/auth/revoke`,
      introspection_endpoint: `${ISSUER}/auth/introspect`,
      jwks_uri: `${ISSUER}/.well-known/jwks.json`,
      scopes_supported: ["read", "write", "admin", "operator"],
      token_endpoint_auth_methods_supported: ["none"],
    });
  });

  it("names the grants that the token endpoint takes", async () => {
    const { token } = await startServices();
    for (const grant_type of authorizationServerMetadata(ISSUER).grant_types_supported) {
      await expect(token({ grant_type })).rejects.toMatchObject({ error: "invalid_request" });
    }
  });

  it("says of the resource who issues its tokens", () => {
    expect(protectedResourceMetadata(ISSUER)).toMatchObject({
      resource: ISSUER,
      authorization_servers: [authorizationServerMetadata(ISSUER).issuer],
      bearer_methods_supported: ["header"],
    });
  });
});
