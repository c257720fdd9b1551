import { describe, expect, it } from "vitest";
import { createProgress } from "../../../src/cli/ui/progress.ts";
import { fakeClock } from "../../support/clock.ts";
import { testIo } from "../support/io.ts";

function waiting<T>() {
  let finish: (value: T) => void = () => {};
  const work = new Promise<T>((resolve) => {
    finish = resolve;
  });
  return { work, finish };
}

describe("createProgress()", () => {
  it("appears after half a second, redraws at most ten times a second, and clears its line", async () => {
    const clock = fakeClock();
    const { io, written } = testIo({ terminal: true });
    const { work, finish } = waiting<number>();
    const done = createProgress(io, clock).during("Counting", work);
    for (let ms = 0; ms < 480; ms += 20) clock.advance(20);
    expect(written.err).toBe("");
    for (let ms = 0; ms < 1000; ms += 20) clock.advance(20);
    const frames = written.err.split("\r\u001b[2K").filter((frame) => frame !== "");
    expect(frames.length).toBeLessThanOrEqual(10);
    expect(frames[0]).toMatch(/^ {2}\S Counting$/);
    finish(42);
    expect(await done).toBe(42);
    expect(written.err.endsWith("\r\u001b[2K")).toBe(true);
    const end = written.err;
    clock.advance(10_000);
    expect(written.err).toBe(end);
  });

  it("wraps notes between words in a terminal", () => {
    const note = (terminal: boolean) => {
      const { io, written } = testIo({ terminal, columns: 20 });
      createProgress(io, fakeClock()).note("Times are those of the first column.");
      return written.err.split("\n").filter((line) => line.trim() !== "");
    };
    expect(note(true)).toEqual(["  Times are those of", "  the first column."]);
    expect(note(false)).toEqual(["Times are those of the first column."]);
  });

  it("shows the latest of several labels, and keeps notes above the label", async () => {
    const clock = fakeClock();
    const { io, written } = testIo({ terminal: true });
    const progress = createProgress(io, clock);
    const [outer, inner] = [waiting<void>(), waiting<void>()];
    const all = [progress.during("Outer", outer.work), progress.during("Inner", inner.work)];
    for (let turn = 0; turn < 6; turn++) clock.advance(120);
    expect(written.err).toMatch(/Inner$/);
    progress.note("Trying again in 3 s.");
    expect(written.err.endsWith("Inner\r\u001b[2K  Trying again in 3 s.\n")).toBe(true);
    inner.finish();
    await all[1];
    clock.advance(120);
    expect(written.err).toMatch(/Outer$/);
    outer.finish();
    await Promise.all(all);
  });

  it("draws nothing into a pipe", async () => {
    const clock = fakeClock();
    const { io, written } = testIo();
    const { work, finish } = waiting<void>();
    const done = createProgress(io, clock).during("Counting", work);
    clock.advance(10_000);
    finish();
    await done;
    expect(written.err).toBe("");
  });
});
