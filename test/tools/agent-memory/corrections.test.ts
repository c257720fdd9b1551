import { describe, expect, it } from "vitest";
import { openMemory } from "./memory.ts";

describe("a correction", () => {
  it.each([
    [
      "name",
      "I live in Paris near the canal with two old cats",
      "I live in Berlin near the canal with two old cats",
    ],
    [
      "number",
      "Uploads to the archive are limited to 10 MB each",
      "Uploads to the archive are limited to 25 MB each",
    ],
    [
      "negation",
      "Commits of the team are squashed before they merge",
      "Commits of the team are not squashed before they merge",
    ],
    [
      "day, said in other words",
      "We deploy to production on Tuesdays",
      "We now deploy production on Fridays",
    ],
    [
      "tool",
      "We use Jest for the unit tests here",
      "We switched from Jest to Vitest for the unit tests here",
    ],
    ["office", "Ada owns the billing service", "Grace owns the billing service"],
  ])(
    "stores a text of another %s, which supersedes the earlier one, recalled before or not",
    async (_, ...texts) => {
      for (const isRecalled of [false, true]) {
        const { store, recall } = await openMemory();
        const [earlier, later] = texts as [string, string];
        const { memory } = await store(earlier);
        if (isRecalled) expect(await recall(earlier)).toHaveLength(1);
        const correction = await store(later);
        expect([correction.status, correction.memory.supersedes]).toEqual([201, [memory.id]]);
        for (const q of [earlier, later.replace(" now", "")]) {
          const [first, second] = await recall(q);
          expect([first?.memory.content, second?.memory.content]).toEqual([later, earlier]);
          expect(first?.replaced).toEqual([{ id: memory.id, content: earlier, at: memory.at }]);
          expect([first?.supersededBy, second?.supersededBy]).toEqual([undefined, correction.memory.id]);
        }
        expect((await recall(`${earlier} now`)).map(({ memory }) => memory.content)).toEqual([later]);
      }
    },
  );

  it("can restore an earlier statement", async () => {
    const { store, recalled } = await openMemory();
    await store("The default branch is called main");
    await store("The default branch is called trunk");
    expect((await store("The default branch is called main")).status).toBe(201);
    const found = await recalled("what is the default branch called");
    expect(found[0]).toBe("The default branch is called main");
    expect(await recalled("current default branch")).toEqual(["The default branch is called main"]);
  });

  it.each([
    ["The timeout of the gateway is 30 seconds", "The timeout of the ledger is 60 seconds"],
    ["Ada reviews the migrations", "Ada reviews the dashboards"],
    ["The auth service is written in Go", "The auth service is owned by Ada"],
    ["Use tabs in Go files", "Use two spaces in TypeScript files"],
  ])("leaves both statements in force: %j and %j", async (one, other) => {
    const { store } = await openMemory();
    await store(one);
    expect((await store(other)).memory.supersedes).toBeUndefined();
  });

  it("needs the same agent for a first-person statement, and is undone when forgotten", async () => {
    const { store, recall, send } = await openMemory();
    await store("I live in Paris near the canal", { agent: "Ann" });
    expect(
      (await store("I live in Rome near the canal", { agent: "Bob" })).memory.supersedes,
    ).toBeUndefined();
    const { memory } = await store("I live in Berlin near the canal", { agent: "Ann", thread: "later" });
    expect(memory.supersedes).toHaveLength(1);
    await send("DELETE", `/${memory.id}`);
    const found = await recall("canal");
    expect(found.map(({ supersededBy }) => supersededBy)).toEqual([undefined, undefined]);
  });

  it("may supersede an earlier text of the same call", async () => {
    const { send, recall } = await openMemory();
    const memories = ["The API listens on port 3000", "The API now listens on port 4000"].map((content) => ({
      content,
    }));
    const { body } = await send("POST", "/store-many", { body: { memories } });
    const [first] = await recall("port of the API");
    expect([first?.memory.content, first?.memory.supersedes]).toEqual([
      memories[1]?.content,
      [body.items[0].id],
    ]);
  });
});
