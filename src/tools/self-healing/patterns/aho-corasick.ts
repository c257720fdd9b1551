/** Finds all of many words in a text in one pass (Aho and Corasick 1975), ignoring case. */
export interface WordSearch {
  /** Calls `found` with the index of a word for each of its occurrences in text[from, to). */
  search(text: string, from: number, to: number, found: (word: number) => void): void;
}

/** Creates a search for `words`, which must be in lower case and not empty. */
export function createWordSearch(words: readonly string[]): WordSearch {
  const { classes, count } = classesOf(words);
  const classOf = (code: number) => (code < 128 ? classes.ascii[code] : classes.other.get(code)) ?? 0;
  const letters = 1 + words.reduce((sum, { length }) => sum + length, 0);
  /** The next state by state and class of character; 0 is the beginning. */
  const next = new Uint16Array(letters * count);
  const ends: number[][] = [[]];
  for (const [index, word] of words.entries()) {
    let state = 0;
    for (let at = 0; at < word.length; at++) {
      const cell = state * count + classOf(word.charCodeAt(at));
      if (next[cell] === 0) next[cell] = ends.push([]) - 1;
      state = next[cell] as number;
    }
    ends[state]?.push(index);
  }
  completeBreadthFirst(next, ends, count);
  const ending = Uint8Array.from(ends, ({ length }) => (length > 0 ? 1 : 0));

  return {
    search(text, from, to, found) {
      const { ascii, other } = classes;
      let state = 0;
      for (let at = from; at < to; at++) {
        const code = text.charCodeAt(at);
        if (code === ESCAPE) {
          at = endOfEscape(text, at, to);
          continue;
        }
        const kind = code < 128 ? (ascii[code] as number) : (other.get(code) ?? 0);
        state = next[state * count + kind] as number;
        if (ending[state] === 1) for (const word of ends[state] as number[]) found(word);
      }
    },
  };
}

const ESCAPE = 27;

/**
 * Returns the index of the last character of a control sequence (ECMA-48 §5.4), such as a colour. Words may
 * continue after it.
 */
function endOfEscape(text: string, from: number, to: number): number {
  if (text[from + 1] !== "[") return from;
  for (let at = from + 2; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code >= 0x40 && code <= 0x7e) return at;
  }
  return to;
}

/** Assigns characters to classes. All that are in no word are class 0; both cases of a letter have the same class. */
function classesOf(words: readonly string[]) {
  const ascii = new Uint8Array(128);
  const other = new Map<number, number>();
  let count = 1;
  for (const character of new Set(words.flatMap((word) => word.split("")))) {
    const kind = count++;
    const upper = character.toUpperCase();
    for (const code of [character.charCodeAt(0), upper.length === 1 ? upper.charCodeAt(0) : 0]) {
      if (code === 0) continue;
      if (code < 128) ascii[code] = kind;
      else other.set(code, kind);
    }
  }
  return { classes: { ascii, other }, count };
}

/** Gives every state a next one for every class: that of the longest suffix that begins a word. */
function completeBreadthFirst(next: Uint16Array, ends: number[][], count: number): void {
  const fallback = new Int32Array(ends.length);
  const queue: number[] = [];
  for (let kind = 0; kind < count; kind++) if (next[kind] !== 0) queue.push(next[kind] as number);
  for (let head = 0; head < queue.length; head++) {
    const state = queue[head] as number;
    const back = fallback[state] as number;
    ends[state]?.push(...(ends[back] as number[]));
    for (let kind = 0; kind < count; kind++) {
      const child = next[state * count + kind] as number;
      const instead = next[back * count + kind] as number;
      if (child === 0) next[state * count + kind] = instead;
      else {
        fallback[child] = instead;
        queue.push(child);
      }
    }
  }
}
