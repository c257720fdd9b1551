import type { JSONWebKeySet } from "jose";
import * as z from "zod";
import { isObject } from "../../system/is-object.ts";
import { isUsualKey, UNUSUAL_KEY } from "../usual-key.ts";
import { faultOfRedirectUri } from "./redirect-uris.ts";

/** Editors name one for each of their releases, hosts and schemes. What they hold together is bounded where they are kept. */
const MAX_REDIRECT_URIS = 100;

/**
 * The self-chosen name of a client, without invisible characters and without bidirectional controls, which would
 * reorder the text around it (UAX #9).
 */
const Name = z
  .string()
  .transform((name) =>
    name
      .replace(/\s+/g, " ")
      .replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, "")
      .trim(),
  )
  .pipe(z.string().min(1, "must have something to see").max(128));

export const RedirectUris = z
  .array(z.string())
  .min(1)
  .max(MAX_REDIRECT_URIS)
  .superRefine((uris, context) => {
    uris.forEach((uri, index) => {
      const fault = faultOfRedirectUri(uri);
      if (fault) context.addIssue({ code: "custom", path: [index], message: fault });
    });
  });

const MAX_KEYS = 10;

const Key = z.looseObject({ kty: z.string() }).refine(isUsualKey, UNUSUAL_KEY);

/** A JWK set (RFC 7517 §5). Only the parts used here are validated; jose validates the keys themselves. */
export const KeySet = z
  .looseObject({ keys: z.array(Key).min(1).max(MAX_KEYS) })
  .transform((keys) => keys as JSONWebKeySet);

const SigningKey = Key.refine(({ kty, use = "sig" }) => use === "sig" && /^(?:RSA|EC|OKP)$/.test(kty));

/**
 * A JWK set that its owner publishes for all servers: keys with which nothing is signed here are passed over (RFC 7517
 * §5), and so are those beyond the bound.
 */
export const PublishedKeySet = z
  .looseObject({ keys: z.array(z.unknown()) })
  .transform(({ keys }) => ({
    keys: keys.filter((key) => SigningKey.safeParse(key).success).slice(0, MAX_KEYS) as JSONWebKeySet["keys"],
  }))
  .refine(({ keys }) => keys.length > 0);

/**
 * The metadata that a client declares (RFC 7591 §2). Members that this server does not use are not validated, and null
 * is as good as absent (RFC 7592 §2.2): serialisers of several languages write it for each member that is not set.
 */
export const ClientMetadata = z.preprocess(
  withoutNulls,
  z.looseObject({
    client_name: Name.optional(),
    redirect_uris: RedirectUris,
    token_endpoint_auth_method: z.string().optional(),
    token_endpoint_auth_methods_supported: z.array(z.string()).max(20).optional(),
    grant_types: z.array(z.string()).max(20).optional(),
    response_types: z.array(z.string()).max(20).optional(),
    id_token_signed_response_alg: z.string().optional(),
    jwks: KeySet.optional(),
    jwks_uri: z.string().optional(),
  }),
);
export type ClientMetadata = z.infer<typeof ClientMetadata>;

function withoutNulls(given: unknown): unknown {
  if (!isObject(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}
