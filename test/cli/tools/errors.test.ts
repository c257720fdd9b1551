import { describe, expect, it } from "vitest";
import { startReporting, thrown } from "../../tools/observability/reporting.ts";
import { ownerOf } from "../support/owner.ts";

async function start() {
  const app = await startReporting();
  const place = await app.placeOf();
  const { tool } = ownerOf(app);
  const idOf = async (words: string) =>
    (await tool("errors", "list", "--query", words, "--json")).json.items[0].fingerprint;
  return {
    tool,
    idOf,
    seen: (message: string, more = {}) =>
      app.report(place, { ...thrown("TypeError", message, ["main"]), ...more }),
  };
}

describe("tool errors", () => {
  it("shows an error, resolves the error, and marks a recurrence as regressed", async () => {
    const { tool, idOf, seen } = await start();
    await seen("broken", {
      release: "shop@1.0",
      environment: "eu",
      tags: { browser: "Firefox" },
      user: { id: "ann" },
    });
    const id = await idOf("broken");
    const shown = await tool("errors", "show", id);
    expect(shown.stderr).toBe("");
    for (const words of [
      "TypeError: broken",
      "shop@1.0 (1)",
      "about 1",
      "at main (src/main.js:3)",
      "browser=Firefox",
    ]) {
      expect(shown.stdout).toContain(words);
    }
    expect((await tool("errors", "resolve", id)).stdout).toContain("Resolved: TypeError: broken");
    expect((await tool("errors", "show", id)).stdout).toMatch(/State +resolved .* by usr_/);
    expect((await tool("errors", "list", "--state", "open")).stdout).toContain("No such errors.");
    await new Promise((resolve) => setTimeout(resolve, 5));
    await seen("broken");
    expect((await tool("errors", "list")).stdout).toMatch(
      / 2 .* regressed +main \(src.main\.js\) +TypeError: broken/,
    );
  });

  it("ignores several errors for a time, reopens one and deletes one", async () => {
    const { tool, idOf, seen } = await start();
    for (const message of ["alpha", "beta"]) await seen(message);
    const ids = [await idOf("alpha"), await idOf("beta")];
    const ignored = await tool("errors", "ignore", ...ids, "--until", "7d", "--more", "5");
    expect(ignored.stdout.trim().split("\n")).toHaveLength(2);
    expect((await tool("errors", "show", ids[0])).stdout).toMatch(
      /ignored .* by usr_\w+, until 6 times or 2\d{3}-/,
    );
    expect((await tool("errors", "ignore", ids[0], "--until", "soon")).stderr).toContain(
      "--until takes a time",
    );
    await tool("errors", "reopen", ids[0]);
    expect((await tool("errors", "list", "--state", "open", "--json")).json.items).toHaveLength(1);
    expect((await tool("errors", "delete", ids[0])).code).toBe(0);
    const gone = await tool("errors", "show", ids[0]);
    expect([gone.code === 0, gone.stderr.includes("There is no error")]).toEqual([false, true]);
    const wrong = await tool("errors", "resolve", ids[1], "--next-release");
    expect(wrong.stderr).toContain("Sentry.init({ release })");
  });
});
