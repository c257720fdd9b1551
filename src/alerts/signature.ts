import { createHmac } from "node:crypto";
import type { Random } from "../system/random.ts";
import type { WebhookSecret } from "./model.ts";

/** The prefix of symmetric secrets (Standard Webhooks). */
const PREFIX = "whsec_";
const BYTES = 32;

export function newWebhookSecret({ bytes }: Pick<Random, "bytes">): string {
  return bytes(BYTES).toString("base64");
}

/** Returns a secret in the form that is shown to people. */
export function shownSecret(secret: string): string {
  return PREFIX + secret;
}

/**
 * Returns the headers of Standard Webhooks (https://www.standardwebhooks.com). While two secrets are valid, they
 * contain a signature with each.
 */
export function signedHeaders(
  { secret, previous }: WebhookSecret,
  { id, body, now }: { id: string; body: string; now: number },
): Record<string, string> {
  const timestamp = String(Math.floor(now / 1000));
  const secrets = previous && previous.endsAt > now ? [secret, previous.secret] : [secret];
  const signatures = secrets.map((each) => {
    const hmac = createHmac("sha256", Buffer.from(each, "base64"));
    return `v1,${hmac.update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
