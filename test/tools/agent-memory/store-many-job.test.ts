import { deserialize } from "node:v8";
import { expect, it } from "vitest";
import { framesIn } from "../../../src/contract/frames.ts";
import type { Analysed, Probe } from "../../../src/tools/agent-memory/analyse.ts";
import { agentMemoryContract } from "../../../src/tools/agent-memory/contract.ts";
import { storeManyJob } from "../../../src/tools/agent-memory/store-many-job.ts";

/** How many memories each slice has, once its two frames are known to speak of the same ones. */
async function slicesOf(memories: { content: string; metadata?: object }[]): Promise<number[]> {
  const input = agentMemoryContract.storeMany.input.parse({ memories });
  const frames = [...framesIn(await storeManyJob.run(input, undefined as never))];
  const contents: string[] = [];
  const sizes = Array.from({ length: frames.length / 2 }, (_, slice) => {
    const analysed = JSON.parse(Buffer.from(frames[2 * slice] as Uint8Array).toString()) as Analysed[];
    const probes = deserialize(frames[2 * slice + 1] as Uint8Array) as Probe[];
    expect(probes.map(({ digest }) => digest)).toEqual(analysed.map(({ document }) => document.digest));
    contents.push(...analysed.map(({ document }) => document.content));
    return analysed.length;
  });
  expect(contents).toEqual(memories.map(({ content }) => content));
  return sizes;
}

const many = (count: number, length: number, more = {}) =>
  Array.from({ length: count }, (_, index) => ({ content: `${index} ${"x".repeat(length)}`, ...more }));

it("slices hold so many memories, or so many bytes with what their metadata may take", async () => {
  expect(await slicesOf(many(1, 10))).toEqual([1]);
  expect(await slicesOf(many(201, 10))).toEqual([100, 100, 1]);
  const [long] = await slicesOf(many(20, 30_000));
  expect(long).toBe(8);
  const [described] = await slicesOf(many(20, 10, { metadata: { a: 1 } }));
  expect(described).toBe(16);
});
