import { describe, expect, it } from "vitest";
import type { ErrorGroup } from "../../src/tools/observability/groups/contract.ts";
import { errorsSection } from "../../src/web/console/errors.tsx";
import { signedInOwner, startPages } from "./pages.ts";

const SEEN = "2026-01-15T11:57:00.000Z";

function errorOf(index: number, more: Partial<ErrorGroup> = {}): ErrorGroup {
  return {
    fingerprint: `err_${index}`,
    type: `Error${index}`,
    message: `it broke ${index} <times>`,
    count: 1200,
    firstSeenAt: SEEN,
    lastSeenAt: SEEN,
    source: "client",
    state: "open",
    daily: { from: "2026-01-02T00:00:00.000Z", counts: Array(14).fill(0) },
    ...more,
  };
}

async function show(errors: readonly ErrorGroup[]) {
  const asked: unknown[] = [];
  const section = errorsSection(async (_, projectId, limit) => {
    asked.push([projectId, limit]);
    return errors.slice(0, limit);
  });
  const browser = await signedInOwner(await startPages({ sections: [section] }));
  return { browser, asked };
}

describe("recent errors", () => {
  it("are a few on the card, with how often, where and when", async () => {
    const { browser, asked } = await show([
      errorOf(1, { route: "GET /basket" }),
      errorOf(2),
      errorOf(3),
      errorOf(4),
    ]);
    const { html, text } = await browser.get("/?project=shop");
    expect(text).toContain("Error1 1,200 times it broke 1 <times> reported, GET /basket · 3 min ago");
    expect(text).not.toContain("Error4");
    expect(html).toContain('href="/errors?project=shop"');
    expect(html).not.toContain("<times>");
    expect(asked).toEqual([["shop", 3]]);
  });

  it("are cut on the card and whole on the page", async () => {
    const message = `begins ${"and goes on ".repeat(100)}to its end`;
    const { browser } = await show([errorOf(1, { message })]);
    const card = (await browser.get("/")).text;
    expect(card).toContain("begins and goes on");
    expect(card).not.toContain("to its end");
    expect((await browser.get("/errors")).text).toContain("to its end");
  });

  it("have their stacks on the page, as text", async () => {
    const stack = "TypeError: <b>\n    at priceOf (shop.js:3)";
    const { browser } = await show([errorOf(1, { stack, source: "server", count: 1 })]);
    const { html, text } = await browser.get("/errors");
    expect(text).toContain("Error1 once it broke 1 <times> this server · 3 min ago");
    expect(text).toContain("at priceOf (shop.js:3)");
    expect(html).not.toContain("<b>");
  });

  it("where there are none: says how programs report theirs", async () => {
    const { browser } = await show([]);
    expect((await browser.get("/")).text).toContain("tool observability config");
  });
});
