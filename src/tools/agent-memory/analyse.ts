import type { Steps } from "../../store/projection.ts";
import { defined } from "../../system/defined.ts";
import { wordsInPieces } from "../../text/in-pieces.ts";
import { maskSecrets, maskSecretsIn } from "../../text/secrets.ts";
import { wordsOf } from "../../text/words.ts";
import { speakerOf, termsIn } from "./contents.ts";
import type { NewMemory } from "./contract.ts";
import { groupOf, type MemoryDocument } from "./documents.ts";
import { scoreImportance } from "./importance.ts";
import { keywordsIn, keywordsOf } from "./keywords.ts";
import { digestOf, type Statement, statementIn } from "./statement.ts";

/** A memory ready to be kept, but for what only the time and the others decide. */
export interface Analysed {
  document: Omit<MemoryDocument, "at" | "createdAt" | "updatedAt" | "merges"> & {
    digest: string;
    words: number;
  };
  /** Undefined where it is when it is stored. */
  at: number | undefined;
  /** Kinds of secrets. */
  masked: string[];
}

/** What others that say the same are looked for by. */
export interface Probe {
  group: string;
  /** The agent, or who speaks by its form. */
  speaker: string | undefined;
  digest: string;
  statement: Statement;
  terms: string[];
}

/** Nothing after it sees a secret. */
export function* analyse(given: NewMemory): Steps<{ analysed: Analysed; probe: Probe }> {
  const { at, importance, tags, metadata, content, agent, thread, ...rest } = given;
  const { text, kinds } = maskSecrets(content);
  const isMasked = kinds.size > 0;
  yield;
  const safeTags = tags.map((tag) => maskSecretsIn(tag, kinds) as string);
  const safeMetadata = metadata && (maskSecretsIn(metadata, kinds) as Record<string, unknown>);
  const scored = scoreImportance(text, given.kind);
  yield;
  const words = yield* wordsInPieces(text, wordsOf);
  const keywords = isMasked ? keywordsOf(text) : keywordsIn(words);
  yield;
  const statement = statementIn(words);
  const group = groupOf(given);
  const digest = digestOf(group, statement);
  const document: Analysed["document"] = {
    content: text,
    kind: rest.kind,
    tags: [...new Set(safeTags)],
    keywords,
    importance: importance ?? scored.importance,
    importanceReasons: importance === undefined ? scored.reasons : [],
    ...defined({ agent, thread }),
    ...(safeMetadata && Object.keys(safeMetadata).length > 0 && { metadata: safeMetadata }),
    ...defined({ expiresAt: rest.expiresAt }),
    digest,
    words: statement.length,
  };
  const speaker = speakerOf(document);
  const probe = { group, speaker, digest, statement, terms: termsIn(words) };
  return { analysed: { document, at, masked: [...kinds] }, probe };
}
