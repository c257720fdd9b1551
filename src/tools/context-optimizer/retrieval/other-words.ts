import { inOtherWords } from "../../../text/lexicon/lexicon.ts";
import { codeTerms } from "../../../text/search/code-terms.ts";
import { wordsOf } from "../../../text/words.ts";
import type { SearchedFile } from "./searched-file.ts";

/** Weight of another word relative to the word of the query that it stands for. */
const SHARE = 0.5;

export interface OtherTerm {
  weight: number;
  word: string;
}

/**
 * Returns other words for those of the first line of a query that name nothing in the files, by their terms: what is
 * asked for as "undo" may be called `rollback` there. A word that files name things by is their own word for it.
 *
 * @param weights of the query's terms
 */
export function otherWords(
  query: string,
  weights: ReadonlyMap<string, number>,
  files: readonly SearchedFile[],
): Map<string, OtherTerm> {
  const title = query.split("\n", 1)[0] as string;
  const found = [...inOtherWords(wordsOf(title))].flatMap(({ name, word, askedBy, share }) => {
    const terms = codeTerms(askedBy).filter((term) => weights.has(term));
    return terms.length > 0 && !weights.has(name) ? [{ name, word, terms, share }] : [];
  });
  const naming = namesAmong(new Set(found.flatMap(({ terms }) => terms)), files);
  const others = new Map<string, OtherTerm>();
  for (const { name, word, terms, share } of found) {
    if (terms.some((term) => naming.has(term))) continue;
    const asked = Math.max(...terms.map((term) => weights.get(term) as number));
    const weight = SHARE * Math.min(1, share) * asked;
    if (weight > (others.get(name)?.weight ?? 0)) others.set(name, { weight, word });
  }
  return others;
}

/** Returns those of the terms that are in a path or in the name of something declared. */
function namesAmong(terms: ReadonlySet<string>, files: readonly SearchedFile[]): Set<string> {
  const naming = new Set<string>();
  if (terms.size === 0) return naming;
  const seen = new Set<string>();
  const look = (text: string) => {
    for (const term of codeTerms(text)) if (terms.has(term)) naming.add(term);
  };
  for (const { path, pieces } of files) {
    look(path.replace(/\.\w+$/, ""));
    for (const { names } of pieces) {
      for (const name of names) {
        if (seen.has(name)) continue;
        seen.add(name);
        look(name);
      }
    }
    if (naming.size === terms.size) break;
  }
  return naming;
}
