import { type Input, type Output, pageOf } from "../../contract/endpoint.ts";
import { Problem } from "../../contract/problem.ts";
import type { Space, Transaction } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import type { anomaliesContract, MetricSettings } from "./contract.ts";
import type { Settings } from "./detecting/detector.ts";
import { type MetricDocument, metrics } from "./documents.ts";

export interface Change {
  metric: string;
  before: MetricSettings;
  after: MetricSettings;
}

type Listed = typeof anomaliesContract.settings;

/** Returns a page of metrics by name. The cursor is the last name of the previous page. */
export async function settingsPage(
  tx: Transaction,
  space: Space,
  { limit, cursor }: Input<Listed>,
): Promise<Output<Listed>> {
  const found = await tx.list(metrics, space, {
    ...defined({ after: cursor }),
    limit: limit + 1,
  });
  const { items: page, ...next } = pageOf(found, limit, ({ id }) => id);
  const items = page.map(({ id, value }) => ({
    metric: id,
    settings: settingsOf(value),
    dismissed: value.dismissed ?? {},
  }));
  return { items, ...next };
}

/** Changes the settings of a metric. Null removes a setting; undefined keeps it. */
export async function changeSettings(
  tx: Transaction,
  space: Space,
  metric: string,
  change: Partial<MetricSettings>,
): Promise<Change> {
  const said = (await tx.get(metrics, space, metric)) ?? {};
  const after = { ...said };
  for (const name of ["low", "high", "maxGapMs"] as const) {
    const value = change[name];
    if (value === null) delete after[name];
    else if (value !== undefined) after[name] = value;
  }
  requireOrder(after);
  await tx.put(metrics, space, metric, after);
  return { metric, before: settingsOf(said), after: settingsOf(after) };
}

export function settingsOf({ low, high, maxGapMs }: MetricDocument): MetricSettings {
  return { low: low ?? null, high: high ?? null, maxGapMs: maxGapMs ?? null };
}

function requireOrder({ low, high }: Settings): void {
  if (low === undefined || high === undefined || low < high) return;
  throw new Problem(
    "unprocessable",
    `The lower threshold, ${low}, would not be below the upper one, ${high}. Change or remove the other one first.`,
  );
}
