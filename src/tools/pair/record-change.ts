import { type Fault, Problem } from "../../contract/problem.ts";
import type { Space, Transaction } from "../../store/store.ts";
import { defined } from "../../system/defined.ts";
import {
  type ChangeDocument,
  changeKey,
  changes,
  type FileDocument,
  fileKey,
  files,
  type SessionDocument,
  sessions,
  weightOf,
} from "./documents.ts";
import { type Sequenced, takeSnapshot } from "./files.ts";
import { changesBetween, type HistoryLimits, prune } from "./history.ts";
import { type Edit, MAX_FILE_LENGTH, MAX_FILES, MAX_SESSION_LENGTH } from "./session-contract.ts";
import { requireActive, requireSession } from "./sessions.ts";
import { collision, growthOf, rebase } from "./text.ts";

export interface NewChange {
  sessionId: string;
  author: string;
  path: string;
  baseRevision: number;
  edits: Edit[];
  message?: string | undefined;
}

/** Changes of a file after which a snapshot is due. */
const MAX_PENDING = 64;
/** A snapshot is also due when the weight of these exceeds the file's length by this much. */
const PENDING_WEIGHT = 64 << 10;
/** Maximum number of edits that a change is rebased over, since other requests wait meanwhile. */
const MAX_REBASED_EDITS = 10_000;

export async function recordChange(
  tx: Transaction,
  space: Space,
  given: NewChange,
  now: number,
  limits: HistoryLimits,
): Promise<Sequenced> {
  const { sessionId, author, path, baseRevision, message } = given;
  const key = fileKey(sessionId, path);
  const [session, known] = await Promise.all([
    requireSession(tx, space, sessionId),
    tx.get(files, space, key),
  ]);
  requireActive(session);
  const role = roleOf(session, author);
  if (baseRevision > session.sequence) throw notYet(baseRevision, session);
  const file = known ?? newFile(session, path, baseRevision);
  const between = await changesBetween(tx, space, sessionId, session, file, baseRevision);
  const edits = rebaseOver(given, file, between);
  const sequence = session.sequence + 1;
  const change: ChangeDocument = {
    author,
    role,
    path,
    edits,
    baseRevision,
    rebased: between.length > 0,
    ...defined({ message }),
    at: now,
  };
  const growth = growthOf(edits);
  requireRoom(file.length + growth, session.length + growth);
  await tx.put(changes, space, changeKey(sessionId, sequence), change);
  await putFile(tx, space, sessionId, {
    ...file,
    revision: sequence,
    length: file.length + growth,
    pending: [...file.pending, sequence],
    pendingWeight: file.pendingWeight + weightOf(change),
  });
  const changed: SessionDocument = {
    ...session,
    sequence,
    files: session.files + (known ? 0 : 1),
    length: session.length + growth,
    weight: session.weight + weightOf(change),
    updatedAt: now,
  };
  await tx.put(sessions, space, sessionId, await prune(tx, space, sessionId, changed, limits));
  return { sequence, change };
}

function roleOf({ participants }: SessionDocument, author: string) {
  const participant = participants.find(({ id }) => id === author);
  if (participant) return participant.role;
  const names = participants.slice(0, 10).map(({ id }) => `"${id}"`);
  throw new Problem(
    "forbidden",
    `"${author}" takes no part in this session; the participants are ${names.join(", ")}${participants.length > names.length ? " and others" : ""}.`,
  );
}

function newFile(session: SessionDocument, path: string, baseRevision: number): FileDocument {
  if (baseRevision > 0) {
    throw new Problem(
      "not_found",
      `There is no file "${path}" in this session. A change with baseRevision 0 makes it.`,
    );
  }
  if (session.files >= MAX_FILES) {
    throw new Problem("unprocessable", `This session has ${MAX_FILES} files, the most there may be.`);
  }
  return { path, revision: 0, length: 0, snapshot: 0, pending: [], pendingWeight: 0 };
}

function rebaseOver(given: NewChange, file: FileDocument, between: readonly Sequenced[]): Edit[] {
  const edited = between.reduce((sum, { change }) => sum + change.edits.length, 0);
  if (edited > MAX_REBASED_EDITS) throw tooLate(given.baseRevision, edited);
  let length = file.length - between.reduce((sum, { change }) => sum + growthOf(change.edits), 0);
  requireWithin(given.edits, length, given.baseRevision);
  let { edits } = given;
  for (const { sequence, change } of between) {
    const touching = collision(edits, change.edits);
    if (touching) throw conflict(given, edits, touching, sequence, change);
    edits = rebase(edits, change.edits, length);
    length += growthOf(change.edits);
  }
  return edits;
}

async function putFile(tx: Transaction, space: Space, sessionId: string, file: FileDocument): Promise<void> {
  const due = file.pending.length >= MAX_PENDING || file.pendingWeight > file.length + PENDING_WEIGHT;
  const kept = due ? await takeSnapshot(tx, space, sessionId, file) : file;
  await tx.put(files, space, fileKey(sessionId, file.path), kept);
}

function requireWithin(edits: readonly Edit[], length: number, revision: number): void {
  const errors: Fault[] = edits.flatMap(({ to }, index) =>
    to > length
      ? [
          {
            path: `edits.${index}`,
            message: `ends at ${to}, and the file has ${length} at revision ${revision}`,
          },
        ]
      : [],
  );
  const [first] = errors;
  if (!first) return;
  throw new Problem("unprocessable", `"${first.path}": ${first.message}. Offsets are UTF-16 code units.`, {
    errors: errors.slice(0, 100),
  });
}

function requireRoom(file: number, session: number): void {
  if (file > MAX_FILE_LENGTH) {
    throw new Problem(
      "unprocessable",
      `The file would have ${file} UTF-16 code units; ${MAX_FILE_LENGTH} is the most.`,
    );
  }
  if (session > MAX_SESSION_LENGTH) {
    throw new Problem(
      "unprocessable",
      `The session's files would have ${session} UTF-16 code units together; ${MAX_SESSION_LENGTH} is the most.`,
    );
  }
}

function tooLate(revision: number, edited: number): Problem {
  return new Problem(
    "invalid_state",
    `${edited} edits of this file came after revision ${revision}; a change can be moved over ${MAX_REBASED_EDITS}. Read the file again.`,
  );
}

function notYet(revision: number, { sequence }: SessionDocument): Problem {
  return new Problem(
    "unprocessable",
    `There is no revision ${revision} yet: the latest change of this session is ${sequence}.`,
    { errors: [{ path: "baseRevision", message: `must be at most ${sequence}` }] },
  );
}

/**
 * Returns a `Problem` with both sides relative to the same text: the file before their change, with the given
 * edits rebased onto it.
 */
function conflict(
  { author, path, baseRevision }: NewChange,
  edits: readonly Edit[],
  [ours, theirs]: [number, number],
  sequence: number,
  change: ChangeDocument,
): Problem {
  return new Problem(
    "conflict",
    `Edit ${ours} touches what edit ${theirs} of "${change.author}" changed meanwhile (sequence ${sequence}). Read the file again and decide.`,
    {
      errors: [{ path: `edits.${ours}`, message: `touches what change ${sequence} changed` }],
      members: {
        path,
        baseRevision,
        theirs: { sequence, author: change.author, edits: change.edits, touched: theirs },
        yours: { author, edits, touched: ours },
      },
    },
  );
}
