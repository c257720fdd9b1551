import { bestOf } from "../../../text/search/best.ts";
import { agree } from "./agreement.ts";
import { expand, scoreOf } from "./feedback.ts";
import { type Corpus, match, type Query, type Scores } from "./matching.ts";

/** Shorter texts are no sample of the words of their subject: for them a match is all there is to know. */
const MIN_DOCUMENT_LENGTH = 25;
const LOOKED_AT_AGAIN = 500;
const COMPARED = 100;

/**
 * How much each memory has to do with a query. What stands in no thread and is long enough is looked at
 * twice: by the words of the best, then by the company it keeps.
 *
 * @param accepts says which memories the query may drift towards.
 */
export function relevance(corpus: Corpus, query: Query, accepts: (memory: number) => boolean): Scores {
  const { index, threads } = corpus;
  const matched = match(corpus, query);
  const { scores, found } = matched;
  const better = (a: number, b: number) =>
    (scores[a] as number) > (scores[b] as number) || (scores[a] === scores[b] && a < b);
  const isDocument = (memory: number) =>
    !threads.has(memory) && index.lengthOf(memory) >= MIN_DOCUMENT_LENGTH && accepts(memory);
  const again = bestOf(found, LOOKED_AT_AGAIN, better, isDocument);
  const expanded = expand(index, query, again, scores);
  if (!expanded) return matched;
  for (const memory of again) scores[memory] = scoreOf(corpus, memory, expanded);
  const compared = bestOf(again, COMPARED, better);
  const before = compared.map((memory) => scores[memory] as number);
  for (const [at, score] of agree(corpus, compared, before).entries()) {
    scores[compared[at] as number] = score;
  }
  return matched;
}
