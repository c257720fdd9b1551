import { hash } from "node:crypto";
import { collection } from "../../store/store.ts";
import { iso } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import type { Change, Edit, Participant, Role, Session } from "./session-contract.ts";

/** Times are milliseconds since the epoch, lengths UTF-16 code units. */
export interface SessionDocument {
  title?: string;
  participants: Participant[];
  /** Of the latest change. */
  sequence: number;
  /** Of the oldest change that is kept. */
  oldest: number;
  /** Of the changes that are kept: see `weightOf`. */
  weight: number;
  /** Of all files. */
  length: number;
  files: number;
  createdAt: number;
  updatedAt: number;
  endedAt?: number;
}

/** Small, for it is written with every change: the content is that of its snapshot, with what is pending. */
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
  /** Against the file as the change before left it. */
  edits: Edit[];
  baseRevision: number;
  rebased: boolean;
  message?: string;
  at: number;
}

/** All in the project's space. By the session's id. */
export const sessions = collection<SessionDocument>("pair_sessions");
/** By `fileKey`. */
export const files = collection<FileDocument>("pair_files");
/** By `fileKey`; none of an empty file. */
export const snapshots = collection<SnapshotDocument>("pair_snapshots");
/** By `changeKey`. */
export const changes = collection<ChangeDocument>("pair_changes");

export const pairCollections = [sessions, files, snapshots, changes] as const;

/** What belongs to a session stands together, under ids that begin so. */
export function prefixOf(sessionId: string): string {
  return `${sessionId}/`;
}

/** Hashed: with a path an id could be too long for an index. */
export function fileKey(sessionId: string, path: string): string {
  return prefixOf(sessionId) + hash("sha256", path, "base64url");
}

/** In the order of the sequence. */
export function changeKey(sessionId: string, sequence: number): string {
  return prefixOf(sessionId) + String(sequence).padStart(16, "0");
}

/** About what a change costs to keep and to go through, in code units. */
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
