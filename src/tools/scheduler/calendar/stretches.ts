/** A stretch of open time, in milliseconds since the plan's start. */
export type Stretch = readonly [from: number, to: number];

/** Returns the time that is open in all of the lists. Each is sorted and has no overlaps. */
export function intersection(lists: readonly (readonly Stretch[])[]): readonly Stretch[] {
  return lists.reduce((left, right) => {
    const both: Stretch[] = [];
    for (let at = 0, other = 0; at < left.length && other < right.length; ) {
      const [one, two] = [left[at] as Stretch, right[other] as Stretch];
      const from = Math.max(one[0], two[0]);
      const to = Math.min(one[1], two[1]);
      if (from < to) both.push([from, to]);
      if (one[1] < two[1]) at++;
      else other++;
    }
    return both;
  });
}

/** Sorts stretches, and merges those that overlap or touch. */
export function union(stretches: readonly Stretch[]): Stretch[] {
  const made: [number, number][] = [];
  for (const [from, to] of stretches.toSorted((left, right) => left[0] - right[0])) {
    const last = made.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else made.push([from, to]);
  }
  return made;
}
