import type { Steps } from "../../store/projection.ts";
import { defined } from "../../system/defined.ts";
import { wordsInPieces } from "../../text/in-pieces.ts";
import { maskSecrets, maskSecretsIn } from "../../text/secrets/mask-secrets.ts";
import { wordsOf } from "../../text/words.ts";
import { speakerOf, termsIn } from "./contents.ts";
import { groupOf, type MemoryDocument } from "./documents.ts";
import { scoreImportance } from "./importance.ts";
import { keywordsIn, keywordsOf } from "./keywords.ts";
import type { NewMemory } from "./memory.ts";
import { digestOf, type Statement, statementIn } from "./statement.ts";

/** An analysed memory, without the fields that depend on the time of writing and on other memories. */
export interface Analysed {
  document: Omit<MemoryDocument, "at" | "createdAt" | "updatedAt" | "merges"> & {
    digest: string;
    words: number;
  };
  /** Milliseconds since the epoch; undefined means the time of storing. */
  at: number | undefined;
  /** Kinds of the secrets that were masked. */
  masked: string[];
}

/** The keys by which memories are found that say the same as a text or contradict it. */
export interface ComparisonKey {
  group: string;
  /** The agent, or the name before the colon of `Name: …`; see `speakerOf`. */
  speaker: string | undefined;
  digest: string;
  statement: Statement;
  /** Whether the text says that something holds besides what held before: "we also use SQLite". It contradicts nothing. */
  isAddition: boolean;
  terms: string[];
}

const ADDITIONS = ["also", "too", "additionally", "besides"];

/** Derives what is stored and compared from a new memory. Masks secrets first, so that no later step sees one. */
export function* analyse(given: NewMemory): Steps<{ analysed: Analysed; probe: ComparisonKey }> {
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
  const isAddition = words.some((word) => ADDITIONS.includes(word));
  const probe = { group, speaker, digest, statement, isAddition, terms: termsIn(words) };
  return { analysed: { document, at, masked: [...kinds] }, probe };
}
