import { pageOf } from "../../contract/endpoint.ts";
import type { Space, Store } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import { othersFirst } from "../../system/others-first.ts";
import {
  type ErrorGroupDocument,
  errorDetails,
  errorGroups,
  errorGroupsByTime,
  fingerprintIn,
  timeId,
} from "./documents.ts";
import type { ErrorGroup, Sort, State } from "./groups/contract.ts";
import { stateOf } from "./groups/decision.ts";
import { groupOf } from "./groups/shown.ts";

interface Query {
  /** Milliseconds since the epoch. */
  since?: number | undefined;
  state?: State | undefined;
  query?: string | undefined;
  release?: string | undefined;
  environment?: string | undefined;
  sort?: Sort;
  limit: number;
  cursor?: string | undefined;
}

interface Found {
  /** Its `timeId`. */
  id: string;
  space: Space;
  group: ErrorGroupDocument;
}

/** Groups read at a time, so that a search among many does not delay other requests. */
const SLICE = 100;

/**
 * Returns the groups of some spaces that match a query. The cursor is the place of the last group of the
 * previous page.
 */
export async function listErrors(
  store: Store,
  spaces: readonly Space[],
  { limit, cursor, sort = "lastSeen", ...query }: Query,
  now: number,
): Promise<{ items: ErrorGroup[]; nextCursor?: string }> {
  const isFound = filterOf(query, now);
  const lists = await Promise.all(
    spaces.map(async (space, index) => {
      const found: (Found & { place: string })[] = [];
      for await (const slice of slicesOf(store, space, sort === "lastSeen" ? cursor : undefined)) {
        for (const each of slice) {
          const place = `${placeOf(each, sort)}/${index}`;
          if (isFound(each.group) && (cursor === undefined || place < cursor)) found.push({ ...each, place });
        }
        const last = slice.at(-1);
        if (last && last.group.lastSeenAt < (query.since ?? 0)) break;
        if (sort === "lastSeen" && found.length > limit) break;
      }
      return found;
    }),
  );
  const found = lists.flat().sort((left, right) => (left.place < right.place ? 1 : -1));
  const { items: page, ...next } = pageOf(found, limit, ({ place }) => place);
  const items = await store.transact((tx) =>
    Promise.all(
      page.map(async ({ id, space, group }) => {
        const fingerprint = fingerprintIn(id);
        return groupOf(fingerprint, group, await tx.get(errorDetails, space, fingerprint), now);
      }),
    ),
  );
  return { items, ...next };
}

/**
 * Yields all groups of a space after a place, most recently seen first. A group whose `timeId` begins the place is among
 * them: the place may be that of a group in another space.
 */
async function* slicesOf(store: Store, space: Space, cursor: string | undefined): AsyncGenerator<Found[]> {
  for (let after = cursor; ; await othersFirst()) {
    const options = { order: "descending", limit: SLICE, ...defined({ after }) } as const;
    const slice = await store.transact(async (tx) => {
      const places = await tx.list(errorGroupsByTime, space, options);
      const groups = await Promise.all(places.map(({ id }) => tx.get(errorGroups, space, fingerprintIn(id))));
      return places.map(({ id }, index) => ({ id, space, group: groups[index] }));
    });
    yield slice.filter((each): each is Found => each.group !== undefined);
    if (slice.length < SLICE) return;
    after = slice.at(-1)?.id;
  }
}

/** Returns the place of a group among those of its space. Groups of two spaces may have the same. */
function placeOf({ id, group }: Found, sort: Sort): string {
  if (sort === "lastSeen") return id;
  return timeId(sort === "count" ? group.count : group.firstSeenAt, fingerprintIn(id));
}

function filterOf({ since = 0, state, query = "", release, environment }: Omit<Query, "limit">, now: number) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return (group: ErrorGroupDocument): boolean => {
    if (group.lastSeenAt < since) return false;
    if (state !== undefined && stateOf(group, now) !== state) return false;
    if (release !== undefined && !group.releases?.some(({ name }) => name === release)) return false;
    if (environment !== undefined && !group.environments?.includes(environment)) return false;
    if (words.length === 0) return true;
    const text = `${group.type} ${group.message} ${group.route ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
}
