import { UserId } from "../../contract/endpoint.ts";
import { invalidRequest } from "../../contract/faults.ts";
import type { Problem } from "../../contract/problem.ts";
import { overloaded } from "../../contract/retry-later.ts";
import {
  accountSpace,
  type Collection,
  isId,
  projectSpace,
  type Space,
  type Store,
} from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import { othersFirst } from "../../system/others-first.ts";
import { createTurns } from "../../system/turns.ts";
import { projects } from "../model.ts";

export interface ExportedDocument {
  collection: string;
  accountId?: string;
  projectId?: string;
  id: string;
  value: unknown;
}

export interface ExportedPage {
  items: ExportedDocument[];
  nextCursor?: string;
}

/** An account, or one of its projects. */
export interface ExportedFrom {
  accountId: string;
  projectId?: string;
}

/** A step through a part of an export. `after` is where to continue; absent at the end of the part. */
export interface Step {
  items: ExportedDocument[];
  /** The characters of JSON that were looked at, also of what is not in `items`; about as many where nobody counts. */
  characters: number;
  after?: string | undefined;
}

/** Reads a bounded number of documents, behind `after`. */
export type Part<From> = (from: From, after: string | undefined) => Promise<Step>;

/** Everything that an export reads, in this order. */
export interface Source {
  /** What belongs to no account. */
  beforehand: readonly Part<undefined>[];
  /** Of each account's own space. */
  account: readonly Part<ExportedFrom>[];
  /** Of each of its projects. */
  project: readonly Part<ExportedFrom>[];
  /** Whether the export includes an account. Cursors are not trusted. */
  includes(accountId: string): Promise<boolean>;
  /** Returns the first account behind another, or of all. */
  accountBehind(accountId: string | undefined): Promise<string | undefined>;
}

/** Documents read in one transaction, few enough not to block other requests. */
const SLICE = 20;
/** A page ends after this many steps, or this many characters of JSON. */
const MAX_STEPS = 100;
const MAX_CHARACTERS = 1 << 20;

/**
 * Where a page starts: an account, or null for what belongs to none; a project, or null for the account's own space; the
 * index of a part; and where to continue in it. All are named, since others may come and go between two pages.
 */
type Place = [accountId: string | null, projectId: string | null, part: number, after?: string | undefined];

/**
 * Returns a function that exports pages in turn: a page is read in many steps, and hundreds that were half read at once
 * would fill the memory.
 *
 * @param who the account or user that exports, who has one page read at a time.
 */
export function exportInTurn(store: Pick<Store, "transact">) {
  const turns = createTurns({ maxRunning: 4, maxOfOne: 1, maxWaiting: 100, refusal: tooMany });
  return (
    who: string,
    source: Source,
    cursor: string | undefined,
    signal?: AbortSignal,
  ): Promise<ExportedPage> => turns.run(who, () => exportPage(store, source, cursor, signal), signal);
}

function tooMany(): Problem {
  return overloaded("Too much is exported at this moment. Ask for this page again in a moment.", 5);
}

/**
 * Returns a page of an export. A page may be empty although more follow. Documents written between two pages may or may
 * not be included. `Problem` `invalid_request` for an invalid cursor.
 *
 * @param signal Aborts when nobody waits for the page any more.
 */
export async function exportPage(
  store: Pick<Store, "transact">,
  source: Source,
  cursor: string | undefined,
  signal?: AbortSignal,
): Promise<ExportedPage> {
  let place: Place = cursor === undefined ? [null, null, 0] : placeOf(cursor);
  if (place[0] !== null && !(await source.includes(place[0]))) throw noCursor();
  const items: ExportedDocument[] = [];
  for (let steps = 0, characters = 0; steps < MAX_STEPS && characters < MAX_CHARACTERS; steps++) {
    signal?.throwIfAborted();
    const [accountId, projectId, index] = place;
    const step = await stepAt(source, place);
    if (step) {
      items.push(...step.items);
      characters += step.characters;
      place =
        step.after === undefined
          ? [accountId, projectId, index + 1]
          : [accountId, projectId, index, step.after];
      // A store in memory answers without letting other requests in.
      if (step.characters > 0) await othersFirst();
      continue;
    }
    const project = accountId === null ? undefined : await projectBehind(store, accountId, projectId);
    const account = project === undefined ? await source.accountBehind(accountId ?? undefined) : accountId;
    if (account === undefined) return { items };
    place = [account, project ?? null, 0];
  }
  await othersFirst();
  return { items, nextCursor: Buffer.from(JSON.stringify(place)).toString("base64url") };
}

/** Takes a step at a place; undefined behind the last part. */
async function stepAt(
  { beforehand, account, project }: Source,
  [accountId, projectId, index, after]: Place,
): Promise<Step | undefined> {
  if (accountId === null) return beforehand[index]?.(undefined, after);
  if (projectId === null) return account[index]?.({ accountId }, after);
  return project[index]?.({ accountId, projectId }, after);
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

/**
 * Takes a step through a collection.
 *
 * @param shown returns what is exported of a document, given also as JSON text without secrets; undefined for nothing.
 */
export async function stepThrough<T>(
  store: Pick<Store, "transact">,
  collection: Collection<T>,
  from: ExportedFrom,
  after: string | undefined,
  shown: (document: { id: string; value: T; text: string }) => unknown = ({ text }) => JSON.parse(text),
): Promise<Step> {
  const page = { limit: SLICE, order: "ascending" as const, ...defined({ after }) };
  const entries = await store.transact((tx) => tx.list(collection, spaceAt(from), page));
  const items: ExportedDocument[] = [];
  let characters = 0;
  for (const { id, value } of entries) {
    const text = JSON.stringify(value, withoutSecrets);
    characters += text.length;
    const exported = collection.isOfAnother?.(value) ? undefined : shown({ id, value, text });
    if (exported !== undefined) items.push({ collection: collection.name, id, value: exported });
  }
  return { items, characters, after: entries.length === SLICE ? entries.at(-1)?.id : undefined };
}

function spaceAt({ accountId, projectId }: ExportedFrom): Space {
  return projectId === undefined ? accountSpace(accountId) : projectSpace(accountId, projectId);
}

/** Returns a document as it is exported, without the hashes of secrets. */
export function withoutHashes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, withoutSecrets));
}

/** A `JSON.stringify` replacer that omits the hashes of secrets. */
function withoutSecrets(name: string, value: unknown): unknown {
  return name === "secretHash" || name === "passwordHash" ? undefined : value;
}

/** Yields all pages as JSON lines. */
export async function* exportLines(
  page: (cursor: string | undefined) => Promise<ExportedPage>,
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
    const [accountId, projectId, part, after] = JSON.parse(Buffer.from(cursor, "base64url").toString());
    const areNames = [accountId, projectId].every((id) => id === null || UserId.safeParse(id).success);
    const isPart = Number.isSafeInteger(part) && part >= 0;
    if (areNames && isPart && (after == null || (typeof after === "string" && isId(after)))) {
      return [accountId, projectId, part, after ?? undefined];
    }
  } catch {}
  throw noCursor();
}

function noCursor(): Problem {
  return invalidRequest([{ path: "cursor", message: "is no cursor of this list" }]);
}
