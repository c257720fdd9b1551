import type { Memory } from "./memory.ts";

const MAX_TEMPLATES = 100;
/** Upper bound of the distance that a point counts with, in multiples of the tolerance. */
const MAX_DISTANCE = 5;
const FIRST_RATE = 0.1;
const MIN_RATE = 1e-4;
const RATE_STEP = 0.005;
/** How far a template moves towards a point that it recognises. */
const LEARNING = 0.05;
/** Points without a visit after which a template becomes strange again. */
const FORGOTTEN_AFTER = 4000;

/** Returns how strange a feature vector is, from 0 (known) to about 20, given those before it. */
export type TemplateDetector = (features: Float64Array) => number;

/**
 * Detects novelty with templates, in the manner of adaptive resonance. A point is known if a template is
 * within `tolerance`: the mean absolute difference of the features, each scaled by its range so far. An
 * unknown point becomes a template. It is stranger, the rarer new templates have become.
 */
export function createTemplateDetector(memory: Memory, width: 1 | 2, tolerance: number): TemplateDetector {
  const counters = memory.take(4);
  const [SEEN, COUNT, RATE, LAST] = [0, 1, 2, 3] as const;
  const least = memory.take(width);
  const most = memory.take(width);
  const templates = memory.take(MAX_TEMPLATES * width);
  const visited = memory.take(MAX_TEMPLATES);
  const scale = new Float64Array(width);
  let found = 0;
  let distance = 0;

  // These are the innermost loops, so one and two features have a loop each. They start at the template found
  // last: the next point is often near it, so that fewer others come closer.

  function findNearestOf1(feature: number): void {
    const count = counters[COUNT] as number;
    found = counters[LAST] as number;
    distance = Math.abs(feature - (templates[found] as number));
    for (let template = 0; template < count; template++) {
      const off = Math.abs(feature - (templates[template] as number));
      if (off >= distance) continue;
      distance = off;
      found = template;
    }
    distance *= scale[0] as number;
  }

  function findNearestOf2(first: number, second: number): void {
    const count = counters[COUNT] as number;
    const firstScale = scale[0] as number;
    const secondScale = scale[1] as number;
    found = counters[LAST] as number;
    distance =
      Math.abs(first - (templates[2 * found] as number)) * firstScale +
      Math.abs(second - (templates[2 * found + 1] as number)) * secondScale;
    for (let template = 0; template < count; template++) {
      const off =
        Math.abs(first - (templates[2 * template] as number)) * firstScale +
        Math.abs(second - (templates[2 * template + 1] as number)) * secondScale;
      if (off >= distance) continue;
      distance = off;
      found = template;
    }
  }

  function remember(features: Float64Array, now: number): void {
    let slot = counters[COUNT] as number;
    if (slot < MAX_TEMPLATES) counters[COUNT] = slot + 1;
    else {
      slot = 0;
      for (let other = 1; other < MAX_TEMPLATES; other++) {
        if ((visited[other] as number) < (visited[slot] as number)) slot = other;
      }
    }
    templates.set(features, slot * width);
    visited[slot] = now;
    counters[LAST] = slot;
  }

  return (features) => {
    const now = counters[SEEN] as number;
    counters[SEEN] = now + 1;
    if (now === 0) {
      counters[RATE] = FIRST_RATE;
      least.set(features);
      most.set(features);
      remember(features, now);
      return 0;
    }
    for (let at = 0; at < width; at++) {
      const value = features[at] as number;
      if (value < (least[at] as number)) least[at] = value;
      if (value > (most[at] as number)) most[at] = value;
      const range = (most[at] as number) - (least[at] as number);
      // The inverse of a tiny range can be infinite.
      scale[at] = range > 0 ? Math.min(1 / (range * width), Number.MAX_VALUE) : 0;
    }
    const rate = counters[RATE] as number;
    if (width === 1) findNearestOf1(features[0] as number);
    else findNearestOf2(features[0] as number, features[1] as number);
    if (distance > tolerance) {
      remember(features, now);
      counters[RATE] = rate + RATE_STEP * (1 - rate);
      return now < 2 ? 0 : Math.min(distance / tolerance, MAX_DISTANCE) * surpriseAt(rate);
    }
    counters[RATE] = Math.max(MIN_RATE, rate * (1 - RATE_STEP));
    for (let at = found * width, feature = 0; feature < width; at++, feature++) {
      const value = templates[at] as number;
      templates[at] = value + LEARNING * ((features[feature] as number) - value);
    }
    const absence = (now - (visited[found] as number)) / FORGOTTEN_AFTER;
    visited[found] = now;
    counters[LAST] = found;
    return absence > 1 ? Math.min(absence - 1, 1) * surpriseAt(rate) : 0;
  };
}

/** Returns the surprise of a new template, given how often one was needed recently. */
function surpriseAt(rate: number): number {
  return -Math.log10(rate);
}
