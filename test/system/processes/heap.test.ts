import { describe, expect, it } from "vitest";
import { memoryBytes } from "../../../src/system/processes/heap.ts";

const MiB = 1024 * 1024;

describe("memoryBytes", () => {
  it("is the limit of the container, or all that the machine has where there is none", () => {
    expect(memoryBytes(512 * MiB, 4096 * MiB)).toBe(512 * MiB);
    expect(memoryBytes(0, 4096 * MiB)).toBe(4096 * MiB);
    expect(memoryBytes(2 ** 64, 4096 * MiB)).toBe(4096 * MiB);
  });
});
