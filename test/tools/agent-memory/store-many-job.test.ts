import { deserialize } from "node:v8";
import { expect, it } from "vitest";
import type { Analysed, ComparisonKey } from "../../../src/tools/agent-memory/analyse.ts";
import { agentMemoryContract } from "../../../src/tools/agent-memory/contract.ts";
import { storeManyJob } from "../../../src/tools/agent-memory/store-many-job.ts";

/** Returns the number of memories in each slice, and asserts that both parts of a slice are of the same memories. */
async function slicesOf(memories: { content: string; metadata?: object }[]): Promise<number[]> {
  const input = agentMemoryContract.storeMany.input.parse({ memories });
  const contents: string[] = [];
  const sizes: number[] = [];
  for (const slice of await storeManyJob.run(input, undefined as never)) {
    const analysed = JSON.parse(Buffer.from(slice.analysed).toString()) as Analysed[];
    const probes = deserialize(slice.probes) as ComparisonKey[];
    expect(probes.map(({ digest }) => digest)).toEqual(analysed.map(({ document }) => document.digest));
    contents.push(...analysed.map(({ document }) => document.content));
    sizes.push(analysed.length);
  }
  expect(contents).toEqual(memories.map(({ content }) => content));
  return sizes;
}

const many = (count: number, length: number, more = {}) =>
  Array.from({ length: count }, (_, index) => ({ content: `${index} ${"x".repeat(length)}`, ...more }));

it("storeManyJob slices by 100 memories, or by bytes including possible metadata", async () => {
  expect(await slicesOf(many(1, 10))).toEqual([1]);
  expect(await slicesOf(many(201, 10))).toEqual([100, 100, 1]);
  const [long] = await slicesOf(many(20, 30_000));
  expect(long).toBe(8);
  const [described] = await slicesOf(many(20, 10, { metadata: { a: 1 } }));
  expect(described).toBe(16);
});
