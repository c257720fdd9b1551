import { isDeepStrictEqual } from "node:util";
import { Problem } from "../../contract/problem.ts";
import type { Space, Transaction } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import { type AnomalyDocument, anomalies, metrics } from "./documents.ts";
import { type Change, changeSettings, settingsOf } from "./settings.ts";

export async function anomalyIn(tx: Transaction, space: Space, id: string): Promise<AnomalyDocument> {
  const anomaly = await tx.get(anomalies, space, id);
  if (anomaly) return anomaly;
  throw new Problem("not_found", `There is no anomaly "${id}" in this project.`);
}

/** Reads an open anomaly. Throws `Problem` `not_found`, or `invalid_state` if it was already decided on. */
async function openAnomaly(tx: Transaction, space: Space, id: string): Promise<AnomalyDocument> {
  const anomaly = await anomalyIn(tx, space, id);
  if (anomaly.state !== "open") {
    throw new Problem(
      "invalid_state",
      `The anomaly "${id}" is ${anomaly.state} already; only an open one can be decided on.`,
      {
        members: { state: anomaly.state },
      },
    );
  }
  return anomaly;
}

export async function dismiss(
  tx: Transaction,
  space: Space,
  { id, reason, now }: { id: string; reason: string | undefined; now: number },
): Promise<AnomalyDocument> {
  const anomaly = await openAnomaly(tx, space, id);
  const { metric, kind } = anomaly;
  const decided: AnomalyDocument = {
    ...anomaly,
    state: "dismissed",
    decidedAt: now,
    ...defined({ reason }),
  };
  await tx.put(anomalies, space, id, decided);
  const said = (await tx.get(metrics, space, metric)) ?? {};
  const dismissed = { ...said.dismissed, [kind]: (said.dismissed?.[kind] ?? 0) + 1 };
  await tx.put(metrics, space, metric, { ...said, dismissed });
  return decided;
}

export async function apply(
  tx: Transaction,
  space: Space,
  { id, now }: { id: string; now: number },
): Promise<{ anomaly: AnomalyDocument; changed: Change }> {
  const anomaly = await openAnomaly(tx, space, id);
  const { suggestion } = anomaly;
  if (!suggestion) {
    throw new Problem("unprocessable", `The anomaly "${id}" comes without a suggestion. Dismiss it instead.`);
  }
  const { metric, ...settings } = suggestion.parameters;
  const changed = await changeSettings(tx, space, metric, settings);
  const { before, after } = changed;
  const decided: AnomalyDocument = {
    ...anomaly,
    state: "applied",
    decidedAt: now,
    changed: { before, after },
  };
  await tx.put(anomalies, space, id, decided);
  return { anomaly: decided, changed };
}

/**
 * Reverts a decision: a dismissal no longer counts, and applied settings are set back. Throws `Problem`
 * `invalid_state` if there is no decision, or if the settings were changed since.
 */
export async function reopen(tx: Transaction, space: Space, id: string): Promise<AnomalyDocument> {
  const anomaly = await anomalyIn(tx, space, id);
  const { state, metric, kind, changed, decidedAt: _, reason: __, ...rest } = anomaly;
  const open: AnomalyDocument = { ...rest, metric, kind, state: "open" };
  if (state === "open")
    throw new Problem("invalid_state", `The anomaly "${id}" is open.`, { members: { state } });
  const said = (await tx.get(metrics, space, metric)) ?? {};
  if (state === "dismissed") {
    const { [kind]: count = 0, ...others } = said.dismissed ?? {};
    const dismissed = count > 1 ? { ...others, [kind]: count - 1 } : others;
    await tx.put(metrics, space, metric, { ...said, dismissed });
  } else if (changed && isDeepStrictEqual(settingsOf(said), changed.after)) {
    await changeSettings(tx, space, metric, changed.before);
  } else {
    throw new Problem(
      "invalid_state",
      `The settings of "${metric}" were changed since "${id}" was applied. Change them as they are to be instead.`,
      { members: { state } },
    );
  }
  await tx.put(anomalies, space, id, open);
  return open;
}
