import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createPasswordWork } from "../../src/accounts/password-work.ts";
import { problem } from "./fixture.ts";

/** Work that ends when it is told to, in the order in which it began. */
function gated(work: ReturnType<typeof createPasswordWork>) {
  const began: string[] = [];
  const open: (() => void)[] = [];
  return {
    began,
    ask: (subject: string, name = subject) =>
      work.run(subject, () => {
        began.push(name);
        return new Promise<string>((resolve) => open.push(() => resolve(name)));
      }),
    async endOne() {
      open.shift()?.();
      await settled();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the work of hashing passwords", () => {
  it("is done for two at once, and the others wait", async () => {
    const { ask, began, endOne } = gated(createPasswordWork());
    const all = ["a", "b", "c"].map((subject) => ask(subject));
    await settled();
    expect(began).toEqual(["a", "b"]);
    await endOne();
    expect(began).toEqual(["a", "b", "c"]);
    await endOne();
    await endOne();
    expect(await Promise.all(all)).toEqual(["a", "b", "c"]);
  });

  it("is done in turn for all who ask, however much one of them asks", async () => {
    const { ask, began, endOne } = gated(createPasswordWork());
    for (let count = 0; count < 10; count++) void ask("flood", `flood ${count}`);
    void ask("honest");
    await settled();
    await endOne();
    await endOne();
    expect(began.indexOf("honest")).toBeLessThanOrEqual(3);
  });

  it("is refused to whoever has most waiting where too many wait", async () => {
    const { ask } = gated(createPasswordWork(1, 4));
    const flood = Array.from({ length: 5 }, () => ask("flood").catch((error) => error));
    const honest = ask("honest");
    honest.catch(() => {});
    expect(await flood[4]).toMatchObject({ ...problem("overloaded"), status: 503 });
    await expect(Promise.race([honest, settled().then(() => "waits")])).resolves.toBe("waits");
  });

  it("goes on after work that fails", async () => {
    const work = createPasswordWork(1);
    await expect(work.run("a", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
    expect(await work.run("a", async () => "yes")).toBe("yes");
  });

  it("ends for each that is not refused, and never runs more at once, whoever asks how often", async () => {
    const subjects = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(subjects, fc.integer({ min: 1, max: 3 }), async (asked, most) => {
        const work = createPasswordWork(most, 8);
        let running = 0;
        const outcomes = await Promise.allSettled(
          asked.map((subject) =>
            work.run(subject, async () => {
              running++;
              expect(running).toBeLessThanOrEqual(most);
              await settled();
              running--;
            }),
          ),
        );
        const done = outcomes.filter(({ status }) => status === "fulfilled").length;
        expect(done).toBe(Math.min(asked.length, most + 8));
      }),
    );
  });
});
