import { maskSecrets, maskSecretsIn } from "../../text/secrets.ts";
import { termsOf } from "../../text/terms.ts";
import type { NewMemory } from "./contract.ts";
import type { MemoryDocument } from "./documents.ts";
import { scoreImportance } from "./importance.ts";
import { keywordsOf } from "./keywords.ts";
import { statementOf } from "./sameness.ts";

/** A memory ready to be kept, but for what only the time and the others decide. */
export interface Analysed {
  document: Omit<MemoryDocument, "at" | "createdAt" | "updatedAt" | "merges">;
  /** Undefined where it is when it is stored. */
  at: number | undefined;
  /** Kinds of secrets. */
  masked: string[];
  /** What it is compared and looked for by: computed here, where it may be another thread. */
  statement: string[];
  terms: string[];
}

/** Nothing after it sees a secret. */
export function analyse(given: NewMemory): Analysed {
  const { at, importance, tags, metadata, content, agent, thread, ...rest } = given;
  const { text, kinds } = maskSecrets(content);
  const safeTags = tags.map((tag) => maskSecretsIn(tag, kinds) as string);
  const safeMetadata = metadata && (maskSecretsIn(metadata, kinds) as Record<string, unknown>);
  const scored = scoreImportance(text, given.kind);
  return {
    document: {
      content: text,
      kind: rest.kind,
      tags: [...new Set(safeTags)],
      keywords: keywordsOf(text),
      importance: importance ?? scored.importance,
      importanceReasons: importance === undefined ? scored.reasons : [],
      ...(agent !== undefined && { agent }),
      ...(thread !== undefined && { thread }),
      ...(safeMetadata && Object.keys(safeMetadata).length > 0 && { metadata: safeMetadata }),
      ...(rest.expiresAt !== undefined && { expiresAt: rest.expiresAt }),
    },
    at,
    masked: [...kinds],
    statement: statementOf(text),
    terms: [...new Set(termsOf(text))],
  };
}

export function analyseMany({ memories }: { memories: readonly NewMemory[] }): Analysed[] {
  return memories.map(analyse);
}
