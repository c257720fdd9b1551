const K1 = 1.2;
const B = 0.75;

/**
 * Scores documents by a simple BM25 (Robertson and Zaragoza 2009, §3.1) over identifiers and their parts. It is the
 * baseline for searches and shares no code with them.
 */
export function simpleBm25(documents: readonly string[], query: string): number[] {
  const terms = documents.map(termsOf);
  const average = terms.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const counts = terms.map((of) => {
    const count = new Map<string, number>();
    for (const term of of) count.set(term, (count.get(term) ?? 0) + 1);
    return count;
  });
  const asked = termsOf(query).map((term) => {
    const having = counts.filter((count) => count.has(term)).length;
    return { term, weight: Math.log(1 + (documents.length - having + 0.5) / (having + 0.5)) };
  });
  return counts.map((count, index) => {
    const length = K1 * (1 - B + (B * (terms[index]?.length ?? 0)) / average);
    return asked.reduce((score, { term, weight }) => {
      const frequency = count.get(term) ?? 0;
      return score + (weight * frequency * (K1 + 1)) / (frequency + length);
    }, 0);
  });
}

function termsOf(text: string): string[] {
  return (text.match(/[A-Za-z_][A-Za-z0-9_]*|\d+/g) ?? []).flatMap((word) => {
    const parts = word.split(/_|(?<=[a-z])(?=[A-Z])/).filter(Boolean);
    const all = parts.length > 1 ? [word, ...parts] : [word];
    return all.map((each) => each.toLowerCase());
  });
}
