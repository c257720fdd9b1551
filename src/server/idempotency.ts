import { AsyncLocalStorage } from "node:async_hooks";
import { hash } from "node:crypto";
import { Problem } from "../contract/problem.ts";
import { collection, type Space, type Store, type Transaction } from "../store/store.ts";
import type { Clock } from "../system/clock.ts";
import type { Answer } from "./answer.ts";

/**
 * `Idempotency-Key`: the same key and body within a day give the first answer again.
 *
 * A handler's writing transactions note in the same instant that they took place and what they
 * returned, which for nearly every handler is the answer. So a crash between effect and answer
 * neither loses the one nor repeats the other.
 */
interface KeyRecord {
  bodyHash: string;
  state: "running" | "applied" | "answered";
  /** Of a running request, when another process may believe its owner dead. */
  claimedUntil: number;
  /** What the last writing transaction returned. */
  result?: unknown;
  answer?: { status: number; headers: Record<string, string>; body: string };
}

export const idempotencyKeys = collection<KeyRecord>("idempotency_keys");

const DAY = 24 * 60 * 60 * 1000;
const CLAIM_MS = 30_000;
const POLL_MS = 50;

interface Ask {
  space: Space;
  endpoint: string;
  key: string;
  /** SHA-256 of the body. */
  digest: () => string;
  run: () => Promise<Answer>;
  /** The answer that a handler would have given for what its transaction returned. */
  restore: (result: unknown) => Answer;
}

interface Marker {
  space: Space;
  id: string;
  bodyHash: string;
}

const current = new AsyncLocalStorage<Marker>();

/** The store for handlers: marks what an idempotent request wrote. */
export function markingStore(store: Store, clock: Clock): Store {
  return {
    transact(work) {
      const marker = current.getStore();
      if (!marker) return store.transact(work);
      return store.transact(async (tx) => {
        const noted = notingWrites(tx);
        const result = await work(noted.tx);
        if (noted.wrote()) {
          const record: KeyRecord = { bodyHash: marker.bodyHash, state: "applied", claimedUntil: 0, result };
          await tx.put(idempotencyKeys, marker.space, marker.id, record, { expiresAt: clock.now() + DAY });
        }
        return result;
      });
    },
    admit: (windows) => store.admit(windows),
    ping: () => store.ping(),
    storageOf: (account) => store.storageOf(account),
    headroom: store.headroom,
    sizeBytes: () => store.sizeBytes(),
    close: () => store.close(),
  };
}

function notingWrites(tx: Transaction): { tx: Transaction; wrote: () => boolean } {
  let written = false;
  const note = <A extends unknown[], R>(write: (...args: A) => R) => {
    return (...args: A): R => {
      written = true;
      return write(...args);
    };
  };
  return {
    wrote: () => written,
    tx: {
      get: tx.get.bind(tx),
      list: tx.list.bind(tx),
      counts: tx.counts.bind(tx),
      changes: tx.changes.bind(tx),
      peek: tx.peek.bind(tx),
      assertRoom: tx.assertRoom.bind(tx),
      insert: note(tx.insert.bind(tx)) as Transaction["insert"],
      put: note(tx.put.bind(tx)) as Transaction["put"],
      delete: note(tx.delete.bind(tx)) as Transaction["delete"],
      increment: note(tx.increment.bind(tx)),
    },
  };
}

/** @param claims for what begins a record: refuses it where the account has no room. */
export function createIdempotency({ store, claims, clock }: { store: Store; claims: Store; clock: Clock }) {
  /** What runs in this process: a duplicate waits for it instead of asking the store again. */
  const running = new Map<string, Promise<unknown>>();

  /** Runs a request once; its duplicates get the first answer, with `Idempotent-Replayed: true`. */
  async function once(ask: Ask): Promise<Answer> {
    const id = `${ask.endpoint}:${hash("sha256", checkKey(ask.key), "base64url")}`;
    const bodyHash = ask.digest();
    for (;;) {
      await running.get(`${ask.space}/${id}`);
      const found = await claim(ask.space, id, bodyHash);
      if (found === "claimed") break;
      if (found.bodyHash !== bodyHash) {
        throw new Problem(
          "idempotency_mismatch",
          "This Idempotency-Key was used with another body. Use a new key for a new request.",
        );
      }
      if (found.state === "answered" && found.answer) return replayed(found.answer);
      if (found.state === "applied" && found.claimedUntil < clock.now()) {
        return replayed(ask.restore(found.result));
      }
      await clock.sleep(POLL_MS);
    }
    const work = perform(ask, id, bodyHash);
    const settled = work.catch(() => {});
    running.set(`${ask.space}/${id}`, settled);
    try {
      return await work;
    } finally {
      running.delete(`${ask.space}/${id}`);
    }
  }

  function claim(space: Space, id: string, bodyHash: string): Promise<"claimed" | KeyRecord> {
    return claims.transact(async (tx) => {
      const found = await tx.get(idempotencyKeys, space, id);
      const now = clock.now();
      if (found && (found.state !== "running" || found.claimedUntil > now)) return found;
      const record: KeyRecord = { bodyHash, state: "running", claimedUntil: now + CLAIM_MS };
      await tx.put(idempotencyKeys, space, id, record, { expiresAt: now + DAY });
      return "claimed";
    });
  }

  async function perform(ask: Ask, id: string, bodyHash: string): Promise<Answer> {
    let answer: Answer;
    try {
      answer = await current.run({ space: ask.space, id, bodyHash }, ask.run);
    } catch (error) {
      await forget(ask.space, id).catch(() => {});
      throw error;
    }
    const record: KeyRecord = {
      bodyHash,
      state: "answered",
      claimedUntil: 0,
      answer: { status: answer.status, headers: answer.headers, body: String(answer.body ?? "") },
    };
    const expiresAt = clock.now() + DAY;
    await store.transact((tx) => tx.put(idempotencyKeys, ask.space, id, record, { expiresAt }));
    return answer;
  }

  /** Only 2xx answers are kept; an effect that took place is not forgotten for an error behind it. */
  function forget(space: Space, id: string): Promise<void> {
    return store.transact(async (tx) => {
      const found = await tx.get(idempotencyKeys, space, id);
      if (found?.state === "running") await tx.delete(idempotencyKeys, space, id);
    });
  }

  return { once };
}

function checkKey(key: string): string {
  if (key.length >= 1 && key.length <= 255 && /^[\x20-\x7e]+$/.test(key)) return key;
  throw new Problem("invalid_request", "Idempotency-Key must have 1 to 255 printable ASCII characters.");
}

function replayed(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, "Idempotent-Replayed": "true" } };
}
