import { writeSync } from "node:fs";
import { openJsonFileStore } from "../../../src/store/json-file/json-file-store.ts";
import { collection, GLOBAL } from "../../../src/store/store.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { createLog } from "../../../src/system/log.ts";

/** Writes until it is killed, at most `most` times. Prints `send <id>` before and `ack <id>` after each transaction. */
const [directory, run, most = "Infinity"] = process.argv.slice(2) as [string, string, string?];
const notes = collection<{ text: string }>("notes");
const store = await openJsonFileStore(directory, {
  clock: systemClock,
  log: createLog("warn"),
  minimumBytes: 30_000,
});
let next = 0;

async function write(): Promise<void> {
  while (next < Number(most)) {
    const id = `${run}-${next++}`;
    writeSync(1, `send ${id}\n`);
    await store.transact(async (tx) => {
      await tx.insert(notes, GLOBAL, id, { text: "x".repeat(next % 300) });
      await tx.increment("writes", GLOBAL, "all", 1);
    });
    writeSync(1, `ack ${id}\n`);
    process.send?.("acknowledged");
  }
}

await Promise.all(Array.from({ length: 20 }, write));
await new Promise(() => setInterval(() => {}, 60_000));
