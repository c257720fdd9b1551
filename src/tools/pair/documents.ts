import { hash } from "node:crypto";
import { collection } from "../../store/store.ts";
import { iso } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import type { Change, Edit, Participant, Role, Session } from "./session-contract.ts";

/** Times are milliseconds since the epoch, lengths UTF-16 code units. */
export interface SessionDocument {
  title?: string;
  participants: Participant[];
  /** Sequence of the latest change. */
  sequence: number;
  /** Sequence of the oldest change that is kept. */
  oldest: number;
  /** Weight of the changes that are kept: see `weightOf`. */
  weight: number;
  /** Length of all files. */
  length: number;
  files: number;
  createdAt: number;
  updatedAt: number;
  endedAt?: number;
}

/**
 * A file without its content, which is that of its snapshot with the pending changes applied. It is kept
 * small because every change writes it.
 */
export interface FileDocument {
  path: string;
  /** The sequence of its latest change. */
  revision: number;
  length: number;
  /** The revision of its snapshot. */
  snapshot: number;
  /** The sequences of its changes since then. */
  pending: number[];
  pendingWeight: number;
}

export interface SnapshotDocument {
  content: string;
}

export interface ChangeDocument {
  author: string;
  role: Role;
  path: string;
  /** Relative to the file as the previous change left it. */
  edits: Edit[];
  baseRevision: number;
  rebased: boolean;
  message?: string;
  at: number;
}

/** All collections are in the project's space. By the session's id. */
export const sessions = collection<SessionDocument>("pair_sessions");
/** By `fileKey`. */
export const files = collection<FileDocument>("pair_files");
/** By `fileKey`. A file that a change has made has none until its first snapshot is taken. */
export const snapshots = collection<SnapshotDocument>("pair_snapshots");
/** By `changeKey`. */
export const changes = collection<ChangeDocument>("pair_changes");

export const pairCollections = [sessions, files, snapshots, changes] as const;

/** Returns the prefix of the ids of all that belongs to a session. */
export function prefixOf(sessionId: string): string {
  return `${sessionId}/`;
}

/** Returns the id of a file. The path is hashed, since it could be too long for an index. */
export function fileKey(sessionId: string, path: string): string {
  return prefixOf(sessionId) + hash("sha256", path, "base64url");
}

/** Returns the id of a change. Ids sort by sequence. */
export function changeKey(sessionId: string, sequence: number): string {
  return prefixOf(sessionId) + String(sequence).padStart(16, "0");
}

/** Returns the approximate cost of storing and applying a change, in code units. */
export function weightOf({ edits }: Pick<ChangeDocument, "edits">): number {
  return edits.reduce((sum, { insert }) => sum + insert.length + 32, 0);
}

export function sessionOf(id: string, document: SessionDocument): Session {
  const { title, participants, sequence, oldest, createdAt, updatedAt, endedAt } = document;
  return {
    id,
    ...defined({ title }),
    state: endedAt === undefined ? "active" : "ended",
    participants,
    sequence,
    oldestSequence: oldest,
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
    ...(endedAt !== undefined && { endedAt: iso(endedAt) }),
  };
}

export function changeOf(sequence: number, { at, ...document }: ChangeDocument): Change {
  return { sequence, ...document, at: iso(at) };
}
