import { type Input, type Output, pageOf } from "../../contract/endpoint.ts";
import type { Entry, Space, Transaction } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import type { anomaliesContract } from "./contract.ts";
import { type AnomalyDocument, anomalies, anomalyOf } from "./documents.ts";
import { readSurroundings } from "./surroundings.ts";

type Query = Input<typeof anomaliesContract.history>;
type Page = Output<typeof anomaliesContract.history>;

/** Anomalies that are read at a time when a filter is set. */
const BATCH = 500;

/** Returns a page of anomalies, newest first. The cursor is the last id of the previous page. */
export async function historyPage(
  tx: Transaction,
  space: Space,
  { state, metric, severity, include, limit, cursor }: Query,
): Promise<Page> {
  const found: Entry<AnomalyDocument>[] = [];
  let after = cursor;
  let more = true;
  while (more && found.length <= limit) {
    const batch = await tx.list(anomalies, space, {
      ...defined({ after }),
      limit: state || severity || metric !== undefined ? BATCH : limit + 1,
      order: "descending",
    });
    for (const entry of batch) {
      const { value } = entry;
      if (state && value.state !== state) continue;
      if (severity && value.severity !== severity) continue;
      if (metric !== undefined && value.metric !== metric) continue;
      found.push(entry);
    }
    after = batch.at(-1)?.id;
    more = batch.length > 0;
  }
  const { items, ...next } = pageOf(found, limit, ({ id }) => id);
  const listed = items.map(async ({ id, value }) => ({
    ...anomalyOf(id, value),
    ...(include === "around" && { around: await readSurroundings(tx, space, id) }),
  }));
  return { items: await Promise.all(listed), ...next };
}
