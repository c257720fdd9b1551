import { UserId } from "../../contract/endpoint.ts";
import { invalidRequest } from "../../contract/faults.ts";
import type { Problem } from "../../contract/problem.ts";
import { overloaded } from "../../contract/retry-later.ts";
import { accountSpace, type Collection, GLOBAL, isId, projectSpace, type Store } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import { othersFirst } from "../../system/others-first.ts";
import { createTurns } from "../../system/turns.ts";
import { accounts, projects } from "../model.ts";

export interface ExportedDocument {
  collection: string;
  projectId?: string;
  id: string;
  value: unknown;
}

/** Documents read in one transaction, few enough not to block other requests. */
const SLICE = 20;
/** A page ends after this many reads, or this many characters of JSON. */
const MAX_LOOKS = 100;
const MAX_CHARACTERS = 1 << 20;

/**
 * The start of a page: a project, or null for the account's own space; the index of a collection; and the id to
 * continue behind. The project is named, since others may come and go between two pages.
 */
type Place = [projectId: string | null, collection: number, after?: string];

/**
 * Returns a function that exports pages of an account in turn: a page is read in many steps, and hundreds that were
 * half read at once would fill the memory.
 */
export function createExport(
  store: Pick<Store, "transact">,
  collections: readonly Collection<unknown>[],
): (accountId: string, cursor: string | undefined) => ReturnType<typeof exportPage> {
  const turns = createTurns({ maxRunning: 4, maxOfOne: 1, maxWaiting: 100, refusal: tooMany });
  return (accountId, cursor) => turns.run(accountId, () => exportPage(store, accountId, collections, cursor));
}

function tooMany(): Problem {
  return overloaded("Too much is exported at this moment. Ask for this page again in a moment.", 5);
}

/**
 * Returns a page of everything that an account stores, first in its own space and then in its projects'. A page may
 * be empty although more follow. Documents written between two pages may or may not be included. `Problem`
 * `invalid_request` for an invalid cursor.
 */
export async function exportPage(
  store: Pick<Store, "transact">,
  accountId: string,
  collections: readonly Collection<unknown>[],
  cursor: string | undefined,
): Promise<{ items: ExportedDocument[]; nextCursor?: string }> {
  let [projectId, index, after] = cursor === undefined ? ([null, 0] as Place) : placeOf(cursor);
  const items: ExportedDocument[] = [];
  const account =
    cursor === undefined ? await store.transact((tx) => tx.get(accounts, GLOBAL, accountId)) : undefined;
  if (account) items.push({ collection: accounts.name, id: accountId, value: account });
  let characters = 0;
  for (let looks = 0; looks < MAX_LOOKS && characters < MAX_CHARACTERS; looks++) {
    const collection = collections[index];
    if (!collection) {
      const next = await projectBehind(store, accountId, projectId);
      if (next === undefined) return { items };
      [projectId, index, after] = [next, 0, undefined];
      continue;
    }
    const space = projectId === null ? accountSpace(accountId) : projectSpace(accountId, projectId);
    const page = { limit: SLICE, order: "ascending" as const, ...defined({ after }) };
    const entries = await store.transact((tx) => tx.list(collection, space, page));
    const project = projectId === null ? {} : { projectId };
    for (const { id, value } of entries) {
      const text = JSON.stringify(value, withoutSecrets);
      items.push({ collection: collection.name, ...project, id, value: JSON.parse(text) });
      characters += text.length;
    }
    if (entries.length === SLICE) after = entries.at(-1)?.id;
    else [index, after] = [index + 1, undefined];
    // A store in memory answers without letting other requests in.
    if (entries.length > 0) await othersFirst();
  }
  await othersFirst();
  return { items, nextCursor: Buffer.from(JSON.stringify([projectId, index, after])).toString("base64url") };
}

/** Returns the first project behind another, or of all behind null. */
async function projectBehind(
  store: Pick<Store, "transact">,
  accountId: string,
  projectId: string | null,
): Promise<string | undefined> {
  const options = { limit: 1, order: "ascending" as const, ...(projectId !== null && { after: projectId }) };
  const [next] = await store.transact((tx) => tx.ids(projects, accountSpace(accountId), options));
  return next;
}

/** Yields all pages as JSON lines. */
export async function* exportLines(
  page: (cursor: string | undefined) => ReturnType<typeof exportPage>,
): AsyncGenerator<string> {
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await page(cursor);
    yield items.map((item) => `${JSON.stringify(item)}\n`).join("");
    cursor = nextCursor;
  } while (cursor !== undefined);
}

function placeOf(cursor: string): Place {
  try {
    const [projectId, collection, after] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const isSpace = projectId === null || UserId.safeParse(projectId).success;
    const isIndex = Number.isSafeInteger(collection) && collection >= 0;
    if (isSpace && isIndex && (after == null || (typeof after === "string" && isId(after)))) {
      return [projectId, collection, after ?? undefined];
    }
  } catch {}
  throw invalidRequest([{ path: "cursor", message: "is no cursor of this list" }]);
}

/** A `JSON.stringify` replacer that omits the hashes of secrets. */
function withoutSecrets(name: string, value: unknown): unknown {
  return name === "secretHash" || name === "passwordHash" ? undefined : value;
}
