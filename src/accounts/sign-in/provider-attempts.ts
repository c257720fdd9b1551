import { createHmac } from "node:crypto";
import { Problem } from "../../contract/problem.ts";
import type { Attempt } from "../../providers/provider.ts";
import { GLOBAL, type Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import type { Random } from "../../system/random.ts";
import { hashSecret } from "../credentials/secrets.ts";
import { type ProviderAttempt, providerAttempts } from "./model.ts";

const LIFETIME_MS = 10 * MINUTE_MS;

/** Sign-ins at a provider that a browser has begun and not finished. */
export interface ProviderAttempts {
  /** Begins an attempt for the browser with this cookie. */
  start(provider: string, cookie: string): { state: string; attempt: Attempt };
  /** Derives the attempt of a state from the cookie: only this browser can finish it, and no secret is stored. */
  of(provider: string, state: string, cookie: string): Attempt;
  /** Stores an attempt for ten minutes. */
  keep(state: string, attempt: ProviderAttempt): Promise<void>;
  /** Takes a stored attempt, which ends it. `Problem` `invalid_state` if this browser has not begun that state. */
  take(provider: string, state: string, cookie: string): Promise<ProviderAttempt>;
}

/** @param baseUrl the URL of the pages, without a trailing slash. */
export function createProviderAttempts({
  store,
  clock,
  random,
  baseUrl,
}: {
  store: Store;
  clock: Pick<Clock, "now">;
  random: Pick<Random, "bytes">;
  baseUrl: () => string;
}): ProviderAttempts {
  const attempts: ProviderAttempts = {
    start(provider, cookie) {
      const state = random.bytes(32).toString("base64url");
      return { state, attempt: attempts.of(provider, state, cookie) };
    },
    of(provider, state, cookie) {
      const derive = (what: string) =>
        createHmac("sha256", cookie).update(`${what}/${state}`).digest("base64url");
      const redirectUri = `${baseUrl()}/sign-in/with/${provider}`;
      return { redirectUri, state, nonce: derive("nonce"), codeVerifier: derive("verifier") };
    },
    keep(state, attempt) {
      const expiresAt = clock.now() + LIFETIME_MS;
      return store.transact((tx) =>
        tx.insert(providerAttempts, GLOBAL, hashSecret(state), attempt, { expiresAt }),
      );
    },
    async take(provider, state, cookie) {
      const id = hashSecret(state);
      const found = await store.transact(async (tx) => {
        const attempt = await tx.get(providerAttempts, GLOBAL, id);
        if (attempt?.browser !== hashSecret(cookie) || attempt.provider !== provider) return undefined;
        await tx.delete(providerAttempts, GLOBAL, id);
        return attempt;
      });
      if (found) return found;
      throw new Problem(
        "invalid_state",
        "This sign-in was begun in another browser, was finished already, or took longer than ten minutes. Begin again.",
      );
    },
  };
  return attempts;
}
