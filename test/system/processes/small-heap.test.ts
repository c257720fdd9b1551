import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";

/** Returns the bytes of the young generation in a new process that has allocated a million objects. */
function roomForNew(before: string): number {
  const program = `
    import { getHeapSpaceStatistics } from "node:v8";
    import { collectSooner, keepHeapSmall } from "./src/system/processes/small-heap.ts";
    ${before}
    const kept = Array.from({ length: 1_000_000 }, (_, index) => ({ index }));
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space");
    console.log(kept.length && space?.space_size);
  `;
  return Number(
    execFileSync(process.execPath, ["--import", "tsx", "--input-type=module", "-e", program], {
      encoding: "utf8",
    }),
  );
}

describe("keepHeapSmall", () => {
  it("keeps the young generation small", () => {
    expect(roomForNew("keepHeapSmall();")).toBeLessThan(roomForNew("") / 2);
  });
});
