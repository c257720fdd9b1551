import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openStore, readStore } from "../../src/store/open.ts";
import { terminateProcess } from "../../src/store/terminate-process.ts";
import { systemClock } from "../../src/system/clock.ts";
import { createLog } from "../../src/system/log.ts";
import { temporaryDirectory } from "../support/store.ts";

const options = { collections: [], clock: systemClock, log: createLog("silent") };

it("openStore() opens a directory for a name that only resembles a database URL", async () => {
  for (const name of ["postgres", "postgresql-data", "my-postgres:", "Postgres:"]) {
    const where = join(temporaryDirectory(), name);
    await (await openStore(where, options)).close();
    expect(readdirSync(where)).toEqual(["journal.jsonl"]);
  }
});

it.each(["postgres://127.0.0.1:1/none", "postgresql://127.0.0.1:1/none"])(
  "openStore() and readStore() treat %s as a database",
  async (where) => {
    await expect(openStore(where, options)).rejects.toThrow("the database");
    await expect(readStore(where, options).next()).rejects.toThrow("the database");
    expect(existsSync(where.split("/")[0] as string)).toBe(false);
  },
);

it("terminateProcess() logs the error, then exits with code 1", () => {
  const told: unknown[] = [];
  const { exit } = process;
  process.exit = ((code: number) => told.push(["exit", code])) as never;
  try {
    terminateProcess({ error: ((details: unknown) => told.push(details)) as never })(new Error("the disk"));
  } finally {
    process.exit = exit;
  }
  expect(told).toEqual([{ err: new Error("the disk") }, ["exit", 1]]);
});

it.each(["", "mysql://db/d", '"postgres://db/d"'])("a store is not opened at %j", async (where) => {
  await expect(openStore(where, options)).rejects.toThrow("named by a directory or a postgres:// URL");
});
