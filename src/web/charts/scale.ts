/** The steps of an axis that people read at a glance, times a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10];

/**
 * The labels of an axis from 0 up to what holds `most`, at even distances, as few as `steps` or fewer; of whole
 * numbers where `most` is one.
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

/** What compact notation has words for, and what it writes no row of zeros for. */
const [LARGEST, SMALLEST] = [1e15, 1e-4];

/** `950`, `12K`, `2.5M`, `1E99`: as an axis has room for. */
export function short(value: number): string {
  const size = Math.abs(value);
  const notation = size >= LARGEST || (size > 0 && size < SMALLEST) ? "scientific" : "compact";
  return value.toLocaleString("en-US", { notation, maximumSignificantDigits: 3 });
}

/** Which of `count` places along an axis have a label: the first, the last, and even distances between. */
export function labelled(count: number, labels: number): number[] {
  if (count <= labels) return Array.from({ length: count }, (_, index) => index);
  return Array.from({ length: labels }, (_, index) => Math.round((index * (count - 1)) / (labels - 1)));
}
