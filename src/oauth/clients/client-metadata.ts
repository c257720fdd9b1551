import type { JSONWebKeySet } from "jose";
import { z } from "zod";
import { faultOfRedirectUri } from "./redirect-uris.ts";

const MAX_REDIRECT_URIS = 10;

/**
 * What a client calls itself, as people see it: without what is not seen, or has the text around it read in another
 * order (UAX #9).
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

/** RFC 7517 §5, as far as this server looks at it: jose judges the keys themselves. */
export const KeySet = z
  .looseObject({
    keys: z
      .array(z.looseObject({ kty: z.string() }))
      .min(1)
      .max(10),
  })
  .transform((keys) => keys as JSONWebKeySet);

/** What a client says of itself (RFC 7591 §2); members that this server has no use for are left alone. */
export const ClientMetadata = z.looseObject({
  client_name: Name.optional(),
  redirect_uris: RedirectUris,
  token_endpoint_auth_method: z.string().optional(),
  grant_types: z.array(z.string()).max(20).optional(),
  response_types: z.array(z.string()).max(20).optional(),
  jwks: KeySet.optional(),
});
export type ClientMetadata = z.infer<typeof ClientMetadata>;
