import { describe, expect, it } from "vitest";
import { Reply } from "../../../../src/contract/endpoint.ts";
import type { Store } from "../../../../src/store/store.ts";
import { memories } from "../../../../src/tools/agent-memory/documents.ts";
import { readListed } from "../../../../src/tools/agent-memory/searching/read-listed.ts";

const LENGTH = 64 * 1024;

/** A store of long memories that counts how often one was read. */
function countingStore() {
  const reads: string[] = [];
  const tx = {
    async get(collection: unknown, _space: unknown, id: string) {
      if (collection !== memories) return undefined;
      reads.push(id);
      return { content: id.padEnd(LENGTH), at: 0, createdAt: 0, updatedAt: 0, merges: 0 };
    },
  };
  const store = { transact: (work: (tx: never) => unknown) => work(tx as never) } as unknown as Store;
  return { store, reads };
}

describe("a long list of memories", () => {
  it("is read no faster than its client takes it, and whole in the end", async () => {
    const { store, reads } = countingStore();
    const items = Array.from({ length: 20 }, (_, index) => ({ id: `m${index}`, size: LENGTH }));
    const reply = await readListed(
      store,
      "a/b" as never,
      { items, nextCursor: "m19" },
      { counts: false, now: 1 },
    );
    if (!(reply instanceof Reply)) throw new Error("it was not streamed");
    const pieces = reply.extras.raw as AsyncGenerator<string>;
    const first = await pieces.next();
    expect(reads.length).toBeLessThan(4);
    let text = first.value;
    for await (const piece of pieces) text += piece;
    const { items: all, nextCursor } = JSON.parse(text);
    expect(all.map(({ memory }: { memory: { id: string } }) => memory.id)).toEqual(items.map(({ id }) => id));
    expect(nextCursor).toBe("m19");
  });
});
