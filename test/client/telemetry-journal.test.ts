import { existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { append, entriesOf } from "../../src/client/telemetry/journal.ts";
import { temporaryDirectory } from "../support/store.ts";

/** Actions of another process: between the opening of the journal and the write, and once it is closed. */
const meanwhile = vi.hoisted(() => ({ act: () => {}, actOnceClosed: () => {} }));

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
    closeSync: (file: number) => {
      fs.closeSync(file);
      meanwhile.actOnceClosed();
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

it("append() writes an entry again if the journal was sealed and a new one has its number, as file systems reuse them", () => {
  const directory = temporaryDirectory();
  const pending = join(directory, "pending.jsonl");
  const other = { id: "evt_2", at: 2, event: { event: "api.call" } };
  meanwhile.act = () => {
    meanwhile.act = () => {};
    rmSync(pending);
  };
  meanwhile.actOnceClosed = () => {
    meanwhile.actOnceClosed = () => {};
    writeFileSync(pending, `${JSON.stringify(other)}\n`, { flag: "a" });
  };
  append(directory, { id: "evt_1", at: 1, event: { event: "api.call" } });
  expect(
    entriesOf(directory)
      .map(({ id }) => id)
      .sort(),
  ).toEqual(["evt_1", "evt_2"]);
});

it.runIf(existsSync("/dev/full"))("append() names its file on a full disk", () => {
  const directory = temporaryDirectory();
  const path = join(directory, "pending.jsonl");
  symlinkSync("/dev/full", path);
  const adding = () => append(directory, { id: "evt_1", at: 1, event: { event: "api.call" } });
  expect(adding).toThrow(expect.objectContaining({ code: "ENOSPC", path }));
});
