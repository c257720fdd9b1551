import { createHash } from "node:crypto";
import type { Clock } from "../../src/system/clock.ts";
import { createRandom, type Random } from "../../src/system/random.ts";

/** Returns a source of randomness that gives the same bytes for the same seed. */
export function seededRandom(clock: Pick<Clock, "now">, seed = "seed"): Random {
  let counter = 0;
  return createRandom(clock, (length) => {
    const blocks: Buffer[] = [];
    for (let have = 0; have < length; have += 32) {
      blocks.push(createHash("sha256").update(`${seed}/${counter++}`).digest());
    }
    return Buffer.concat(blocks).subarray(0, length);
  });
}
