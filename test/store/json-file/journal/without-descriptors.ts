import { openSync } from "node:fs";
import { openJsonFileStore } from "../../../../src/store/json-file/json-file-store.ts";
import { collection, GLOBAL } from "../../../../src/store/store.ts";
import { systemClock } from "../../../../src/system/clock.ts";
import { createLog } from "../../../../src/system/log.ts";

/** Opens a store, and then files until no more may be opened. Says whether the store still takes a write a second later. */
const [directory = ""] = process.argv.slice(2);
const notes = collection<{ text: string }>("notes");
const store = await openJsonFileStore(directory, { clock: systemClock, log: createLog("silent") });
try {
  for (;;) openSync("/dev/null", "r");
} catch (error) {
  process.stdout.write(`${(error as NodeJS.ErrnoException).code}\n`);
}
await systemClock.sleep(1000);
const written = await store
  .transact((tx) => tx.insert(notes, GLOBAL, "a", { text: "a" }))
  .then(() => "written", String);
const probed = await store.probe().then(() => "probed", String);
process.stdout.write(`${written}\n${probed}\n`);
process.exit();
