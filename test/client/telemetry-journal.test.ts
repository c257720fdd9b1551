import { readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { append, entriesOf } from "../../src/client/telemetry/journal.ts";
import { temporaryDirectory } from "../support/store.ts";

/** An action of another process, between the opening of the journal and the write. */
const meanwhile = vi.hoisted(() => ({ act: () => {} }));

// Test files share modules. These are loaded again with the fake node:fs, and dropped afterwards.
vi.hoisted(() => vi.resetModules());
afterAll(() => {
  vi.doUnmock("node:fs");
  vi.resetModules();
});

vi.mock("node:fs", async (original) => {
  const fs = await original<typeof import("node:fs")>();
  return {
    ...fs,
    openSync: (...args: Parameters<typeof fs.openSync>) => {
      const file = fs.openSync(...args);
      meanwhile.act();
      return file;
    },
  };
});

it("append() writes an entry again if the journal was taken for sealing before the write", () => {
  const directory = temporaryDirectory();
  const taken = join(directory, "taken-1.jsonl");
  let content = "not read";
  meanwhile.act = () => {
    meanwhile.act = () => {};
    renameSync(join(directory, "pending.jsonl"), taken);
    content = readFileSync(taken, "utf8");
  };
  append(directory, { id: "evt_1", at: 1, event: { event: "api.call" } });
  expect(content, "what was sealed").toBe("");
  expect(entriesOf(directory)).toEqual([{ id: "evt_1", at: 1, event: { event: "api.call" } }]);
  expect(entriesOf(directory, "taken-1.jsonl")).toHaveLength(1);
});
