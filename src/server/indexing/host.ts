import { refusalOf } from "../../contract/refusal.ts";
import { type AnyHostedKind, type Projection, type Steps, WithText } from "../../store/projection.ts";
import { ownerOf } from "../../store/store.ts";
import { type AccountTurnsOptions, createAccountTurns } from "./account-turns.ts";
import type { ApplyMessage, Asked, AskMessage, FromIndex, Reply } from "./messages.ts";
import { createTexts } from "./texts.ts";

/** The weight of an empty projection. */
const MIN_BYTES = 4096;

export interface HostOptions extends AccountTurnsOptions {
  load: (kind: string) => Promise<AnyHostedKind>;
  post: (message: FromIndex) => void;
  /** Bound of all projections together. Beyond it, some are evicted. */
  maxBytes: number;
  /** Bound of one projection. */
  maxSpaceBytes: number;
}

interface Held {
  account: string;
  projection: Projection;
  /** Whether it was complete when it was last caught up. */
  whole: boolean;
  bytes: number;
}

/** Holds the projections and answers for them. Returns the handler of the server's messages. */
export function createHost(options: HostOptions): (message: Asked) => Promise<void> {
  const { load, post, maxBytes, maxSpaceBytes } = options;
  const turns = createAccountTurns(options);
  const texts = createTexts({ turns, post, monotonic: options.monotonic });
  const loaded = new Map<string, Promise<AnyHostedKind>>();
  /** Ordered by use, the most recent last. */
  const projections = new Map<string, Held>();
  const byAccount = new Map<string, number>();
  let bytes = 0;

  function kindOf(name: string): Promise<AnyHostedKind> {
    const kind = loaded.get(name) ?? load(name);
    loaded.set(name, kind);
    return kind;
  }

  function* apply(kind: AnyHostedKind, message: ApplyMessage): Steps<Reply> {
    const key = keyOf(message);
    if (message.fresh) evict(key);
    const held = projections.get(key) ?? (message.fresh ? begin(message, kind) : undefined);
    if (!held) return { type: "gone" };
    held.whole = false;
    try {
      for (const [collection, written] of message.changes) {
        const source = kind.sources.find((each) => each.collection.name === collection);
        for (let at = 0; at < written.length; at += 2) {
          const text = written[at + 1];
          const value = text === undefined ? undefined : JSON.parse(text);
          const steps = source?.apply(held.projection as never, {
            id: written[at] as string,
            value,
            size: text?.length ?? 0,
          });
          if (steps) yield* steps;
          yield;
        }
      }
    } catch (error) {
      // It is half applied, so it must be rebuilt.
      evict(key);
      throw error;
    }
    held.whole = message.whole;
    weigh(key, held);
    evictExcept(key);
    return { type: "done" };
  }

  function* ask(kind: AnyHostedKind, message: AskMessage): Steps<Reply> {
    const key = keyOf(message);
    const held = projections.get(key);
    if (!held?.whole) return { type: "gone" };
    projections.delete(key);
    projections.set(key, held);
    const answer = kind.answers[message.name];
    if (!answer) throw new Error(`a projection of ${message.kind} does not answer ${message.name}`);
    const steps = answer(held.projection as never, message.asked as never);
    if (typeof steps?.next !== "function" || !(Symbol.iterator in steps)) {
      throw new Error(
        `the answer ${message.name} of ${message.kind} must be a generator: *${message.name}() { … }`,
      );
    }
    const answered = yield* steps;
    weigh(key, held);
    evictExcept(undefined);
    if (!(answered instanceof WithText)) return { type: "done", answer: answered };
    texts.begin(message.id, ownerOf(message.space), answered);
    return { type: "done", answer: answered.answer, hasText: true };
  }

  /** Runs a request and posts its reply, or its error as a refusal. */
  function* answering(id: number, steps: Steps<Reply>): Steps<void> {
    try {
      post({ ...(yield* steps), id });
      texts.go(id);
    } catch (error) {
      // Also where the answer cannot be serialised: that must not end the process, which holds everybody's projections.
      texts.end(id);
      post({ type: "refusal", refusal: refusalOf(error), id });
    }
  }

  function begin(message: ApplyMessage, kind: AnyHostedKind): Held {
    const account = ownerOf(message.space);
    const held = { account, projection: kind.empty(maxSpaceBytes), whole: false, bytes: 0 };
    projections.set(keyOf(message), held);
    return held;
  }

  function weigh(key: string, held: Held): void {
    if (projections.get(key) !== held) return;
    const before = held.bytes;
    const now = MIN_BYTES + held.projection.bytes;
    if (!Number.isFinite(now)) {
      // Added to the others, it would end the bound of them all.
      evict(key);
      throw new Error(`the projection of ${key} must say in bytes how much memory it takes`);
    }
    held.bytes = now;
    count(held, now - before);
  }

  /**
   * Evicts projections beyond the bound: always the least recently used one of the account that holds most, so that no
   * account's index displaces smaller ones.
   *
   * @param kept the projection that was just caught up for a question.
   */
  function evictExcept(kept: string | undefined): void {
    while (bytes > maxBytes) {
      let given: string | undefined;
      for (const [key, { account }] of projections) {
        if (key === kept) continue;
        const most = given === undefined ? 0 : bytesOf(projections.get(given)?.account);
        if (bytesOf(account) > most) given = key;
      }
      if (given === undefined) return;
      evict(given);
    }
  }

  function bytesOf(account: string | undefined): number {
    return byAccount.get(account ?? "") ?? 0;
  }

  /** Evicts a projection. */
  function evict(key: string): void {
    const held = projections.get(key);
    if (!held) return;
    count(held, -held.bytes);
    projections.delete(key);
  }

  function count({ account }: Held, by: number): void {
    bytes += by;
    const left = bytesOf(account) + by;
    if (left > 0) byAccount.set(account, left);
    else byAccount.delete(account);
  }

  return async (message) => {
    const { id } = message;
    if (message.type === "withdraw") {
      turns.withdraw(id);
      texts.end(id);
    } else if (message.type === "taken") texts.taken(id);
    else {
      try {
        const kind = await kindOf(message.kind);
        const steps = message.type === "apply" ? apply(kind, message) : ask(kind, message);
        turns.add({ id, account: ownerOf(message.space), steps: answering(id, steps) });
      } catch (error) {
        post({ type: "refusal", refusal: refusalOf(error), id });
      }
    }
  };
}

function keyOf({ kind, space }: { kind: string; space: string }): string {
  return `${kind} ${space}`;
}
