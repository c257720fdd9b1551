/** In characters, taken apart at a stretch. */
const MAX_PIECE = 4096;

/** The words of a text that may be long, yielding between pieces: what stands between two blanks stays together. */
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
