import { bestOf } from "../../../text/search/best.ts";
import { agree } from "./agreement.ts";
import { expand, scorer } from "./feedback.ts";
import { type Asked, type Corpus, isDocument, match, type Scores } from "./matching.ts";

const LOOKED_AT_AGAIN = 500;
const COMPARED = 100;

/**
 * Scores how relevant each memory is to a query. Documents, which are in no thread and long enough, are
 * reranked among themselves: with the query expanded by words of the best matches, then by their similarity to
 * each other. The one that comes out best gets the best score that any of them got by its matches, and so on.
 *
 * @param accepts selects the memories that may expand the query.
 */
export function relevance(corpus: Corpus, asked: Asked, accepts: (memory: number) => boolean): Scores {
  const matched = match(corpus, asked);
  const { scores, found } = matched;
  const better = (a: number, b: number) =>
    (scores[a] as number) > (scores[b] as number) || (scores[a] === scores[b] && a < b);
  const again = bestOf(
    found,
    LOOKED_AT_AGAIN,
    better,
    (memory) => isDocument(corpus, memory) && accepts(memory),
  );
  const expanded = expand(corpus.index, asked.inContext, again, scores);
  if (!expanded) return matched;
  const matchScores = again.map((memory) => scores[memory] as number);
  const scoreOf = scorer(corpus, expanded);
  for (const memory of again) scores[memory] = scoreOf(memory);
  const compared = bestOf(again, COMPARED, better);
  const before = compared.map((memory) => scores[memory] as number);
  for (const [at, score] of agree(corpus, compared, before).entries()) {
    scores[compared[at] as number] = score;
  }
  // What was computed twice is of another scale than the scores of memories that are no documents.
  const reranked = again.toSorted((a, b) => (scores[b] as number) - (scores[a] as number));
  for (const [rank, memory] of reranked.entries()) scores[memory] = matchScores[rank] as number;
  return matched;
}
