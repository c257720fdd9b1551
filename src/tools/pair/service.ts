import type { Caller } from "../../contract/caller.ts";
import { type Handlers, Reply } from "../../contract/endpoint.ts";
import { jsonText } from "../../contract/json-text.ts";
import { Problem } from "../../contract/problem.ts";
import { overloaded } from "../../contract/retry-later.ts";
import { type Store, spaceOf } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { othersFirst } from "../../system/others-first.ts";
import type { Random } from "../../system/random.ts";
import { createTurns } from "../../system/turns.ts";
import type { pairContract } from "./contract.ts";
import { changeOf, type SessionDocument, sessionOf, sessions, weightOf } from "./documents.ts";
import { follow } from "./follow.ts";
import { HISTORY } from "./history.ts";
import { readSession, requireReached } from "./read-session.ts";
import { recentChanges } from "./recent-changes.ts";
import { recordChange } from "./record-change.ts";
import type { Change, Session } from "./session-contract.ts";
import { handedOff, requireActive, requireSession, sessionsPage } from "./sessions.ts";
import { startSession } from "./start-session.ts";
import { createWakeups } from "./wakeups.ts";

export interface PairPorts {
  store: Store;
  clock: Clock;
  random: Random;
}

export function createPair(
  { store, clock, random }: PairPorts,
  history = HISTORY,
): Handlers<typeof pairContract> {
  const wakeups = createWakeups({ store, clock });
  /**
   * Sessions are read in turns: their contents are copies, of megabytes each, which stay in memory until clients have
   * read them. Between two, the server looks after clients that do not.
   */
  const reading = createTurns({
    maxRunning: 4,
    maxOfOne: 1,
    maxWaiting: 1_000,
    refusal: () => overloaded("Too many sessions are read at once. Try again.", 1),
  });

  /** Changes a session in one transaction. It is not written if `become` returns it unchanged. */
  async function update(
    caller: Caller,
    id: string,
    become: (session: SessionDocument, now: number) => SessionDocument,
  ): Promise<{ session: Session }> {
    const space = spaceOf(caller);
    const now = clock.now();
    const answer = await store.transact(async (tx) => {
      const before = await requireSession(tx, space, id);
      const after = become(before, now);
      if (after !== before) await tx.put(sessions, space, id, after);
      return { session: sessionOf(id, after) };
    }, caller.answer);
    wakeups.written(space, id);
    return answer;
  }

  return {
    async start(input, caller) {
      const id = random.id("pair");
      const now = clock.now();
      return store.transact((tx) => startSession(tx, spaceOf(caller), id, input, now), caller.answer);
    },

    async show(query, caller) {
      const { session, files, changes } = await reading.run(caller.accountId, async () => {
        await othersFirst();
        return store.transact((tx) => readSession(tx, spaceOf(caller), query));
      });
      const raw = jsonText({ session, files: oneByOne(files), changes: oneByOne(changes) });
      return new Reply(undefined as never, { raw, holds: sizeOf(files, changes) });
    },

    async list({ state, limit, cursor }, caller) {
      const space = spaceOf(caller);
      const page = await store.transact((tx) => sessionsPage(tx, space, { state, limit, cursor }));
      const items = page.items.map((session) => ({
        ...session,
        following: wakeups.count(space, session.session.id),
      }));
      return { ...page, items };
    },

    async recent(query, caller) {
      const space = spaceOf(caller);
      const recent = await store.transact((tx) => recentChanges(tx, space, query));
      return { ...recent, following: wakeups.count(space, query.sessionId) };
    },

    async change(input, caller) {
      const space = spaceOf(caller);
      const now = clock.now();
      const answer = await store.transact(async (tx) => {
        const { sequence, change } = await recordChange(tx, space, input, now, history);
        return { change: changeOf(sequence, change), revision: sequence, rebased: change.rebased };
      }, caller.answer);
      wakeups.written(space, input.sessionId);
      return answer;
    },

    handoff: ({ sessionId, ...named }, caller) =>
      update(caller, sessionId, (session, now) => {
        requireActive(session);
        return { ...session, participants: handedOff(session.participants, named), updatedAt: now };
      }),

    end: ({ sessionId }, caller) =>
      update(caller, sessionId, (session, now) =>
        session.endedAt === undefined ? { ...session, updatedAt: now, endedAt: now } : session,
      ),

    async events({ sessionId, since }, caller) {
      const space = spaceOf(caller);
      const session = await store.transact((tx) => requireSession(tx, space, sessionId));
      const start = resumptionOf(caller) ?? since ?? session.sequence;
      requireReached(session, start);
      // This status makes an EventSource stop reconnecting (HTML §9.2.3).
      if (session.endedAt !== undefined && start === session.sequence) {
        return new Reply(undefined as never, { status: 204 });
      }
      return Reply.events((signal) => follow({ store, wakeups }, space, sessionId, start, signal));
    },
  };
}

function resumptionOf({ lastEventId }: Caller): number | undefined {
  if (lastEventId === undefined || lastEventId === "") return undefined;
  const sequence = Number(lastEventId);
  if (/^\d+$/.test(lastEventId) && Number.isSafeInteger(sequence)) return sequence;
  throw new Problem("invalid_request", "Last-Event-ID must be the id of an event of this stream.");
}

/** Returns about how many characters a session's files and changes have. */
function sizeOf(files: readonly { length: number }[], changes: readonly Pick<Change, "edits">[]): number {
  return sum(files.map(({ length }) => length)) + sum(changes.map(weightOf));
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

/** Yields items one by one, for an answer that is serialised in pieces. */
function* oneByOne<T>(items: readonly T[]): Generator<T[]> {
  for (const item of items) yield [item];
}
