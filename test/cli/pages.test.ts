import { describe, expect, it } from "vitest";
import { collect, eachPage } from "../../src/cli/pages.ts";
import type { CallOptions } from "../../src/client/api-client.ts";

describe("collect()", () => {
  it("asks for as many items as are missing, and returns the cursor of what it left", async () => {
    const asked: unknown[] = [];
    const numbers = await collect(450, async (part) => {
      asked.push(part);
      return {
        items: Array.from({ length: part.limit }, (_, index) => index),
        nextCursor: `c${asked.length}`,
      };
    });
    expect(asked).toEqual([{ limit: 200 }, { limit: 200, cursor: "c1" }, { limit: 50, cursor: "c2" }]);
    expect([numbers.items.length, numbers.nextCursor]).toEqual([450, "c3"]);
  });

  it("ends at the last page, and at twenty empty ones", async () => {
    expect(await collect(10, async () => ({ items: ["one"] }))).toEqual({ items: ["one"] });
    let asked = 0;
    const none = await collect(10, async () => ({ items: [], nextCursor: `c${++asked}` }));
    expect([asked, none]).toEqual([20, { items: [], nextCursor: "c20" }]);
  });
});

describe("eachPage()", () => {
  it("lets a later page wait until a minute's limit is over, but not the first", async () => {
    const waits: CallOptions["maxWaitSeconds"][] = [];
    const pages = eachPage(async ({ cursor }, { maxWaitSeconds }) => {
      waits.push(maxWaitSeconds);
      return cursor === "b" ? {} : { nextCursor: cursor === "a" ? "b" : "a" };
    });
    for await (const _ of pages);
    expect(waits).toEqual([undefined, 60, 60]);
  });
});
