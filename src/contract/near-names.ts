/** Share of the name's length that may differ. Names further apart are not suggested. */
const MAX_DIFFERENT = 0.4;
const MAX_NAMED = 3;

/**
 * Returns the `names` that `given` may have meant, nearest first: the only one that differs just in case or
 * punctuation, at most three otherwise.
 */
export function nearNames(given: string, names: Iterable<string>): string[] {
  const asked = plain(given.slice(0, 128));
  if (asked === "") return [];
  const near = [...names]
    .map((name) => ({ name, distance: distanceOf(asked, plain(name)) }))
    .filter(({ distance }) => distance < 1)
    .sort((left, right) => left.distance - right.distance);
  const most = near[0]?.distance === 0 ? 1 : MAX_NAMED;
  return near.slice(0, most).map(({ name }) => name);
}

/** Returns the end of a sentence that asks for the near names; empty where there are none. */
export function questionOf(near: readonly string[]): string {
  return near.length > 0 ? `; did you mean ${near.join(" or ")}?` : "";
}

/** Returns a question with the near names; empty where none is near. */
export function didYouMean(given: string, names: Iterable<string>): string {
  const near = nearNames(given, names);
  return near.length > 0 ? `Did you mean ${near.join(", ")}?` : "";
}

/** Returns 0 for equal names, and less than 1 where one contains the other or few letters differ. */
function distanceOf(asked: string, name: string): number {
  // A single letter may abbreviate a word: `q` for `query`.
  if (name.length === 1 && asked.startsWith(name)) return 0.5;
  if (asked.length > 1 && name.length > 1 && (name.includes(asked) || asked.includes(name))) {
    return Math.abs(name.length - asked.length) / (name.length + asked.length);
  }
  const allowed = Math.max(1, Math.floor(Math.max(asked.length, name.length) * MAX_DIFFERENT));
  // At least the surplus letters differ. Thousands of names are compared where a catalogue is large.
  if (Math.abs(asked.length - name.length) > allowed) return 1;
  return editDistance(asked, name) / (allowed + 1);
}

/** Removes case and punctuation, so that knowledgeGraphSearch equals knowledge-graph.search. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]/gu, "");
}

/** Returns the number of letters to insert, delete, replace or swap with the next (optimal string alignment). */
export function editDistance(from: string, to: string): number {
  let before: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let line = 1; line <= from.length; line++) {
    const next = [line];
    for (let column = 1; column <= to.length; column++) {
      const same = from[line - 1] === to[column - 1];
      const swaps = from[line - 1] === to[column - 2] && from[line - 2] === to[column - 1];
      next[column] = Math.min(
        at(row, column - 1) + (same ? 0 : 1),
        at(row, column) + 1,
        at(next, column - 1) + 1,
        swaps ? at(before, column - 2) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = row;
    row = next;
  }
  return at(row, to.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
