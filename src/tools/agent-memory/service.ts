import { type Handlers, type Output, Reply } from "../../contract/endpoint.ts";
import type { Projections } from "../../store/projection.ts";
import { type Role, type Space, type Store, spaceOf, type Transaction } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import { MINUTE_MS } from "../../system/durations.ts";
import type { Random } from "../../system/random.ts";
import type { Analysed } from "./analyse.ts";
import type { Verdict } from "./compare.ts";
import type { agentMemoryContract } from "./contract.ts";
import { correctMemory, noMemory } from "./correct-memory.ts";
import { COUNTER, memories, memoryOf, uses } from "./documents.ts";
import { memoryKind } from "./searching/memory-kind.ts";
import { placeIn, textOf } from "./searching/place.ts";
import { readListed, readReplaced } from "./searching/read-listed.ts";
import type { storeManyJob } from "./store-many-job.ts";
import { forgetMemory, type Stored, storeMemories, writtenSince } from "./store-memories.ts";

export interface AgentMemoryPorts {
  store: Store;
  projections: Projections;
  clock: Clock;
  random: Random;
}

type StoredMany = Output<typeof agentMemoryContract.storeMany>;

/** Memories to store, the verdicts on them, and the versions of the projection that the verdicts are based on. */
interface Judged {
  items: readonly Analysed[];
  verdicts: readonly Verdict[];
  versions: ReadonlyMap<string, string>;
}

/** How long after a recall a text can be an echo of what was recalled. */
const ECHO_MS = 15 * MINUTE_MS;
/** Attempts to compare with concurrent writes. The last one stores without comparing with the latest of them. */
const MAX_ATTEMPTS = 4;

