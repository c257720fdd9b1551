import { StoreUnavailable } from "../store.ts";
import { advisoryLockKeys } from "./advisory-locks.ts";
import type { Commit } from "./commit.ts";
import type { ConnectionPool } from "./connection/connections.ts";
import { MAX_SILENCE_MS, type Patience, type Waiter } from "./connection/patience.ts";
import { Session } from "./connection/session.ts";
import type { Footprint } from "./footprint.ts";
import { Group } from "./group.ts";
import type { Collections } from "./statements/write.ts";
import type { Writes } from "./writes.ts";

/** A transaction that writes. */
export interface Member {
  footprint: Footprint;
  /** Runs its work. Does not reject. */
  run: (group: Group) => Promise<Outcome>;
  /** Called when what it wrote is durable. */
  succeed: () => void;
  fail: (error: unknown) => void;
}

export type Outcome = { writes: Writes } | { error: unknown };

export interface GroupsOptions {
  /** Has a connection for each group that may run at once. */
  pool: ConnectionPool;
  collections: Collections;
  commit: Commit;
  patience: Patience;
  /** Called with the error of each group that failed. */
  onFailed?: (error: unknown) => void;
}

/** A member whose work has not begun. Once it has, its attempt waits instead. */
interface Waiting extends Member, Waiter {
  gaveUp: boolean;
}

/** Maximum number of groups with a single member beside the shared one. */
export const MAX_ALONE = 3;
/** Size of all footprints from which a group takes no more members. */
const MAX_GROUP_SIZE = 2500;
/**
 * Number of turns from which a group takes no more members. Each is a lock, and PostgreSQL has room for 64 of them for
 * each connection that it may have: an instance, which has ten, must not take what others need. When many accounts have
 * waited, as after a failover, a group would otherwise fail for want of room.
 */
const MAX_GROUP_TURNS = 400;

/**
 * Commits writing transactions in groups: those that come while one is on its way to the disk share the next. Groups
 * that run at once have no turn in common, so none waits for another while it holds a connection.
 */
export function createGroups({ pool, collections, commit, patience, onFailed }: GroupsOptions): {
  join(member: Member): void;
} {
  let waiting: Waiting[] = [];
  let scheduled = false;
  let sharing = false;
  let alone = 0;
  /** Turns of running groups. */
  const taken = new Set<string>();

  function schedule(): void {
    if (scheduled) return;
    scheduled = true;
    // A footprint is complete only then: the run that showed it continues for a moment.
    setImmediate(() => {
      scheduled = false;
      start();
    });
  }

  function start(): void {
    const together: Waiting[] = [];
    const turns = new Set<string>();
    let size = 0;
    /** Turns of members that have to wait, where later members must not overtake them. */
    const awaited = new Set<string>();
    waiting = waiting.filter((member) => {
      const { footprint } = member;
      footprint.complete();
      const free = isFree(footprint.turns, taken) && isFree(footprint.turns, awaited);
      if (free && footprint.alone && alone < MAX_ALONE && isFree(footprint.turns, turns)) {
        void runAlone(member);
        return false;
      }
      const fits = size < MAX_GROUP_SIZE && turns.size < MAX_GROUP_TURNS;
      if (free && !footprint.alone && !sharing && fits) {
        together.push(member);
        size += footprint.size;
        for (const turn of footprint.turns) turns.add(turn);
        return false;
      }
      for (const turn of footprint.turns) awaited.add(turn);
      return true;
    });
    if (together.length > 0) void runTogether(together, turns);
  }

  async function runAlone(member: Waiting): Promise<void> {
    alone++;
    await run([member], new Set(member.footprint.turns), false);
    alone--;
  }

  async function runTogether(members: Waiting[], turns: Set<string>): Promise<void> {
    sharing = true;
    await run(members, turns, true);
    sharing = false;
  }

  async function run(members: readonly Waiting[], turns: Set<string>, shared: boolean): Promise<void> {
    for (const turn of turns) taken.add(turn);
    try {
      const outcomes = await inTransaction(members, new Set(turns), shared);
      for (const [index, member] of members.entries()) {
        const outcome = outcomes[index] as Outcome;
        if ("error" in outcome) member.fail(outcome.error);
        else member.succeed();
      }
    } catch (error) {
      onFailed?.(error);
      for (const member of members) {
        patience.end(member);
        member.fail(error);
      }
    }
    for (const turn of turns) taken.delete(turn);
    if (waiting.length > 0) schedule();
  }

  async function inTransaction(
    members: readonly Waiting[],
    turns: Set<string>,
    shared: boolean,
  ): Promise<Outcome[]> {
    const session = await Session.open(pool);
    try {
      session.begin("READ COMMITTED");
      session.lock(advisoryLockKeys(turns));
      const group = new Group({ session, turns, collections, shared });
      await group.prepare(members.map(({ footprint }) => footprint));
      const outcomes: Outcome[] = [];
      for (const member of members) {
        patience.end(member);
        const outcome = member.gaveUp ? { error: noTurn() } : await member.run(group);
        session.assertSound();
        if ("writes" in outcome) group.writes.absorb(outcome.writes);
        outcomes.push(outcome);
      }
      // Without a success nothing is committed: what failed members sent is rolled back.
      if (outcomes.some((outcome) => "writes" in outcome))
        await commit(session, group.writes, group.sent.documents.values());
      return outcomes;
    } finally {
      void session.close();
    }
  }

  return {
    join(member) {
      const waiter: Waiting = {
        ...member,
        ticks: 0,
        gaveUp: false,
        giveUp() {
          waiter.gaveUp = true;
          waiting = waiting.filter((other) => other !== waiter);
          member.fail(noTurn());
        },
      };
      waiting.push(waiter);
      patience.begin(waiter);
      schedule();
    },
  };
}

function noTurn(): StoreUnavailable {
  const seconds = MAX_SILENCE_MS / 1000;
  return new StoreUnavailable(`the database gave no turn to write within ${seconds} s: nothing was written`);
}

function isFree(turns: Iterable<string>, taken: ReadonlySet<string>): boolean {
  for (const turn of turns) if (taken.has(turn)) return false;
  return true;
}
