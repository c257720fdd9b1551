import { pageOf } from "../../contract/endpoint.ts";
import type { Space, Store } from "../../store/store.ts";
import { iso } from "../../system/clock.ts";
import type { Category } from "./categories.ts";
import { type DiagnosisDocument, diagnoses, diagnosesByCategory } from "./documents.ts";

interface Query {
  category?: Category | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Returns a page of diagnoses, newest first. The cursor is the id of the last one of the previous page. */
export async function historyOf(store: Store, space: Space, { category, limit, cursor }: Query) {
  const found = await store.transact(async (tx) => {
    const prefix = category === undefined ? "" : `${category}/`;
    const options = {
      prefix,
      limit: limit + 1,
      order: "descending",
      ...(cursor !== undefined && { after: prefix + cursor }),
    } as const;
    if (category === undefined) return tx.list(diagnoses, space, options);
    const ids = (await tx.list(diagnosesByCategory, space, options)).map(({ id }) => id.slice(prefix.length));
    const values = await Promise.all(ids.map((id) => tx.get(diagnoses, space, id)));
    return ids.flatMap((id, index) => (values[index] ? [{ id, value: values[index] }] : []));
  });
  const { items, ...next } = pageOf(found, limit, ({ id }) => id);
  return { items: items.map(({ id, value }) => itemOf(id, value)), ...next };
}

export function itemOf(diagnosisId: string, { at, cause, outcomes, advice: _, ...rest }: DiagnosisDocument) {
  return {
    diagnosisId,
    at: iso(at),
    ...rest,
    cause: cause ?? null,
    outcomes: outcomes.map((outcome) => ({ ...outcome, at: iso(outcome.at) })),
  };
}
