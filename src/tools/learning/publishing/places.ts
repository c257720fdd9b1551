import { GLOBAL } from "../../../store/store.ts";
import { defined } from "../../../system/defined.ts";
import { pathOf } from "../cell.ts";
import {
  batches,
  placeId,
  publishedPlaces,
  type StandingDocument,
  standingId,
  standings,
  waiting,
} from "../documents.ts";
import type { MeasureType } from "../types.ts";
import type { Ledger } from "./ledger.ts";

/**
 * Changes where a project is published and waits, together with the cohorts that count it. Nothing else
 * changes these.
 */
export async function changeStanding(
  ledger: Ledger,
  type: MeasureType,
  pseudonym: string,
  change: (before: StandingDocument | undefined) => StandingDocument | undefined,
): Promise<void> {
  const { tx } = ledger;
  const id = standingId(pseudonym, type);
  const before = await tx.get(standings, GLOBAL, id);
  const after = change(before);
  if (before) await takeAway(ledger, pseudonym, before);
  if (!after) return tx.delete(standings, GLOBAL, id);
  await put(ledger, pseudonym, after);
  await tx.put(standings, GLOBAL, id, after);
}

async function takeAway(ledger: Ledger, pseudonym: string, standing: StandingDocument): Promise<void> {
  const { tx } = ledger;
  const { key, told: place } = standing;
  const id = placeId(place?.depth ?? 0, key, pseudonym);
  if (standing.waiting) await tx.delete(waiting, GLOBAL, id);
  if (!place) return;
  await countIn(ledger, standing, -1);
  await tx.delete(publishedPlaces, GLOBAL, id);
  await tx.delete(batches, GLOBAL, `${place.batch}>${pseudonym}`);
}

async function put(ledger: Ledger, pseudonym: string, standing: StandingDocument): Promise<void> {
  const { tx } = ledger;
  const { account, key, known, told: place } = standing;
  const id = placeId(place?.depth ?? 0, key, pseudonym);
  if (standing.waiting) await tx.put(waiting, GLOBAL, id, { account, ...standing.waiting });
  if (!place) return;
  await countIn(ledger, standing, 1);
  await tx.put(publishedPlaces, GLOBAL, id, { account, ...defined({ known }) });
  await tx.put(batches, GLOBAL, `${place.batch}>${pseudonym}`, { account, key });
}

async function countIn(
  ledger: Ledger,
  { account, key, told: place }: StandingDocument,
  by: 1 | -1,
): Promise<void> {
  if (!place) return;
  for (const cohort of pathOf(key).slice(0, place.depth + 1)) {
    await ledger.count(cohort, account, place.bucket, by);
  }
}
