import { IDENTITY_SCOPES, SCOPES } from "../contract/caller.ts";
import { DEVICE_CODE_GRANT, ID_TOKEN_ALGORITHMS } from "../contract/oauth-names.ts";
import { ASSERTION_ALGORITHMS } from "./clients/client-authentication.ts";
import { DEFAULT_SCOPES } from "./scopes.ts";
import { PROOF_ALGORITHMS } from "./tokens/dpop.ts";

/** The paths of the token endpoint: its own, and an alias for the device flow. */
export const TOKEN_PATHS = ["/auth/token", "/auth/device/token"] as const;
export const PUSH_PATH = "/auth/par";

const CLIENT_AUTHENTICATION = ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"];

/** Returns the metadata of RFC 8414, with members of RFC 8628, 9126, 9207, 9449 and OpenID Connect Discovery. */
export function authorizationServerMetadata(issuer: string, { registration }: { registration: boolean }) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/auth/authorize`,
    pushed_authorization_request_endpoint: issuer + PUSH_PATH,
    device_authorization_endpoint: `${issuer}/auth/device/code`,
    token_endpoint: issuer + TOKEN_PATHS[0],
    revocation_endpoint: `${issuer}/auth/revoke`,
    introspection_endpoint: `${issuer}/auth/introspect`,
    userinfo_endpoint: `${issuer}/auth/userinfo`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    ...(registration && { registration_endpoint: `${issuer}/auth/register` }),
    client_id_metadata_document_supported: true,
    scopes_supported: [...SCOPES, ...IDENTITY_SCOPES],
    response_types_supported: ["code"],
    response_modes_supported: ["query"],
    grant_types_supported: ["authorization_code", "refresh_token", DEVICE_CODE_GRANT],
    code_challenge_methods_supported: ["S256"],
    authorization_response_iss_parameter_supported: true,
    // It would be true if left out. Those of pushed requests are taken nevertheless (RFC 9126 §5).
    request_uri_parameter_supported: false,
    token_endpoint_auth_methods_supported: CLIENT_AUTHENTICATION,
    token_endpoint_auth_signing_alg_values_supported: ASSERTION_ALGORITHMS,
    // Possession of the token suffices.
    revocation_endpoint_auth_methods_supported: ["none"],
    introspection_endpoint_auth_methods_supported: ["Bearer"],
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ID_TOKEN_ALGORITHMS,
    claims_supported: ["sub", "email", "email_verified", "preferred_username", "account_id", "account_name"],
    service_documentation: `${issuer}/docs`,
  };
}

/**
 * Returns protected resource metadata (RFC 9728), from which a client that was answered 401 learns who issues tokens.
 * `name`: what people know it by. `path`: its path, empty for the API.
 */
export function protectedResourceMetadata(issuer: string, name: string, path = "") {
  return {
    resource: issuer + path,
    authorization_servers: [issuer],
    // MCP clients request all scopes listed here, so only those that they need are listed.
    scopes_supported: path === "" ? SCOPES : DEFAULT_SCOPES,
    bearer_methods_supported: ["header"],
    dpop_signing_alg_values_supported: PROOF_ALGORITHMS,
    resource_name: name,
    resource_documentation: `${issuer}/docs`,
  };
}