export function createAgentMemory(ports: AgentMemoryPorts): Handlers<typeof agentMemoryContract> {
  const { store, projections, clock, random } = ports;

  /**
   * Stores what `judge` returns in one transaction, and returns what `conclude` computes within it.
   *
   * @param as the transaction's role in an idempotent request.
   */
  async function keep<R extends object>(
    space: Space,
    judge: () => Promise<Judged>,
    as: Role | undefined,
    conclude: (stored: Stored[], tx: Transaction) => Promise<R>,
  ): Promise<R> {
    for (let attempt = 1; ; attempt++) {
      const { items: analysed, verdicts, versions } = await judge();
      const items = analysed.map((each) => ({ ...each, id: random.id("mem") }));
      const now = clock.now();
      const result = await store.transact(async (tx) => {
        const fresh = await writtenSince(tx, space, versions.get(memories.name));
        if (!fresh && attempt < MAX_ATTEMPTS) return undefined;
        return conclude(
          await storeMemories(tx, space, { items, verdicts, fresh: fresh ?? new Map() }, now),
          tx,
        );
      }, as);
      if (result) return result;
    }
  }

  return {
    async store(memory, caller) {
      const space = spaceOf(caller);
      let masked: string[] = [];
      const judge = async (): Promise<Judged> => {
        const asked = { memory, recalledSince: clock.now() - ECHO_MS };
        const { answer, versions } = await projections.ask(memoryKind, space, "consider", asked);
        masked = answer.analysed.masked;
        return { items: [answer.analysed], verdicts: answer.verdicts, versions };
      };
      return keep(space, judge, caller.answer, async (stored, tx) => {
        const { id, document, outcome } = stored[0] as Stored;
        const use = outcome === "stored" ? undefined : await tx.get(uses, space, id);
        const answer = {
          memory: memoryOf(id, document, use),
          ...(outcome !== "stored" && { merged: id }),
          ...(outcome === "echo" && { echo: true as const }),
          ...(masked.length > 0 && { masked }),
        };
        return new Reply(answer, { status: outcome === "stored" ? 201 : 200 });
      });
    },

    async storeMany(work, caller) {
      const slices = await work.run<typeof storeManyJob>({ context: undefined });
      const space = spaceOf(caller);
      let answer: StoredMany = { items: [], stored: 0, merged: 0, echoes: 0 };
      for await (const { analysed, probes } of slices) {
        const items: Analysed[] = JSON.parse(Buffer.from(analysed).toString());
        const judge = async (): Promise<Judged> => {
          const asked = { probes, recalledSince: clock.now() - ECHO_MS };
          const { answer, versions } = await projections.ask(memoryKind, space, "compare", asked);
          return { items, verdicts: answer.verdicts, versions };
        };
        const before = answer;
        answer = await keep(space, judge, caller.step, async (stored) => withStored(before, stored, items));
      }
      const all = answer;
      return store.transact(async () => all, caller.answer);
    },

    async recall(input, caller) {
      const space = spaceOf(caller);
      const now = clock.now();
      const { signal } = caller;
      const { answer } = await projections.ask(memoryKind, space, "recall", { input, now }, { signal });
      const counts = input.q.trim() !== "" && input.uses === "count";
      return readListed(store, space, listed(answer), { counts, now });
    },

    async list(input, caller) {
      const space = spaceOf(caller);
      const now = clock.now();
      const asked = { input, after: placeIn(input.cursor), now };
      const { answer } = await projections.ask(memoryKind, space, "list", asked, { signal: caller.signal });
      const next = answer.next && { nextCursor: textOf(answer.next) };
      return readListed(store, space, { ...listed(answer), ...next }, { counts: false, now });
    },

    async show({ memoryId }, caller) {
      const space = spaceOf(caller);
      const { signal } = caller;
      const { answer } = await projections.ask(memoryKind, space, "supersededBy", memoryId, { signal });
      const found = await store.transact(async (tx) => {
        const document = await tx.get(memories, space, memoryId);
        if (!document) return undefined;
        const memory = memoryOf(memoryId, document, await tx.get(uses, space, memoryId));
        return { memory, ...answer, ...(await readReplaced(tx, space, document)) };
      });
      if (!found) throw noMemory(memoryId);
      return found;
    },

    correct: ({ memoryId, ...change }, caller) => correctMemory(ports, caller, memoryId, change),

    async stats(_, caller) {
      const space = spaceOf(caller);
      const { signal } = caller;
      const { answer } = await projections.ask(memoryKind, space, "statistics", undefined, { signal });
      const counts = await store.transact((tx) => tx.counts(COUNTER, space, { from: "", to: "~" }));
      const counted = (name: string) => counts.find(({ id }) => id === name)?.count ?? 0;
      return {
        ...answer,
        recalls: counted("recalls"),
        duplicatesMerged: counted("merged"),
        echoes: counted("echoes"),
      };
    },

    async forget({ memoryId }, caller) {
      const gone = await store.transact((tx) => forgetMemory(tx, spaceOf(caller), memoryId));
      if (!gone) throw noMemory(memoryId);
      return { forgotten: memoryId };
    },
  };
}

function withStored(before: StoredMany, stored: readonly Stored[], items: readonly Analysed[]): StoredMany {
  const counted = (wanted: Stored["outcome"]) => stored.filter(({ outcome }) => outcome === wanted).length;
  return {
    items: before.items.concat(
      stored.map(({ id, outcome }, index) => {
        const { masked } = items[index] as Analysed;
        return {
          id,
          ...(outcome !== "stored" && { merged: true as const }),
          ...(outcome === "echo" && { echo: true as const }),
          ...(masked.length > 0 && { masked }),
        };
      }),
    ),
    stored: before.stored + counted("stored"),
    merged: before.merged + counted("merged"),
    echoes: before.echoes + counted("echo"),
  };
}

/** Returns the items of the index's answer, and `partial` if the index is. */
function listed<T>({ items, isPartial }: { items: T; isPartial: boolean }) {
  return { items, ...(isPartial && { partial: true as const }) };
}
