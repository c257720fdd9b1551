import { expect, it } from "vitest";
import { inBatches } from "../../../src/tools/knowledge-graph/in-batches.ts";

it.each([
  [0, []],
  [3, [3]],
  [1000, [1000]],
  [1001, [1000, 1001]],
  [2000, [1000, 2000]],
])(
  "inBatches() asks for %i items a thousand at a time, and returns the answers in order",
  async (count, ends) => {
    const asked = Array.from({ length: count }, (_, at) => at);
    let started = 0;
    const waiting = new Set<number>();
    const answers = await inBatches(asked, async (item) => {
      started++;
      await new Promise(setImmediate);
      waiting.add(started);
      return -item;
    });
    expect(answers).toEqual(asked.map((item) => -item));
    expect([...waiting]).toEqual(ends);
  },
);
