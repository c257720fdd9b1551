/** Characters processed without yielding. */
const MAX_PIECE = 4096;

/** Returns the words of a text, yielding between pieces of a long one. Pieces end only at whitespace. */
export function* wordsInPieces(text: string, wordsOf: (text: string) => string[]): Generator<void, string[]> {
  if (text.length <= MAX_PIECE) return wordsOf(text);
  const words: string[] = [];
  for (let start = 0; start < text.length; ) {
    const blank = text.slice(start + MAX_PIECE).search(/\s/);
    const end = blank < 0 ? text.length : start + MAX_PIECE + blank;
    for (const word of wordsOf(text.slice(start, end))) words.push(word);
    start = end;
    yield;
  }
  return words;
}
