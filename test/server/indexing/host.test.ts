import { expect, it } from "vitest";
import { createHost } from "../../../src/server/indexing/host.ts";
import type { FromIndex } from "../../../src/server/indexing/messages.ts";
import { type HostedKind, type Projection, source } from "../../../src/store/projection.ts";
import { collection } from "../../../src/store/store.ts";

const sizes = collection<number>("sizes", { changes: true });

/** A projection whose size is the sum of its documents' values. */
interface Sum extends Projection {
  bytes: number;
}

const sumKind: HostedKind<Sum, { bytes: { asked: null; answer: number } }> = {
  kind: { name: "sum", collections: [sizes] },
  sources: [
    source<Sum, number>(sizes, (sum, { value = 0 }) => {
      sum.bytes += value;
    }),
  ],
  empty: () => ({ bytes: 0 }),
  answers: {
    *bytes(sum) {
      yield;
      return sum.bytes;
    },
  },
};

/** Opens a host with room for `maxBytes`, which takes one step a turn. */
function open(maxBytes: number) {
  const turns: (() => void)[] = [];
  const replies = new Map<number, FromIndex["type"]>();
  const host = createHost({
    load: async () => sumKind,
    post: (message) => void replies.set(message.id, message.type),
    maxBytes,
    maxSpaceBytes: maxBytes,
    monotonic: () => 0,
    later: (work) => void turns.push(work),
    onTurn: () => {},
    maxTurnMs: 0,
  });
  let id = 0;
  return {
    /** Starts catching up a space with documents of these sizes. */
    apply: async (space: string, documents: number[], fresh = true) => {
      const written = documents.flatMap((bytes, at) => [`d${at}`, String(bytes)]);
      const changes: [string, string[]][] = [[sizes.name, written]];
      await host({ type: "apply", id: ++id, kind: "sum", space, fresh, whole: true, changes });
    },
    work: () => {
      for (let next = turns.shift(); next; next = turns.shift()) next();
    },
    ask: async (space: string) => {
      await host({ type: "ask", id: ++id, kind: "sum", space, name: "bytes", asked: null });
      for (let next = turns.shift(); next; next = turns.shift()) next();
      return replies.get(id);
    },
  };
}

it("a projection that is evicted while it catches up frees its memory", async () => {
  const { apply, work, ask } = open(20_000);
  await apply("acc_a", [8000]);
  work();
  // Each document takes a turn, so the other account finishes first and needs the room.
  await apply("acc_a", [1000, 1000, 1000, 1000, 1000, 1000, 1000], false);
  await apply("acc_b", [6000]);
  work();
  expect(await ask("acc_a")).toBe("gone");
  await apply("acc_c", [5000]);
  work();
  expect([await ask("acc_b"), await ask("acc_c")]).toEqual(["done", "done"]);
});

it("a projection that caught up for a question is not evicted before the question is answered", async () => {
  const { apply, work, ask } = open(20_000);
  await apply("acc_a", [4000]);
  await apply("acc_b", [30_000]);
  work();
  expect(await ask("acc_b")).toBe("done");
  expect([await ask("acc_a"), await ask("acc_b")]).toEqual(["gone", "gone"]);
});
