/** Returns the starts of the lines of a text. Blank lines belong to the line before them. */
export function lineStarts(text: string): number[] {
  const starts = [0];
  for (const match of text.matchAll(/(?:\r\n|\n|\r)(?:[ \t]*(?:\r\n|\n|\r))*/g)) {
    const end = match.index + match[0].length;
    if (end < text.length) starts.push(end);
  }
  return starts;
}

/** Returns starts of pieces of about `most` characters, cut at spaces if possible, never inside a surrogate pair. */
export function shortened(text: string, starts: readonly number[], most: number): number[] {
  return starts.flatMap((start, index) => {
    const end = starts[index + 1] ?? text.length;
    const cuts = [start];
    for (let at = start; end - at > most; ) {
      // Not `lastIndexOf` in the text: where there is no space, as in Chinese, it would search to the beginning each time.
      const half = Math.floor(at + most / 2) + 1;
      const space = text.slice(half, at + most).lastIndexOf(" ");
      let cut = space >= 0 ? half + space + 1 : at + most;
      if (isInsidePair(text, cut)) cut += cut - 1 > at ? -1 : 1;
      cuts.push(cut);
      at = cut;
    }
    return cuts;
  });
}

function isInsidePair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}
