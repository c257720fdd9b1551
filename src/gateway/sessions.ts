import { createHmac, timingSafeEqual } from "node:crypto";
import { collection, GLOBAL, type Store } from "../store/store.ts";
import type { Random } from "../system/random.ts";

/** In GLOBAL: the one key that all instances bind sessions with, in base64. */
export const sessionKeys = collection<string>("mcp_session_keys", { cached: true });
const CURRENT = "current";
const MAX_LENGTH = 4096;

/**
 * Binds the session ids of upstreams to their owners by an HMAC, so that nobody can use another's session, even with
 * a known or guessed id. Nothing is stored per session, so every instance can verify all of them.
 */
export interface Sessions {
  /** Returns the id to give to the client. */
  sign(id: string, owner: SessionOwner): Promise<string>;
  /** Returns the upstream's id; undefined if it is not this owner's. */
  verify(sealed: string, owner: SessionOwner): Promise<string | undefined>;
}

export interface SessionOwner {
  upstream: string;
  accountId: string;
  userId: string;
  /** Id of the key, or of the sign-in that its tokens descend from. */
  credential: string;
}

export function createSessions({ store, random }: { store: Store; random: Random }): Sessions {
  let key: Promise<Buffer> | undefined;

  async function load(): Promise<Buffer> {
    const fresh = random.bytes(32).toString("base64");
    const text = await store.transact(async (tx) => {
      const found = await tx.get(sessionKeys, GLOBAL, CURRENT);
      if (found === undefined) await tx.put(sessionKeys, GLOBAL, CURRENT, fresh);
      return found ?? fresh;
    });
    return Buffer.from(text, "base64");
  }

  async function markOf(id: string, owner: SessionOwner): Promise<string> {
    key ??= load().catch((error) => {
      key = undefined;
      throw error;
    });
    const { upstream, accountId, userId, credential } = owner;
    const bound = JSON.stringify([upstream, accountId, userId, credential, id]);
    return createHmac("sha256", await key)
      .update(bound)
      .digest("base64url");
  }

  return {
    sign: async (id, owner) => `${id}.${await markOf(id, owner)}`,
    async verify(sealed, owner) {
      const end = sealed.lastIndexOf(".");
      if (end < 0 || sealed.length > MAX_LENGTH) return undefined;
      const id = sealed.slice(0, end);
      const given = Buffer.from(sealed.slice(end + 1));
      const mark = Buffer.from(await markOf(id, owner));
      return given.length === mark.length && timingSafeEqual(given, mark) ? id : undefined;
    },
  };
}
