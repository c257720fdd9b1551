import { createAuditTrail } from "../../../src/audit/trail.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Clock } from "../../../src/system/clock.ts";
import { seededRandom } from "../random.ts";

let trails = 0;

/** Creates an audit trail in a store, which must have the collections of `src/audit/model.ts`. */
export function testTrail(store: Store, clock: Clock) {
  // A seed for each trail, so that several servers on one store make different ids.
  const random = seededRandom(clock, `trail ${trails++}`);
  return createAuditTrail({ store, random, log: { info: () => {} } });
}
