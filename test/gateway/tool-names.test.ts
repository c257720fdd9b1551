import { expect, it } from "vitest";
import { createToolNames, listedTools } from "../../src/gateway/calls/tool-names.ts";
import { GLOBAL } from "../../src/store/store.ts";
import { openTestStore } from "../support/store.ts";

it("names the first 500 tools that an upstream listed, and warns once that there are more", async () => {
  const store = await openTestStore({ collections: [listedTools] });
  const warned: unknown[] = [];
  const log = { warn: (about: unknown) => void warned.push(about) };
  const names = createToolNames({ store, upstream: "files", log });
  const page = (from: number, to: number) =>
    names.note({
      tools: Array.from({ length: to - from }, (_, index) => ({ name: `tool_${from + index}` })),
    });
  await page(0, 300);
  await page(300, 500);
  expect(warned).toEqual([]);
  await page(480, 520);
  await page(520, 540);
  expect(warned).toEqual([{ upstream: "files", mostNames: 500 }]);
  expect(await names.nameOf("tool_499")).toBe("tool_499");
  expect(await names.nameOf("tool_500")).toBe("(unlisted)");
});

it("counts a tool whose name is too long or not well-formed as unlisted, though the upstream lists it", async () => {
  const store = await openTestStore({ collections: [listedTools] });
  const names = createToolNames({ store, upstream: "files", log: { warn: () => {} } });
  const odd = ["half a pair \ud800", "x".repeat(129)];
  await names.note({ tools: ["read", ...odd].map((name) => ({ name })) });
  expect(await Promise.all(["read", ...odd].map(names.nameOf))).toEqual(["read", "(unlisted)", "(unlisted)"]);
  // Earlier versions kept it.
  await store.transact((tx) => tx.put(listedTools, GLOBAL, "files", ["read", ...odd]));
  const others = createToolNames({ store, upstream: "files", log: { warn: () => {} } });
  expect(await Promise.all(["read", ...odd].map(others.nameOf))).toEqual([
    "read",
    "(unlisted)",
    "(unlisted)",
  ]);
});
