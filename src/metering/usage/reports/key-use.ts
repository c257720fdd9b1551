import type { KeyUse } from "../../../accounts/credentials/keys-handlers.ts";
import { Problem } from "../../../contract/problem.ts";
import type { Store } from "../../../store/store.ts";
import type { Clock } from "../../../system/clock.ts";
import { DAY_MS, HOUR_MS } from "../../../system/durations.ts";
import { groupedReports } from "./grouped-report.ts";

const DAYS = 30;

/**
 * Returns a function that counts a key's uses in the last 30 days; undefined if the report is refused, such as under
 * load.
 */
export function createKeyUse(store: Pick<Store, "transact">, clock: Pick<Clock, "now">): KeyUse {
  const report = groupedReports(store);
  return async (accountId, keyId) => {
    const to = (Math.floor(clock.now() / HOUR_MS) + 1) * HOUR_MS;
    const from = to - DAYS * DAY_MS;
    try {
      const { totals } = await report(accountId, {
        selection: { accountId, keyId },
        dimensions: [],
        from,
        to,
      });
      return totals.total;
    } catch (error) {
      if (error instanceof Problem) return undefined;
      throw error;
    }
  };
}
