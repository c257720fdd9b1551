import type { JSONWebKeySet } from "jose";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { UsageError } from "../exit-codes.ts";
import { type Language, verificationIn } from "./verification.ts";

export interface VerifyOptions {
  audience?: string;
  language: string;
}

const TYPE = "mcp-identity+jwt";

/** Verifies the Authorization header that an upstream received, or prints code that does (`tool mcp verify-header`). */
export async function verifyHeader(
  context: Context,
  header: string | undefined,
  { audience, language }: VerifyOptions,
): Promise<Outcome> {
  const { client, io, clock } = context;
  if (header === undefined) {
    const code = verificationIn(language as Language, {
      issuer: client.baseUrl,
      audience: audience ?? "https://your-server.example/mcp",
    });
    return { document: { language, issuer: client.baseUrl, code }, raw: `${code}\n`, isRecorded: false };
  }
  const token = header.replace(/^(authorization: *)?bearer +/i, "").trim();
  const [{ createLocalJWKSet, jwtVerify }, { body }] = await Promise.all([
    import("jose"),
    client.request("GET", "/.well-known/jwks.json", { authenticate: false }),
  ]);
  try {
    const { payload } = await jwtVerify(token, createLocalJWKSet(body as JSONWebKeySet), {
      issuer: client.baseUrl,
      typ: TYPE,
      audience,
      currentDate: new Date(clock.now()),
    });
    const claims = Object.entries(payload).map(([name, value]) => `  ${name}: ${JSON.stringify(value)}`);
    const lines = [`${io.out.marks.done} signed by ${client.baseUrl}, and valid now`, ...claims];
    return { document: { valid: true, claims: payload }, lines };
  } catch (error) {
    const { code } = error as { code?: string };
    if (!code?.startsWith("ERR_J")) throw error;
    throw new UsageError(
      `This is no valid identity of ${client.baseUrl}: ${reasonOf(error as JoseError, { iss: client.baseUrl, aud: audience })}.`,
      code === "ERR_JWS_INVALID"
        ? 'Give the header as your server received it, "Bearer eyJ…"; without one, this prints code for --audience <url>.'
        : "It is valid for a minute.",
    );
  }
}

type JoseError = Error & { claim?: string; payload?: Record<string, unknown> };

/** Names both sides where the token is for another server than expected, which jose does not. */
function reasonOf(
  { claim, payload, message }: JoseError,
  expected: { iss: string; aud: string | undefined },
): string {
  if (payload === undefined || (claim !== "iss" && claim !== "aud")) return message;
  return `its ${claim} is ${JSON.stringify(payload[claim])}, not ${JSON.stringify(expected[claim])}`;
}
