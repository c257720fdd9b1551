import { GLOBAL } from "../../../store/store.ts";
import { bucketOf } from "../buckets.ts";
import { type Cell, conversionOf, keyOf } from "../cell.ts";
import {
  type HistoryDocument,
  histories,
  type StandingDocument,
  standingId,
  standings,
} from "../documents.ts";
import type { Pseudonyms } from "../pseudonyms.ts";
import type { Ledger } from "./ledger.ts";
import { changeStanding } from "./places.ts";
import { publish } from "./publish.ts";
import { withdraw } from "./withdraw.ts";

const MAX_KEPT = 100;

/** A measurement in the unit that it was sent in. */
export interface Measurement extends Cell {
  value: number;
  at: number;
  /** A new id for the values that are published together with it. */
  batch: string;
}

/** Records a measurement in place of the project's previous one of the type. It is published once there are enough. */
export async function recordMeasurement(
  ledger: Ledger,
  { project, account }: Pseudonyms,
  { value, at, batch, ...cell }: Measurement,
): Promise<StandingDocument> {
  const { tx } = ledger;
  const { type, unit: given } = cell;
  const id = standingId(project, type);
  const { unit, factor } = conversionOf(given);
  const history = historyWith(await tx.get(histories, GLOBAL, id), { unit: given, at, value });
  await tx.put(histories, GLOBAL, id, history);

  const key = keyOf({ ...cell, unit });
  const bucket = bucketOf(value * factor);
  const before = await tx.get(standings, GLOBAL, id);
  if (before && before.key !== key) await withdraw(ledger, type, project);
  await changeStanding(ledger, type, project, (standing) => {
    const told = standing?.told && { told: standing.told };
    return { account, key, bucket, waiting: { fresh: true }, ...told };
  });
  await publish(ledger, { type, key, account, batch });
  return (await tx.get(standings, GLOBAL, id)) as StandingDocument;
}

/** Appends a measurement to a history. Earlier values are converted to its unit, or dropped if they cannot be. */
function historyWith(
  before: HistoryDocument | undefined,
  { unit, at, value }: { unit: string; at: number; value: number },
): HistoryDocument {
  const [old, now] = [conversionOf(before?.unit ?? unit), conversionOf(unit)];
  const kept = old.unit === now.unit ? (before?.values ?? []) : [];
  const scale = before?.unit === unit ? 1 : old.factor / now.factor;
  const values = kept.map((each) => ({ at: each.at, value: each.value * scale }));
  return { unit, values: [...values, { at, value }].slice(-MAX_KEPT) };
}
