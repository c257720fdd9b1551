import { expect, it } from "vitest";
import { namedTools, OTHER_TOOLS, toolIn, usageToolNames } from "../../../src/metering/usage/tool-names.ts";
import { DAY_MS } from "../../../src/system/durations.ts";
import { fakeClock } from "../../support/clock.ts";
import { openTestStore } from "../../support/store.ts";

it.each([
  [
    "is named by the first that has a member of that name",
    [undefined, {}, { tool: "a" }, { tool: "b" }],
    "a",
  ],
  ["is none where none has", [undefined, { other: "a" }], ""],
  ["is none where that is empty", [{ tool: "" }], ""],
  ["is none where that is null", [{ tool: null }], ""],
  ["is none where it is only inherited", [Object.create({ tool: "a" })], ""],
  ["may have 64 characters", [{ tool: "x".repeat(64) }], "x".repeat(64)],
  ["is another where they are more", [{ tool: "x".repeat(65) }], OTHER_TOOLS],
  ["is another where it is no text", [{ tool: 1 }], OTHER_TOOLS],
  ["is another where it cannot be shown", [{ tool: "a\u0000" }], OTHER_TOOLS],
])("a tool %s", (_, given, name) => {
  expect(toolIn(...given)).toBe(name);
});

it("a project counts a hundred tools a day by name, the first ones, and further ones together", async () => {
  const clock = fakeClock();
  const store = await openTestStore({ clock, collections: [usageToolNames] });
  const countedAs = async (tools: string[], projectId = "default") => {
    const uses = tools.map((tool) => ({
      at: clock.now(),
      origin: { accountId: "acc", projectId, keyId: "", userId: "", tool },
    }));
    return (await store.transact((tx) => namedTools(tx, uses))).map(({ origin }) => origin.tool);
  };
  const hundred = Array.from({ length: 100 }, (_, index) => `tool${index}`);
  expect(await countedAs([...hundred.slice(1), ""])).toEqual([...hundred.slice(1), ""]);
  expect(await countedAs(["tool0", "late", "tool7"])).toEqual(["tool0", OTHER_TOOLS, "tool7"]);
  expect(await countedAs(["late"], "another")).toEqual(["late"]);
  clock.jump(DAY_MS);
  expect(await countedAs(["late"])).toEqual(["late"]);
});
