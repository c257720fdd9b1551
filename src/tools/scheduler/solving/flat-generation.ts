import type { Instance } from "./instance.ts";
import type { Generation } from "./serial-generation.ts";

/** Longest plan, in instants. Each takes a word or more; longer plans are better kept as steps. */
const MAX_INSTANTS = 1 << 17;
/** Tasks are placed instant by instant. With a longer mean duration, steps are faster. */
const MAX_MEAN_DURATION = 32;
const WORD_BITS = 32;

/**
 * Serial schedule generation like that of `createSerialGeneration`, with an array of the units that are free
 * at each instant. Returns undefined if durations are so long that this would be slow.
 *
 * The free units of several resources are packed into one word, in a bit field each, with a guard bit above
 * it that is set. Taking more units than are free clears the guard bit, so that one subtraction checks all
 * fields.
 */
export function createFlatGeneration(instance: Instance): Generation | undefined {
  const { size, duration, release, predecessors, demand } = instance;
  const total = duration.reduce((sum, each) => sum + each, 0);
  const horizon = total + release.reduce((most, each) => Math.max(most, each), 0);
  if (horizon > MAX_INSTANTS || total > MAX_MEAN_DURATION * size) return undefined;
  const words = packed(instance);
  const { offsets, targets } = predecessors;
  const { kind } = demand;
  const free = words.map(() => new Int32Array(horizon + 1));
  /** By kind of demand, an instant before which there is no room for it, and will be none. */
  const first = new Int32Array(kind.reduce((most, each) => Math.max(most, each), 0) + 1);
  const takesNothing = Uint8Array.from({ length: size }, (_, task) =>
    duration[task] === 0 || demand.offsets[task] === demand.offsets[task + 1] ? 1 : 0,
  );
  let used = horizon + 1;

  /** @returns the end of the task, which starts at `ready` or later. */
  function place(task: number, ready: number): number {
    const length = duration[task] as number;
    let start = first[kind[task] as number] as number;
    for (let word = 0; word < words.length; word++) start = nextRoom(word, task, start, 1);
    first[kind[task] as number] = start;
    if (ready > start) start = ready;
    for (let word = 0, agreed = 0; agreed < words.length; word = (word + 1) % words.length) {
      const found = nextRoom(word, task, start, length);
      agreed = found === start ? agreed + 1 : 1;
      start = found;
    }
    for (let word = 0; word < words.length; word++) take(word, task, start, length);
    return start + length;
  }

  /**
   * Returns the first start from `from` on that has room. Checks the instants from the last backwards: the
   * task starts after any that has no room.
   */
  function nextRoom(word: number, task: number, from: number, length: number): number {
    const { guard, needs } = words[word] as Word;
    const left = free[word] as Int32Array;
    const need = needs[task] as number;
    let start = from;
    let checked = from;
    let instant = start + length - 1;
    while (instant >= checked) {
      if ((((left[instant] as number) - need) & guard) === guard) {
        instant--;
        continue;
      }
      // The instants between this one and the previous end have room and are not checked again.
      checked = start + length;
      start = instant + 1;
      instant = start + length - 1;
    }
    return start;
  }

  function take(word: number, task: number, start: number, length: number): void {
    const { needs } = words[word] as Word;
    const left = free[word] as Int32Array;
    const need = needs[task] as number;
    for (let instant = start; instant < start + length; instant++) {
      left[instant] = (left[instant] as number) - need;
    }
  }

  return (order, ends) => {
    for (const [word, { full }] of words.entries()) (free[word] as Int32Array).fill(full, 0, used);
    first.fill(0);
    used = 0;
    for (let position = 0; position < size; position++) {
      const task = order[position] as number;
      let ready = release[task] as number;
      const stop = offsets[task + 1] as number;
      for (let at = offsets[task] as number; at < stop; at++) {
        const end = ends[targets[at] as number] as number;
        if (end > ready) ready = end;
      }
      const end = takesNothing[task] === 1 ? ready + (duration[task] as number) : place(task, ready);
      ends[task] = end;
      if (end > used) used = end;
    }
  };
}

/** Some of the resources, each with a bit field and a guard bit above it. */
interface Word {
  guard: number;
  /** The capacities, with all guard bits set. */
  full: number;
  /** Units needed, by task. */
  needs: Int32Array;
}

function packed({ size, capacity, demand }: Instance): Word[] {
  const words: Word[] = [];
  let taken = WORD_BITS;
  const places = Array.from(capacity, (units) => {
    const bits = WORD_BITS - Math.clz32(units);
    if (taken + bits + 1 > WORD_BITS) {
      taken = 0;
      words.push({ guard: 0, full: 0, needs: new Int32Array(size) });
    }
    const word = words.at(-1) as Word;
    const place = { word, shift: taken };
    const guard = 1 << (taken + bits);
    word.guard |= guard;
    word.full |= guard | (units << taken);
    taken += bits + 1;
    return place;
  });
  for (let task = 0; task < size; task++) {
    for (let at = demand.offsets[task] as number; at < (demand.offsets[task + 1] as number); at++) {
      const { word, shift } = places[demand.resources[at] as number] as (typeof places)[number];
      word.needs[task] = (word.needs[task] as number) | ((demand.units[at] as number) << shift);
    }
  }
  return words;
}
