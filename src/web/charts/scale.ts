/** Axis steps that are easy to read, times a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10];

/**
 * Returns the labels of an axis from 0 to at least `most`, evenly spaced with at most `steps` steps. They are whole
 * numbers if `most` is one.
 */
export function ticks(most: number, steps = 4): number[] {
  if (!(most > 0)) return [0, 1];
  const power = 10 ** Math.floor(Math.log10(most / steps));
  const whole = Number.isInteger(most);
  const step = STEPS.map((each) => each * power).find(
    (each) => each * steps >= most && (!whole || Number.isInteger(each)),
  );
  const size = step ?? Math.ceil(most / steps);
  const count = Math.max(1, Math.ceil(most / size - 1e-9));
  return Array.from({ length: count + 1 }, (_, index) => Number((index * size).toPrecision(12)));
}

/** Beyond the first, compact notation has no suffix; below the second, it has too many zeros. */
const [LARGEST, SMALLEST] = [1e15, 1e-4];

/** Formats a number for an axis: `950`, `12K`, `2.5M`, `1E99`. */
export function short(value: number): string {
  const size = Math.abs(value);
  const notation = size >= LARGEST || (size > 0 && size < SMALLEST) ? "scientific" : "compact";
  return value.toLocaleString("en-US", { notation, maximumSignificantDigits: 3 });
}

/** Returns the indexes that get a label, out of `count`: the first, the last and evenly spaced ones between. */
export function labelled(count: number, labels: number): number[] {
  if (count <= labels) return Array.from({ length: count }, (_, index) => index);
  return Array.from({ length: labels }, (_, index) => Math.round((index * (count - 1)) / (labels - 1)));
}
