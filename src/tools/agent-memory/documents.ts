import { collection } from "../../store/store.ts";
import { iso } from "../../system/clock.ts";
import type { Kind, Memory } from "./memory.ts";

/** Times are milliseconds since the epoch. Empty optional fields are left out. */
export interface MemoryDocument {
  content: string;
  kind: Kind;
  tags: string[];
  keywords: string[];
  importance: number;
  importanceReasons: string[];
  agent?: string;
  thread?: string;
  metadata?: Record<string, unknown>;
  at: number;
  expiresAt?: number;
  createdAt: number;
  updatedAt: number;
  merges: number;
  /** Ids of the memories that it superseded when it was stored. */
  supersedes?: string[];
  /** Equal for memories of one group that say the same. Older documents have neither this nor `words`. */
  digest?: string;
  /** Number of words in its statement. */
  words?: number;
}

/** Kept apart from the memory, so that recalling one does not write its text again. */
export interface UseDocument {
  count: number;
  lastAt: number;
}

/** In the project's space, by the memory's id. */
export const memories = collection<MemoryDocument>("agent_memories", { changes: true });
/** In the project's space, by the memory's id. */
export const uses = collection<UseDocument>("agent_memory_uses", { changes: true });

export const agentMemoryCollections = [memories, uses] as const;

/** Returns a key of agent and thread. Memories are merged only within a group. */
export function groupOf({
  agent,
  thread,
}: {
  agent?: string | undefined;
  thread?: string | undefined;
}): string {
  return JSON.stringify([agent ?? null, thread ?? null]);
}

/** The project's counters `recalls`, `merged` and `echoes`. */
export const COUNTER = "agent_memory";

export function memoryOf(id: string, document: MemoryDocument, use: UseDocument | undefined): Memory {
  const { at, expiresAt, createdAt, updatedAt, digest: _, words: __, ...rest } = document;
  return {
    id,
    ...rest,
    at: iso(at),
    ...(expiresAt !== undefined && { expiresAt: iso(expiresAt) }),
    createdAt: iso(createdAt),
    updatedAt: iso(updatedAt),
    uses: use?.count ?? 0,
    ...(use && { lastUsedAt: iso(use.lastAt) }),
  };
}
