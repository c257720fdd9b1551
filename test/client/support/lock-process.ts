/** A test process that takes a lock again and again, and reports if it does not hold it alone. */

import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createProcessLock } from "../../../src/client/telemetry/process-lock.ts";
import { systemClock } from "../../../src/system/clock.ts";

const [directory = ""] = process.argv.slice(2);
const inside = join(directory, "inside");
const lock = createProcessLock(directory, "test", systemClock);

for (;;) {
  const release = lock.acquire();
  if (!release) {
    await systemClock.sleep(1);
    continue;
  }
  writeFileSync(inside, String(process.pid));
  for (let look = 0; look < 20; look++) {
    const found = readFileSync(inside, "utf8");
    if (found !== String(process.pid)) appendFileSync(join(directory, "violations"), `${found}\n`);
  }
  appendFileSync(join(directory, "turns"), `${process.pid}\n`);
  release();
}
