import { describe, expect, it } from "vitest";
import { authorizationServerMetadata, protectedResourceMetadata } from "../../src/oauth/metadata.ts";
import { startServices } from "../accounts/fixture.ts";

const ISSUER = "https://plane.example";

describe("OAuth metadata", () => {
  it("lists every endpoint under the issuer", () => {
    expect(authorizationServerMetadata(ISSUER, { registration: true })).toEqual({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/auth/authorize`,
      pushed_authorization_request_endpoint: `${ISSUER}/auth/par`,
      device_authorization_endpoint: `${ISSUER}/auth/device/code`,
      token_endpoint: `${ISSUER}/auth/token`,
      revocation_endpoint: `${ISSUER}/auth/revoke`,
      introspection_endpoint: `${ISSUER}/auth/introspect`,
      userinfo_endpoint: `${ISSUER}/auth/userinfo`,
      jwks_uri: `${ISSUER}/.well-known/jwks.json`,
      registration_endpoint: `${ISSUER}/auth/register`,
      client_id_metadata_document_supported: true,
      scopes_supported: ["read", "write", "admin", "operator", "openid", "email", "profile"],
      response_types_supported: ["code"],
      response_modes_supported: ["query"],
      grant_types_supported: [
        "authorization_code",
        "refresh_token",
        "urn:ietf:params:oauth:grant-type:device_code",
      ],
      code_challenge_methods_supported: ["S256"],
      authorization_response_iss_parameter_supported: true,
      request_uri_parameter_supported: false,
      token_endpoint_auth_methods_supported: [
        "none",
        "client_secret_basic",
        "client_secret_post",
        "private_key_jwt",
      ],
      token_endpoint_auth_signing_alg_values_supported: expect.arrayContaining(["ES256", "EdDSA"]),
      revocation_endpoint_auth_methods_supported: ["none"],
      introspection_endpoint_auth_methods_supported: ["Bearer"],
      dpop_signing_alg_values_supported: expect.arrayContaining(["ES256", "EdDSA"]),
      subject_types_supported: ["public"],
      id_token_signing_alg_values_supported: ["EdDSA", "RS256"],
      claims_supported: [
        "sub",
        "email",
        "email_verified",
        "preferred_username",
        "account_id",
        "account_name",
      ],
      service_documentation: `${ISSUER}/docs`,
    });
  });

  it("lists no registration endpoint if registration is turned off", () => {
    expect(authorizationServerMetadata(ISSUER, { registration: false })).not.toHaveProperty(
      "registration_endpoint",
    );
  });

  it("lists only grant types that the token endpoint accepts", async () => {
    const { token } = await startServices();
    for (const grant_type of authorizationServerMetadata(ISSUER, { registration: true })
      .grant_types_supported) {
      await expect(token({ grant_type })).rejects.toMatchObject({ error: "invalid_request" });
    }
  });

  it("names the issuer in the metadata of the protected resource", () => {
    expect(protectedResourceMetadata(ISSUER, "Acme")).toMatchObject({
      resource: ISSUER,
      authorization_servers: [authorizationServerMetadata(ISSUER, { registration: true }).issuer],
      resource_name: "Acme",
      bearer_methods_supported: ["header"],
    });
  });
});
