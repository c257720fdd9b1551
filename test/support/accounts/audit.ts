import { createAuditTrail } from "../../../src/audit/trail.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Clock } from "../../../src/system/clock.ts";
import { seededRandom } from "../random.ts";

let trails = 0;

/** A trail in a store, which must hold the collections of `src/audit/model.ts`. */
export function testTrail(store: Store, clock: Clock) {
  // Several servers of one store make ids that differ.
  const random = seededRandom(clock, `trail ${trails++}`);
  return createAuditTrail({ store, random, log: { info: () => {} } });
}
