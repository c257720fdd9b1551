import { openStore } from "../../../../src/store/open.ts";
import { collection, type LimitWindow, StoreUnavailable } from "../../../../src/store/store.ts";
import { systemClock } from "../../../../src/system/clock.ts";
import { createLog } from "../../../../src/system/log.ts";

/*
 * An instance in a process of its own, on the database that its argument names, for tests that kill or suspend it.
 * It reports the answer to each admission and each write.
 */

export type Order = { admit: number; windows: LimitWindow[] } | { write: number };
export type Told = "ready" | "admitted" | "refused" | "unanswered" | { written: string };

export const events = collection<{ n: number }>("events");

const store = await openStore(process.argv[2] as string, {
  collections: [events],
  clock: systemClock,
  log: createLog("silent"),
});
const tell = (told: Told) => process.send?.(told);

process.on("message", (order: Order) => {
  if ("admit" in order) for (let n = 0; n < order.admit; n++) void admit(order.windows);
  else for (let caller = 0; caller < order.write; caller++) void write(caller);
});
process.on("disconnect", () => process.exit());
tell("ready");

async function admit(windows: LimitWindow[]): Promise<void> {
  const outcome = store.admit(windows).then(({ admitted }) => (admitted ? "admitted" : "refused"));
  tell(await outcome.catch(() => "unanswered" as const));
}

async function write(caller: number): Promise<void> {
  for (let n = 0; ; n++) {
    const id = `${caller}/${n}`;
    try {
      await store.transact(async (tx) => {
        await tx.increment("events", "acc", "all", 1);
        await tx.insert(events, "acc", id, { n });
      });
      tell({ written: id });
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      await systemClock.sleep(5);
    }
  }
}
