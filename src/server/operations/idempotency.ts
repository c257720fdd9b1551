import { hash } from "node:crypto";
import { Problem } from "../../contract/problem.ts";
import { collection, type Space, type Store, StoreUnavailable, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import { DAY_MS } from "../../system/durations.ts";
import type { Answer } from "../pipeline/answer.ts";
import { isSuccess, type ReplayRecord } from "./answering.ts";
import { seal, unseal } from "./sealing.ts";

/**
 * `Idempotency-Key`: the same key and body within a day give the first answer again.
 *
 * A request claims its key before it does anything. The transaction that has its effect also replaces the claim by
 * the whole answer, if the claim is still its own. So after a crash at any point, either both are there or neither
 * is, and a repeat gets the answer or may do the work. A claim names the opening of the store that its request uses:
 * once that opening is closed or dead, the claim is void.
 */
interface KeyRecord {
  bodyHash: string;
  /** `applied` means that the effect took place and its answer is not kept. */
  state: "running" | "applied" | "answered";
  /** The opening of the store that runs the request. Only while it runs. */
  owner?: string;
  claim?: number;
  /** When the owner may be assumed dead, in records of versions that store no `owner`. */
  claimedUntil?: number;
  answer?: { status: number; headers: Record<string, string>; body?: string; sealed?: true };
}

export const idempotencyKeys = collection<KeyRecord>("idempotency_keys");
/** Results of the steps of requests, by the id of the key, the body's hash and the number of the step. */
export const idempotencySteps = collection<{ result?: unknown }>("idempotency_steps");

/** Longer answers are not kept; a repeat gets an error that says so. */
export const MAX_KEPT_BYTES = 256 * 1024;

const MIN_POLL_MS = 25;
const MAX_POLL_MS = 250;
const RELEASE_AGAIN_MS = 1000;

interface Ask {
  space: Space;
  endpoint: string;
  key: string;
  /** Returns a digest of the body, which tells requests with the same key apart. */
  digest: () => string;
  /** Does the work. An effect commits its answer by `keep`, in the same transaction. */
  run: (keep: ReplayRecord | undefined) => Promise<{ answer: Answer; committed: boolean }>;
  /** Whether repeating the effect changes nothing, so that a crash at any point is harmless. */
  repeatable: boolean;
  /** Whether to encrypt the kept answer, so that other readers of the store cannot read it. */
  sealed: boolean;
  /** Throws if a kept answer does not match the endpoint's schema. */
  check: (answer: Answer) => void;
}

interface Claim {
  space: Space;
  id: string;
  bodyHash: string;
  number: number;
  kept: (body: string) => { body: string; sealed?: true };
}

/** Another request has taken over the claim, because this one's owner seemed dead. */
class ClaimLost extends Error {}

/** @param claims the store that begins records. It refuses them if the account has no room. */
export function createIdempotency({
  store,
  claims = store,
  clock,
}: {
  store: Store;
  claims?: Store;
  clock: Clock;
}) {
  /** The requests that run in this process. A duplicate waits for them instead of polling the store. */
  const running = new Map<string, Promise<unknown>>();
  /** Claims that could not be released because the store was unavailable. */
  const unreleased = new Set<Claim>();
  let stopReleasing: (() => void) | undefined;
  let claimed = 0;

  /** Runs a request once; its duplicates get the first answer, with `Idempotent-Replayed: true`. */
  async function once(ask: Ask): Promise<Answer> {
    const id = `${ask.endpoint}:${hash("sha256", checkKey(ask.key), "base64url")}`;
    const bodyHash = ask.digest();
    const name = nameOf(ask.space, id);
    while (running.has(name)) await running.get(name);
    const work = settle(ask, id, bodyHash);
    running.set(
      name,
      work.catch(() => {}),
    );
    try {
      return await work;
    } finally {
      running.delete(name);
    }
  }

  /** Settles a request that has its key to itself in this process. */
  async function settle(ask: Ask, id: string, bodyHash: string): Promise<Answer> {
    const kept: Claim["kept"] = (body) =>
      ask.sealed ? { body: seal(body, ask.key, nameOf(ask.space, id)), sealed: true } : { body };
    const claim: Claim = { space: ask.space, id, bodyHash, number: ++claimed, kept };
    let gone: { owner?: string } | undefined;
    for (let pause = MIN_POLL_MS; ; pause = Math.min(2 * pause, MAX_POLL_MS)) {
      const found = await take(claim, gone);
      if (found === "mine") {
        try {
          return await perform(ask, claim);
        } catch (error) {
          if (error instanceof ClaimLost) continue;
          throw error;
        }
      }
      if (found.state === "running" && (await isGone(found))) {
        gone = defined({ owner: found.owner });
        continue;
      }
      if (found.bodyHash !== bodyHash) {
        throw new Problem(
          "idempotency_mismatch",
          "This Idempotency-Key was used with another body. Use a new key for a new request.",
        );
      }
      if (found.state !== "running") return replay(ask, id, found);
      await clock.sleep(pause);
    }
  }

  function take({ space, id, bodyHash, number }: Claim, gone: { owner?: string } | undefined) {
    return claims.transact<"mine" | KeyRecord>(async (tx) => {
      const found = await tx.get(idempotencyKeys, space, id);
      const isVoid =
        found?.state === "running" &&
        (found.owner === store.opening || (gone !== undefined && found.owner === gone.owner));
      if (found && !isVoid) return found;
      const record: KeyRecord = { bodyHash, state: "running", owner: store.opening, claim: number };
      await tx.put(idempotencyKeys, space, id, record, { expiresAt: clock.now() + DAY_MS });
      return "mine";
    });
  }

  async function isGone({ owner, claimedUntil = 0 }: KeyRecord): Promise<boolean> {
    return owner === undefined ? claimedUntil <= clock.now() : !(await store.isOpen(owner));
  }

  async function perform(ask: Ask, claim: Claim): Promise<Answer> {
    try {
      const keep = keepFor(claim);
      const { answer, committed } = await ask.run(ask.repeatable ? undefined : keep);
      if (committed && !ask.repeatable) return answer;
      // Without an effect, or with a repeatable one, the request may be done again if its answer is not kept.
      if (isSuccess(answer) && isShort(answer)) await store.transact((tx) => keep.answer(tx, answer));
      else await release(claim);
      return answer;
    } catch (error) {
      // If the store is unavailable, the client does not wait for it a second time.
      if (error instanceof StoreUnavailable) void release(claim);
      else await release(claim);
      throw error;
    }
  }

  function keepFor(claim: Claim): ReplayRecord {
    const stepId = (number: number) => `${claim.id}:${claim.bodyHash}:${number}`;
    return {
      answer: (tx, answer) => settleClaim(tx, claim, answer),
      stepDone: (tx, number) => tx.get(idempotencySteps, claim.space, stepId(number)),
      async step(tx, number, result) {
        await requireMine(tx, claim);
        const expiresAt = clock.now() + DAY_MS;
        await tx.put(idempotencySteps, claim.space, stepId(number), { result }, { expiresAt });
      },
    };
  }

  async function requireMine(tx: Transaction, claim: Claim): Promise<void> {
    if (!(await isMine(tx, claim))) throw new ClaimLost();
  }

  async function settleClaim(tx: Transaction, claim: Claim, answer: Answer): Promise<void> {
    await requireMine(tx, claim);
    const { status, headers, body } = answer;
    const record: KeyRecord = {
      bodyHash: claim.bodyHash,
      ...(isShort(answer)
        ? {
            state: "answered",
            answer: { status, headers, ...(body !== undefined && claim.kept(body.toString())) },
          }
        : { state: "applied" }),
    };
    await tx.put(idempotencyKeys, claim.space, claim.id, record, { expiresAt: clock.now() + DAY_MS });
  }

  async function isMine(tx: Transaction, { space, id, number }: Claim): Promise<boolean> {
    const found = await tx.get(idempotencyKeys, space, id);
    return found?.state === "running" && found.owner === store.opening && found.claim === number;
  }

  /** Releases a claim, so that the request can be repeated. If its answer was already committed, that stays. */
  async function release(claim: Claim): Promise<void> {
    try {
      await store.transact(async (tx) => {
        if (await isMine(tx, claim)) await tx.delete(idempotencyKeys, claim.space, claim.id);
      });
      unreleased.delete(claim);
    } catch {
      // This process ignores its own stale claims, but other instances honour them as long as this one lives.
      unreleased.add(claim);
    }
    if (unreleased.size === 0) close();
    else
      stopReleasing ??= clock.every(RELEASE_AGAIN_MS, () => void Promise.all([...unreleased].map(release)));
  }

  function close(): void {
    stopReleasing?.();
    stopReleasing = undefined;
  }

  return { once, close };
}

function replay({ check, key, space }: Ask, id: string, { answer: kept }: KeyRecord): Answer {
  if (!kept) {
    throw new Problem(
      "invalid_state",
      "The request of this Idempotency-Key was carried out, and its answer is not kept: " +
        `${MAX_KEPT_BYTES} bytes are the most. Read what it made, and do not send it again under another key.`,
    );
  }
  const { sealed, ...plain } = kept;
  const answer = sealed ? { ...plain, body: unseal(plain.body ?? "", key, nameOf(space, id)) } : plain;
  check(answer);
  return { ...answer, headers: { ...answer.headers, "Idempotent-Replayed": "true" } };
}

/** Returns a name of a record that is unique across all spaces. */
function nameOf(space: Space, id: string): string {
  return `${space}/${id}`;
}

function isShort({ body = "" }: Answer): boolean {
  if (typeof body === "string" || Buffer.isBuffer(body)) return Buffer.byteLength(body) <= MAX_KEPT_BYTES;
  return false;
}

function checkKey(key: string): string {
  if (key.length >= 1 && key.length <= 255 && /^[\x20-\x7e]+$/.test(key)) return key;
  throw new Problem("invalid_request", "Idempotency-Key must have 1 to 255 printable ASCII characters.");
}
