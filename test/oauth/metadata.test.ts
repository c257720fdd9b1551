import { describe, expect, it } from "vitest";
import { authorizationServerMetadata, protectedResourceMetadata } from "../../src/oauth/metadata.ts";
import { startServices } from "../accounts/fixture.ts";

const ISSUER = "https://plane.example";

describe("metadata", () => {
  it("names every endpoint under the issuer", () => {
    const metadata = authorizationServerMetadata(ISSUER, { registration: true });
    expect(metadata).toMatchObject({
      issuer: ISSUER,
      device_authorization_endpoint: `${ISSUER}/auth/device/code`,
      token_endpoint: `${ISSUER}/auth/token`,
      revocation_endpoint: `${ISSUER}/auth/revoke`,
      introspection_endpoint: `${ISSUER}/auth/introspect`,
      jwks_uri: `${ISSUER}/.well-known/jwks.json`,
      scopes_supported: ["read", "write", "admin", "operator", "openid", "email", "profile"],
      response_types_supported: ["code"],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
      registration_endpoint: `${ISSUER}/auth/register`,
    });
  });

  it("names the grants that the token endpoint takes", async () => {
    const { token } = await startServices();
    for (const grant_type of authorizationServerMetadata(ISSUER, { registration: true })
      .grant_types_supported) {
      await expect(token({ grant_type })).rejects.toMatchObject({ error: "invalid_request" });
    }
  });

  it("says of the resource who issues its tokens", () => {
    expect(protectedResourceMetadata(ISSUER)).toMatchObject({
      resource: ISSUER,
      authorization_servers: [authorizationServerMetadata(ISSUER, { registration: true }).issuer],
      bearer_methods_supported: ["header"],
    });
  });
});
