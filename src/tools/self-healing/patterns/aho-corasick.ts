/** Finds all of many words in a text in one pass (Aho and Corasick 1975), ignoring case. */
export interface WordSearch {
  /** Calls `found` with the index of a word for each of its occurrences in text[from, to). */
  search(text: string, from: number, to: number, found: (word: number) => void): void;
}

/** Creates a search for `words`, which must be in lower case and not empty. */
export function createWordSearch(words: readonly string[]): WordSearch {
  const { ascii, other, count } = classesOf(words);
  const classOf = (code: number) => (code < 128 ? ascii[code] : other.get(code)) ?? 0;
  const { ends, stateAfter } = trieOf(words, classOf);
  /** By state and class of character, the next state. Rows are filled when needed, since a log meets few of all. */
  const next = new Uint16Array(ends.length * count);
  const isFilled = new Uint8Array(ends.length);
  const ending = Uint8Array.from(ends, (found) => (found ? 1 : 0));

  function fill(state: number): void {
    for (let kind = 0; kind < count; kind++) next[state * count + kind] = stateAfter(state, kind);
    isFilled[state] = 1;
  }

  return {
    search(text, from, to, found) {
      let state = 0;
      for (let at = from; at < to; at++) {
        const code = text.charCodeAt(at);
        if (code === ESCAPE) {
          at = endOfEscape(text, at, to);
          continue;
        }
        const kind = code < 128 ? (ascii[code] as number) : (other.get(code) ?? 0);
        if (isFilled[state] === 0) fill(state);
        state = next[state * count + kind] as number;
        if (ending[state] === 1) for (const word of ends[state] as number[]) found(word);
      }
    },
  };
}

/** The words by their beginnings. State 0 is the empty one. */
interface Trie {
  /** By state, the words that end there. */
  ends: (number[] | undefined)[];
  /** Returns the state of the longest suffix of a state and another character that begins a word. */
  stateAfter(state: number, kind: number): number;
}

function trieOf(words: readonly string[], classOf: (code: number) => number): Trie {
  const size = 1 + words.reduce((sum, { length }) => sum + length, 0);
  const [firstChild, sibling, kinds] = [new Uint16Array(size), new Uint16Array(size), new Uint16Array(size)];
  /** By state, that of its longest proper suffix that begins a word. */
  const fallback = new Uint16Array(size);
  const ends: (number[] | undefined)[] = [undefined];

  function childOf(state: number, kind: number): number {
    let child = firstChild[state] as number;
    while (child !== 0 && kinds[child] !== kind) child = sibling[child] as number;
    return child;
  }

  function addChild(state: number, kind: number): number {
    const child = ends.push(undefined) - 1;
    kinds[child] = kind;
    sibling[child] = firstChild[state] as number;
    firstChild[state] = child;
    return child;
  }

  function stateAfter(from: number, kind: number): number {
    for (let state = from; ; state = fallback[state] as number) {
      const child = childOf(state, kind);
      if (child !== 0 || state === 0) return child;
    }
  }

  for (const [index, word] of words.entries()) {
    let state = 0;
    for (let at = 0; at < word.length; at++) {
      const kind = classOf(word.charCodeAt(at));
      state = childOf(state, kind) || addChild(state, kind);
    }
    ends[state] = [...(ends[state] ?? []), index];
  }
  // Breadth first, since the fallback of a state is a shorter one.
  const queue = [0];
  for (const state of queue) {
    for (let child = firstChild[state] as number; child !== 0; child = sibling[child] as number) {
      queue.push(child);
      if (state === 0) continue;
      const back = stateAfter(fallback[state] as number, kinds[child] as number);
      fallback[child] = back;
      const shorter = ends[back];
      if (shorter) ends[child] = [...(ends[child] ?? []), ...shorter];
    }
  }
  return { ends, stateAfter };
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
  for (const character of new Set(words.join("").split(""))) {
    const kind = count++;
    const upper = character.toUpperCase();
    for (const code of [character.charCodeAt(0), upper.length === 1 ? upper.charCodeAt(0) : 0]) {
      if (code === 0) continue;
      if (code < 128) ascii[code] = kind;
      else other.set(code, kind);
    }
  }
  return { ascii, other, count };
}
