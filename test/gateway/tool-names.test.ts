import { expect, it } from "vitest";
import { createToolNames, listedTools } from "../../src/gateway/calls/tool-names.ts";
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
