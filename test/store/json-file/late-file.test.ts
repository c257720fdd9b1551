import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { openStore, openUnsafeStore } from "../../../src/store/open.ts";
import { accountSpace, collection } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { createLog } from "../../../src/system/log.ts";
import { temporaryDirectory } from "../../support/store.ts";

const notes = collection<string>("notes");
const space = accountSpace("acc_1");
const options = { collections: [notes], clock: systemClock, log: createLog("silent") };

function onDisk(directory: string): string {
  const files = readdirSync(directory, { withFileTypes: true }).filter((entry) => entry.isFile());
  return files.map(({ name }) => readFileSync(join(directory, name), "utf8")).join("");
}

it("an unsafe store answers from memory, and saves its writes when closed", async () => {
  const directory = temporaryDirectory();
  const unsafe = await openUnsafeStore(directory, options);
  for (let note = 0; note < 20; note++) {
    await unsafe.transact((tx) => tx.put(notes, space, `n${note}`, "é".repeat(note)));
  }
  expect(await unsafe.transact((tx) => tx.get(notes, space, "n3"))).toBe("ééé");
  expect(onDisk(directory)).not.toContain("é");
  await unsafe.close();
  expect(onDisk(directory)).toContain("é".repeat(19));

  const store = await openStore(directory, options);
  const found = await store.transact((tx) => tx.list(notes, space));
  await store.close();
  expect(found).toHaveLength(20);
  expect(found.find(({ id }) => id === "n7")?.value).toBe("é".repeat(7));
});
