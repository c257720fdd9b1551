import type { Instance } from "./instance.ts";
import type { Generation } from "./serial-generation.ts";

/** An instant of the plan takes a word or more; a longer plan than this is better kept as steps. */
const MAX_INSTANTS = 1 << 17;
/** A task is placed instant by instant: with longer ones, steps are faster. */
const MAX_MEAN_DURATION = 32;
const WORD_BITS = 32;

/**
 * Serial schedule generation like that of `createSerialGeneration`, over an array with what is free at
 * each instant. Undefined where durations are so long that this would be slow.
 *
 * What is free of several resources stands in one word, a field of bits each, with a bit above it that
 * is set: taking more than there is would clear that bit, so one subtraction asks for all of them.
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
  /** By kind: no earlier instant has room for it, nor will have. */
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

  /** From the last instant backwards: where there is no room, the task starts behind that. */
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
      // What lies between here and the end so far has room: it need not be looked at again.
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

/** Some of the resources: a field of bits each, and above each field its guard. */
interface Word {
  guard: number;
  /** What there is, with all guards set. */
  full: number;
  /** By task. */
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
