import { createAuditTrail } from "../../src/audit/trail.ts";
import type { Store } from "../../src/store/store.ts";
import type { Clock } from "../../src/system/clock.ts";
import { seededRandom } from "./random.ts";

/** A trail in a store, which must hold the collections of `src/audit/model.ts`. */
export function testTrail(store: Store, clock: Clock) {
  return createAuditTrail({ store, clock, random: seededRandom(clock, "trail"), log: { info: () => {} } });
}
