interface Parties {
  issuer: string;
  audience: string;
}

/** Returns code that verifies the identity that an upstream receives, with the language's most common JWT library. */
export function verificationIn(language: Language, parties: Parties): string {
  return CODE[language](parties);
}

const CODE = {
  node: ({ issuer, audience }: Parties) => `// npm install jose
import { createRemoteJWKSet, jwtVerify } from "jose";

const keys = createRemoteJWKSet(new URL("${issuer}/.well-known/jwks.json"));

/** Whom a request is for: account, plan, features, scope, project, tool. Throws where nobody vouches for it. */
export async function identityOf(headers) {
  const token = (headers.authorization ?? "").replace(/^Bearer /, "");
  const { payload } = await jwtVerify(token, keys, {
    issuer: "${issuer}",
    audience: "${audience}",
    typ: "mcp-identity+jwt",
    algorithms: ["EdDSA"],
  });
  return payload;
}`,
  python: ({ issuer, audience }: Parties) => `# pip install "pyjwt[crypto]"
import jwt

keys = jwt.PyJWKClient("${issuer}/.well-known/jwks.json")


def identity_of(headers):
    """Whom a request is for: account, plan, features, scope, project, tool. Raises where nobody vouches for it."""
    token = headers["authorization"].removeprefix("Bearer ")
    if jwt.get_unverified_header(token).get("typ") != "mcp-identity+jwt":
        raise jwt.InvalidTokenError("another kind of token")
    return jwt.decode(
        token,
        keys.get_signing_key_from_jwt(token).key,
        algorithms=["EdDSA"],
        issuer="${issuer}",
        audience="${audience}",
    )`,
  go: ({
    issuer,
    audience,
  }: Parties) => `// go get github.com/golang-jwt/jwt/v5 github.com/MicahParks/keyfunc/v3
package identity

import (
	"net/http"
	"strings"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
)

// Keys fetches the public keys, and again when they change: once, when your server starts.
func Keys() (keyfunc.Keyfunc, error) {
	return keyfunc.NewDefault([]string{"${issuer}/.well-known/jwks.json"})
}

// Of says whom a request is for: account, plan, features, scope, project, tool.
func Of(r *http.Request, keys keyfunc.Keyfunc) (jwt.MapClaims, error) {
	claims := jwt.MapClaims{}
	token := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
	parsed, err := jwt.ParseWithClaims(token, claims, keys.Keyfunc,
		jwt.WithIssuer("${issuer}"), jwt.WithAudience("${audience}"),
		jwt.WithValidMethods([]string{"EdDSA"}), jwt.WithExpirationRequired())
	if err == nil && parsed.Header["typ"] != "mcp-identity+jwt" {
		err = jwt.ErrTokenUnverifiable
	}
	return claims, err
}`,
};

export type Language = keyof typeof CODE;
export const languages = Object.keys(CODE) as Language[];
