import type { ExportedDocument, Step } from "../../../accounts/export/pages.ts";
import type { UserPart } from "../../../accounts/export/person.ts";
import type { Store } from "../../../store/store.ts";
import { GRANULARITIES, type Granularity } from "../../contract.ts";
import { countsByOrigin, ORIGIN_COUNTERS } from "../origins.ts";

/** Counters read in one step. */
const SLICE = 2000;
/** Of one counter, about. */
const CHARACTERS = 100;
/** From before the first use until after the last. */
const EVER = { from: 0, to: Date.UTC(9999, 0) };

/** Returns the parts of an export with what was counted of a user, by hour, day and month. */
export function usageParts(store: Pick<Store, "transact">): UserPart[] {
  return GRANULARITIES.map((granularity) => async ({ accountId, userId }, after): Promise<Step> => {
    const page = { after, limit: SLICE };
    const read = await store.transact((tx) => countsByOrigin(tx, accountId, { granularity, ...EVER }, page));
    const own = read.uses.filter(({ origin }) => origin.userId === userId);
    const items = own.map((use) => documentOf(granularity, use));
    return { items, characters: read.uses.length * CHARACTERS, after: read.after };
  });
}

type Use = Awaited<ReturnType<typeof countsByOrigin>>["uses"][number];

function documentOf(granularity: Granularity, { bucket, type, count, origin }: Use): ExportedDocument {
  const { projectId, keyId, tool } = origin;
  return {
    collection: ORIGIN_COUNTERS[granularity],
    ...(projectId !== "" && { projectId }),
    id: [bucket, type, keyId, tool].join("/"),
    value: { [granularity]: bucket, type, count, key: keyId, ...(tool !== "" && { tool }) },
  };
}
