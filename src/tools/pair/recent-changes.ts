import { type Output, pageOf } from "../../contract/endpoint.ts";
import { invalidRequest } from "../../contract/faults.ts";
import type { Space, Transaction } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import { applied, type ChangedLines, changedLines } from "../../text/changed-lines.ts";
import type { pairContract } from "./contract.ts";
import {
  type ChangeDocument,
  changeKey,
  changeOf,
  changes,
  type FileDocument,
  fileKey,
  prefixOf,
  sessionOf,
  snapshots,
} from "./documents.ts";
import { changesAt, type Sequenced } from "./files.ts";
import { headsOf } from "./read-session.ts";
import type { RecentChange } from "./session-contract.ts";
import { requireSession } from "./sessions.ts";

type Recent = Output<typeof pairContract.recent>;

/** Changes read at a time while looking for those of one file. */
const BATCH = 200;
/** Bounds of what is shown of a change. */
const MAX_LINES = 60;
const MAX_CHARACTERS = 300;
const MAX_EDITS = 50;

/** Returns a session without the contents of its files, and its latest changes as lines, newest first. */
export async function recentChanges(
  tx: Transaction,
  space: Space,
  asked: { sessionId: string; path?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<Omit<Recent, "following">> {
  const { sessionId, path, limit, cursor } = asked;
  const session = await requireSession(tx, space, sessionId);
  const heads = await headsOf(tx, space, sessionId, undefined);
  const found = await newestFirst(tx, space, {
    sessionId,
    path,
    limit: limit + 1,
    before: sequenceIn(cursor),
  });
  const { items: page, ...next } = pageOf(found, limit, ({ sequence }) => String(sequence));
  const lines = new Map<number, ChangedLines[]>();
  for (const changed of new Set(page.map(({ change }) => change.path))) {
    const head = heads.find((each) => each.path === changed);
    const wanted = new Set(
      page.filter(({ change }) => change.path === changed).map(({ sequence }) => sequence),
    );
    if (head) await readLines(tx, space, sessionId, head, wanted, lines);
  }
  return {
    session: sessionOf(sessionId, session),
    files: heads
      .map(({ path, revision, length }) => ({ path, revision, length }))
      .sort((left, right) => right.revision - left.revision || (left.path < right.path ? -1 : 1)),
    items: page.map(({ sequence, change }) => recentChange(sequence, change, lines.get(sequence))),
    ...next,
  };
}

function sequenceIn(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const sequence = Number(cursor);
  if (/^\d+$/.test(cursor) && Number.isSafeInteger(sequence)) return sequence;
  throw invalidRequest([{ path: "cursor", message: "is no cursor of this list" }]);
}

async function newestFirst(
  tx: Transaction,
  space: Space,
  asked: { sessionId: string; path: string | undefined; limit: number; before: number | undefined },
): Promise<Sequenced[]> {
  const { sessionId, path, limit, before } = asked;
  const found: Sequenced[] = [];
  let after = before === undefined ? undefined : changeKey(sessionId, before);
  for (;;) {
    const batch = await tx.list(changes, space, {
      prefix: prefixOf(sessionId),
      order: "descending",
      limit: path === undefined ? limit : BATCH,
      ...defined({ after }),
    });
    for (const { id, value } of batch) {
      if (path !== undefined && value.path !== path) continue;
      found.push({ sequence: Number(id.slice(prefixOf(sessionId).length)), change: value });
      if (found.length === limit) return found;
    }
    after = batch.at(-1)?.id;
    if (after === undefined || path === undefined) return found;
  }
}

/**
 * Adds the lines of the wanted changes. Changes before the snapshot have none, since the text that they were
 * made to is not kept.
 */
async function readLines(
  tx: Transaction,
  space: Space,
  sessionId: string,
  { path, pending }: FileDocument,
  wanted: ReadonlySet<number>,
  lines: Map<number, ChangedLines[]>,
): Promise<void> {
  if (!pending.some((sequence) => wanted.has(sequence))) return;
  const snapshot = await tx.get(snapshots, space, fileKey(sessionId, path));
  let content = snapshot?.content ?? "";
  for (const { sequence, change } of await changesAt(tx, space, sessionId, pending)) {
    if (wanted.has(sequence)) lines.set(sequence, changedLines(content, change.edits.slice(0, MAX_EDITS)));
    content = applied(content, change.edits);
  }
}

function recentChange(
  sequence: number,
  document: ChangeDocument,
  lines: ChangedLines[] | undefined,
): RecentChange {
  const { edits, ...change } = changeOf(sequence, document);
  let left = MAX_LINES;
  const taken = (texts: readonly string[]) => {
    const some = texts.slice(0, left).map((text) => text.slice(0, MAX_CHARACTERS).toWellFormed());
    left -= some.length;
    return some;
  };
  const shown = lines?.map(({ line, removed, inserted }) => ({
    line,
    removed: taken(removed),
    inserted: taken(inserted),
  }));
  return {
    ...change,
    inserted: edits.reduce((sum, { insert }) => sum + insert.length, 0),
    removed: edits.reduce((sum, { from, to }) => sum + to - from, 0),
    lines: shown?.filter(({ removed, inserted }) => removed.length + inserted.length > 0) ?? null,
  };
}
