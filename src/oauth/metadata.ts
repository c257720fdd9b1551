import { SCOPES } from "../contract/caller.ts";
import { DEFAULT_SCOPES } from "./scopes.ts";

/** RFC 8414, with RFC 8628 §4's `device_authorization_endpoint`. */
export function authorizationServerMetadata(issuer: string) {
  return {
    issuer,
    device_authorization_endpoint: `${issuer}/auth/device/code`,
    token_endpoint: `${issuer}/auth/device/token`,
    revocation_endpoint: `${issuer}/auth/revoke`,
    introspection_endpoint: `${issuer}/auth/introspect`,
    jwks_uri: `${issuer}/.well-known/jwks.json`,
    scopes_supported: SCOPES,
    grant_types_supported: ["urn:ietf:params:oauth:grant-type:device_code", "refresh_token"],
    // Required by §2, though nothing here responds to an authorization endpoint.
    response_types_supported: [],
    // Clients are public; the device code, or the token itself, is what they prove.
    token_endpoint_auth_methods_supported: ["none"],
    revocation_endpoint_auth_methods_supported: ["none"],
    introspection_endpoint_auth_methods_supported: ["Bearer"],
    service_documentation: `${issuer}/docs`,
  };
}

/** RFC 9728: where a client that was answered 401 learns who issues tokens. `path`: of a resource within. */
export function protectedResourceMetadata(issuer: string, path = "") {
  return {
    resource: issuer + path,
    authorization_servers: [issuer],
    // MCP clients ask for all that stands here, so that it is what their use takes, not what there is.
    scopes_supported: path === "" ? SCOPES : DEFAULT_SCOPES,
    bearer_methods_supported: ["header"],
    resource_name: "Toolplane",
    resource_documentation: `${issuer}/docs`,
  };
}
