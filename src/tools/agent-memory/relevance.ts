import { agree } from "./agreement.ts";
import { bestOf } from "./best.ts";
import { expand, scoreOf } from "./feedback.ts";
import { type Corpus, match, type Query, type Scores } from "./matching.ts";

/** Shorter texts are no sample of the words of their subject: for them a match is all there is to know. */
const SHORTEST_DOCUMENT = 25;
const LOOKED_AT_AGAIN = 500;
const COMPARED = 100;

/**
 * How much each memory has to do with a query. What stands in no thread and is long enough is looked at
 * twice: by the words of the best, then by the company it keeps. The order of numbers breaks ties.
 *
 * @param accepts says which memories may be found.
 */
export function relevance(corpus: Corpus, query: Query, accepts: (memory: number) => boolean): Scores {
  const { index, threads } = corpus;
  const matched = match(corpus, query);
  const scores = matched.scores;
  const found = matched.found.filter(accepts);
  const better = (a: number, b: number) =>
    (scores[a] as number) > (scores[b] as number) || (scores[a] === scores[b] && a < b);
  const documents = found.filter(
    (memory) => !threads.has(memory) && index.lengthOf(memory) >= SHORTEST_DOCUMENT,
  );
  const again = bestOf(documents, LOOKED_AT_AGAIN, better);
  const expanded = expand(index, query, again, scores);
  if (!expanded) return { scores, found };
  for (const memory of again) scores[memory] = scoreOf(corpus, memory, expanded);
  const compared = bestOf(again, COMPARED, better);
  const agreed = agree(
    corpus,
    compared,
    compared.map((memory) => scores[memory] as number),
  );
  for (const [at, memory] of compared.entries()) scores[memory] = agreed[at] as number;
  return { scores, found };
}
