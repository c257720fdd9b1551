import type { SCOPES } from "../../contract/caller.ts";
import type { Json } from "./schemas.ts";

const ALLOWS: Record<(typeof SCOPES)[number], string> = {
  read: "Everything that shows something",
  write: "read, and everything that records something",
  admin: "write, and the account's keys, projects, users and devices",
  operator: "admin, and all accounts, plans and limits of this instance",
};

/**
 * Returns the security schemes. Either of the first two suffices. The others describe how a program obtains an access
 * token, with a browser and without one. Operations do not refer to them, since they take the token.
 */
export function securitySchemes(baseUrl: string): Json {
  const flow = {
    deviceAuthorizationUrl: `${baseUrl}/auth/device/code`,
    tokenUrl: `${baseUrl}/auth/device/token`,
    refreshUrl: `${baseUrl}/auth/device/token`,
    scopes: ALLOWS,
  };
  const redirect = {
    authorizationUrl: `${baseUrl}/auth/authorize`,
    tokenUrl: `${baseUrl}/auth/token`,
    refreshUrl: `${baseUrl}/auth/token`,
    scopes: ALLOWS,
  };
  return {
    bearer: {
      type: "http",
      scheme: "bearer",
      description: "An access token (`tat_…`) or an API key (`tak_…`).",
    },
    apiKey: { type: "apiKey", in: "header", name: "X-API-Key", description: "An API key (`tak_…`)." },
    redirect: {
      type: "oauth2",
      description: "For programs that a browser can come back to: authorization code with PKCE (S256).",
      flows: { authorizationCode: redirect },
    },
    deviceFlow: {
      type: "oauth2",
      description: `Device authorization (RFC 8628): \`POST /auth/device/code\`, show the user the code, then poll
\`POST /auth/device/token\`; the access token is sent as \`Authorization: Bearer\`. OpenAPI 3.1 has no name for this flow,
which 3.2 calls \`deviceAuthorization\`; \`/.well-known/oauth-authorization-server\` says the same.`,
      flows: { "x-deviceAuthorization": flow },
    },
  };
}
