import { expect, it } from "vitest";
import { OTHER_TOOLS, toolIn } from "../../../src/metering/usage/tool-names.ts";

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
