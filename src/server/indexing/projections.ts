import type { Problem } from "../../contract/problem.ts";
import { overloaded } from "../../contract/retry-later.ts";
import type { Answered, ProjectionKind, Projections } from "../../store/projection.ts";
import { ownerOf, type Space, type Store } from "../../store/store.ts";
import { onAbort } from "../../system/abort.ts";
import { BoundedMap } from "../../system/caching.ts";
import type { Clock } from "../../system/clock.ts";
import type { Log } from "../../system/log.ts";
import { createTurns } from "../../system/turns.ts";
import { Follower } from "./follower.ts";
import { createIndexProcess, ProcessEnded, type Sent } from "./index-process.ts";
import { createStrikes } from "./strikes.ts";

/** Slices in flight to the process, enough to keep it busy. */
const MAX_SLICES = 16;
/** Bounds of unanswered questions: in total and by account. */
const MAX_ASKED = 1024;
const MAX_ACCOUNT_ASKED = 64;
/** Attempts at a question: its projection may be evicted before the question arrives, or the process may end. */
const MAX_ATTEMPTS = 5;
/** Followers are small. Beyond this number, the least recently used ones are dropped. */
const MAX_FOLLOWERS = 50_000;

export interface ProjectionsOptions {
  store: Pick<Store, "transact">;
  clock: Clock;
  log?: Pick<Log, "debug" | "warn">;
  /** By kind, the module that exports its `HostedKind`. */
  modules: Readonly<Record<string, URL>>;
  /** Heap of the index process. If it is exceeded, only that process ends. */
  maxHeapMb?: number;
  /** Bounds of all projections together and of one, as weighed. At worst, the heap needs about twice as much. */
  maxBytes?: number;
  maxSpaceBytes?: number;
  /** How long a question may wait before it is refused. */
  deadlineMs?: number;
  path?: string;
}

export interface HostedProjections extends Projections {
  close(): Promise<void>;
}

/** Creates the projections of all spaces, in one process, which starts with the first question. */
export function createProjections({
  store,
  clock,
  maxHeapMb = 768,
  maxBytes = (maxHeapMb << 20) / 2,
  maxSpaceBytes = (2 * maxBytes) / 3,
  deadlineMs = 30_000,
  ...rest
}: ProjectionsOptions): HostedProjections {
  const index = createIndexProcess({ clock, maxHeapMb, maxBytes, maxSpaceBytes, ...rest });
  const turns = createTurns({
    maxRunning: MAX_SLICES,
    maxOfOne: MAX_SLICES,
    maxWaiting: MAX_FOLLOWERS,
    refusal: tooMany,
  });
  const strikes = createStrikes(clock);
  /** Ordered by use, the most recent last. */
  const followers = new BoundedMap<string, Follower>(MAX_FOLLOWERS);
  const askedBy = new Map<string, number>();
  let asked = 0;
  let isClosed = false;

  function followerOf(key: string, kind: ProjectionKind, space: Space): Follower {
    const follower = followers.get(key) ?? new Follower({ store, index, turns }, kind, space);
    followers.set(key, follower);
    return follower;
  }

  function enter(account: string): () => void {
    const own = askedBy.get(account) ?? 0;
    if (isClosed) throw overloaded("The server is stopping.", 1);
    if (asked >= MAX_ASKED || own >= MAX_ACCOUNT_ASKED) throw tooMany();
    asked++;
    askedBy.set(account, own + 1);
    return () => {
      asked--;
      const left = (askedBy.get(account) ?? 1) - 1;
      if (left > 0) askedBy.set(account, left);
      else askedBy.delete(account);
    };
  }

  async function answered(
    kind: ProjectionKind,
    space: Space,
    {
      name,
      question,
      given,
      signal,
    }: { name: string; question: unknown; given: Promise<never>; signal: AbortSignal | undefined },
  ): Promise<Answered<unknown>> {
    const key = `${kind.name} ${space}`;
    const follower = followerOf(key, kind, space);
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      strikes.check(key);
      let sent: Sent | undefined;
      try {
        await Promise.race([follower.caughtUp(), given]);
        const { versions } = follower;
        sent = index.send({ type: "ask", kind: kind.name, space, name, asked: question });
        const reply = await Promise.race([sent.reply, given]);
        if (reply.type === "gone") {
          follower.beginAnew();
          continue;
        }
        strikes.clear(key);
        // Nobody reads the body of an answer to HEAD, or to a client that has gone, and so nobody closes the text.
        if (reply.hasText && signal) onAbort(signal, sent.withdraw);
        return { answer: reply.answer, versions, text: sent.text };
      } catch (error) {
        sent?.withdraw();
        if (!(error instanceof ProcessEnded)) throw error;
        if (error.atFault) strikes.add(key, error.generation);
      }
      const { failure } = follower;
      if (failure instanceof ProcessEnded && failure.atFault) strikes.add(key, failure.generation);
    }
    if (follower.failure !== undefined && !(follower.failure instanceof ProcessEnded)) throw follower.failure;
    throw overloaded("The index is being rebuilt over and over.", 1);
  }

  return {
    async ask(kind, space, name, question, { signal } = {}) {
      const leave = enter(ownerOf(space));
      const over = new AbortController();
      try {
        const given = givenUp(signal, over.signal);
        return (await answered(kind, space, { name, question, given, signal })) as Answered<never>;
      } finally {
        over.abort();
        leave();
      }
    },
    async close() {
      isClosed = true;
      await index.close();
    },
  };

  /** Returns a promise that rejects when the client disconnects or the deadline has passed. */
  function givenUp(signal: AbortSignal | undefined, over: AbortSignal): Promise<never> {
    const given = new Promise<never>((_, reject) => {
      const gone = () => reject(overloaded("The client went away.", 1));
      if (signal?.aborted) gone();
      signal?.addEventListener("abort", gone, { once: true, signal: over });
      clock.sleep(deadlineMs, over).then(
        () => reject(overloaded(`The index did not answer within ${deadlineMs / 1000} s.`, 1)),
        () => {},
      );
    });
    given.catch(() => {});
    return given;
  }
}

function tooMany(): Problem {
  return overloaded("Enough questions wait already.", 1);
}
