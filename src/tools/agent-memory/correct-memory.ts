import { isDeepStrictEqual } from "node:util";
import type { Caller } from "../../contract/caller.ts";
import type { Input, Output } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import type { Projections } from "../../store/projection.ts";
import { type Store, spaceOf } from "../../store/store.ts";
import type { Clock } from "../../system/clock.ts";
import type { agentMemoryContract } from "./contract.ts";
import { type MemoryDocument, memories, memoryOf, uses } from "./documents.ts";
import type { NewMemory } from "./memory.ts";
import { memoryKind } from "./searching/memory-kind.ts";

type Change = Omit<Input<typeof agentMemoryContract.correct>, "memoryId">;
type Corrected = Output<typeof agentMemoryContract.correct>;

/** Changes a memory in place. Throws `Problem` `not_found` if it does not exist. */
export async function correctMemory(
  { store, projections, clock }: { store: Store; projections: Projections; clock: Clock },
  caller: Caller,
  id: string,
  change: Change,
): Promise<Corrected> {
  const space = spaceOf(caller);
  for (;;) {
    const before = await store.transact((tx) => tx.get(memories, space, id));
    if (!before) throw noMemory(id);
    const asked = { memory: changed(before, change), recalledSince: clock.now() };
    const { analysed } = (await projections.ask(memoryKind, space, "consider", asked)).answer;
    const now = clock.now();
    const answer = await store.transact(async (tx): Promise<Corrected | undefined> => {
      const current = await tx.get(memories, space, id);
      if (!current) throw noMemory(id);
      // Times cannot tell: another correction may be of the same millisecond.
      if (!isDeepStrictEqual(current, before)) return undefined;
      const document = { ...before, ...analysed.document, updatedAt: now };
      const { expiresAt } = document;
      await tx.put(memories, space, id, document, expiresAt === undefined ? {} : { expiresAt });
      const memory = memoryOf(id, document, await tx.get(uses, space, id));
      return { memory, ...(analysed.masked.length > 0 && { masked: analysed.masked }) };
    }, caller.answer);
    if (answer) return answer;
  }
}

export function noMemory(id: string): Problem {
  return new Problem("not_found", `There is no memory "${id}" in this project.`);
}

/** Returns the corrected memory as input for storing. An importance that was scored is left to be scored again. */
function changed(before: MemoryDocument, change: Change): NewMemory {
  const { content, kind, tags, agent, thread, metadata, importance, importanceReasons } = before;
  const { at, expiresAt } = before;
  return {
    content: change.content ?? content,
    kind: change.kind ?? kind,
    tags: change.tags ?? tags,
    agent,
    thread,
    metadata,
    at,
    expiresAt,
    importance: change.importance ?? (importanceReasons.length > 0 ? undefined : importance),
  };
}
