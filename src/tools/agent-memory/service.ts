import type { Caller } from "../../contract/caller.ts";
import { type Handlers, Reply } from "../../contract/endpoint.ts";
import { orWithoutRecording } from "../../contract/or-without-recording.ts";
import { Problem } from "../../contract/problem.ts";
import { projectSpace, type Space, type Store } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { Random } from "../../system/random.ts";
import { type Analysed, analyse } from "./analyse.ts";
import type { agentMemoryContract } from "./contract.ts";
import { COUNTER, memories, memoryOf, uses } from "./documents.ts";
import { createMemoryProjections } from "./memory-projection.ts";
import { recall } from "./recall.ts";
import { statisticsOf } from "./statistics.ts";
import type { storeManyJob } from "./store-many-job.ts";
import { forgetMemory, type Stored, storeMemories } from "./store-memories.ts";

export interface AgentMemoryPorts {
  store: Store;
  clock: Clock;
  random: Random;
  /** Makes the project unless it is there, before anything is written in it. */
  ensureProject: (accountId: string, projectId: string) => Promise<void>;
}

export function createAgentMemory(ports: AgentMemoryPorts): Handlers<typeof agentMemoryContract> {
  const { store, clock, random, ensureProject } = ports;
  const projections = createMemoryProjections(store);

  async function keep(caller: Caller, analysed: readonly Analysed[]): Promise<Stored[]> {
    await ensureProject(caller.accountId, caller.projectId);
    const space = spaceOf(caller);
    const batch = analysed.map((each) => ({ ...each, id: random.id("mem") }));
    const now = clock.now();
    // Caught up here, so that the transaction finds little that is not in the projection yet.
    await projections.read(space);
    return store.transact(async (tx) =>
      storeMemories(tx, space, await projections.within(tx, space), batch, now),
    );
  }

  return {
    async store(input, caller) {
      const analysed = analyse(input);
      const [stored] = (await keep(caller, [analysed])) as [Stored];
      const space = spaceOf(caller);
      const { id, document, outcome } = stored;
      const use = outcome === "stored" ? undefined : await store.transact((tx) => tx.get(uses, space, id));
      const answer = {
        memory: memoryOf(id, document, use),
        ...(outcome !== "stored" && { merged: id }),
        ...(outcome === "echo" && { echo: true as const }),
        ...(analysed.masked.length > 0 && { masked: analysed.masked }),
      };
      return new Reply(answer, { status: outcome === "stored" ? 201 : 200 });
    },

    async storeMany(work, caller) {
      const analysed = await work.run<typeof storeManyJob>({ context: undefined });
      const all = await keep(caller, analysed);
      const counted = (wanted: Stored["outcome"]) => all.filter(({ outcome }) => outcome === wanted).length;
      return {
        items: all.map(({ id, outcome }, index) => {
          const masked = analysed[index]?.masked ?? [];
          return {
            id,
            ...(outcome !== "stored" && { merged: true as const }),
            ...(outcome === "echo" && { echo: true as const }),
            ...(masked.length > 0 && { masked }),
          };
        }),
        stored: counted("stored"),
        merged: counted("merged"),
        echoes: counted("echo"),
      };
    },

    async recall(input, caller) {
      const space = spaceOf(caller);
      const now = clock.now();
      const recalled = recall(await projections.read(space), input, now);
      const listing = input.q.trim() === "";
      const answer = (records: boolean) =>
        store.transact(async (tx) => {
          const items = [];
          for (const { id, ...found } of recalled) {
            const document = await tx.get(memories, space, id);
            if (!document) continue;
            const before = await tx.get(uses, space, id);
            const use = listing || !records ? before : { count: (before?.count ?? 0) + 1, lastAt: now };
            if (use && !listing && records) {
              const { expiresAt } = document;
              await tx.put(uses, space, id, use, expiresAt === undefined ? {} : { expiresAt });
            }
            items.push({ memory: memoryOf(id, document, use), ...found });
          }
          if (!listing) await tx.increment(COUNTER, space, "recalls", 1);
          return { items };
        });
      return orWithoutRecording(answer);
    },

    async stats(_, caller) {
      const space = spaceOf(caller);
      const statistics = statisticsOf(await projections.read(space));
      const counts = await store.transact((tx) => tx.counts(COUNTER, space, { from: "", to: "~" }));
      const counted = (name: string) => counts.find(({ id }) => id === name)?.count ?? 0;
      return {
        ...statistics,
        recalls: counted("recalls"),
        duplicatesMerged: counted("merged"),
        echoes: counted("echoes"),
      };
    },

    async forget({ memoryId }, caller) {
      const gone = await store.transact((tx) => forgetMemory(tx, spaceOf(caller), memoryId));
      if (!gone) throw new Problem("not_found", `There is no memory "${memoryId}" in this project.`);
      return { forgotten: memoryId };
    },
  };
}

function spaceOf({ accountId, projectId }: Caller): Space {
  return projectSpace(accountId, projectId);
}
