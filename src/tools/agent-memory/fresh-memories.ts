import type { MemoryDocument } from "./documents.ts";
import { groupOf } from "./memory-projection.ts";
import { sayTheSame, statementOf } from "./sameness.ts";

/** A memory and what it is compared by. */
export interface Source {
  id: string;
  document: MemoryDocument;
  statement: string[];
}

/** What was written that the projection does not hold yet. */
export class FreshMemories {
  readonly #groups = new Map<string, Map<string, Source>>();
  readonly #ids = new Set<string>();

  put(id: string, document: MemoryDocument, statement = statementOf(document.content)): void {
    const group = groupOf(document);
    const members = this.#groups.get(group) ?? new Map<string, Source>();
    members.set(id, { id, document, statement });
    this.#groups.set(group, members);
    this.#ids.add(id);
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  /** One of a group that says the same. */
  find(group: string, statement: readonly string[]): Source | undefined {
    for (const source of this.#groups.get(group)?.values() ?? []) {
      if (sayTheSame(statement, source.statement)) return source;
    }
  }
}
