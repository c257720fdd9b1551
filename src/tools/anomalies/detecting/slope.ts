/** Number of standard errors from which a slope is significant. */
const SURE = 3;

/**
 * Returns the direction in which values keep moving, 1 or -1. Returns 0 if they do not, or if a step between
 * two levels fits better than a straight line. Both are fitted by least squares, and the step is penalised
 * for its additional parameter as in Schwarz's criterion.
 */
export function directionOf(values: Float64Array): -1 | 0 | 1 {
  const line = straightLine(values);
  // Points on one line exactly have no error at all.
  const error = Math.sqrt(line.residuals / (values.length - 2) / line.steps);
  if (Math.abs(line.slope) <= SURE * error || hasStep(values, line.residuals)) return 0;
  return Math.sign(line.slope) as -1 | 1;
}

function straightLine(values: Float64Array): { slope: number; residuals: number; steps: number } {
  const middle = (values.length - 1) / 2;
  const mean = sum(values) / values.length;
  const steps = sum(values.map((_, index) => (index - middle) ** 2));
  const slope = sum(values.map((value, index) => (index - middle) * (value - mean))) / steps;
  const residuals = sum(values.map((value, index) => (value - mean - slope * (index - middle)) ** 2));
  return { slope, residuals, steps };
}

function hasStep(values: Float64Array, lineResiduals: number): boolean {
  const mean = sum(values) / values.length;
  const total = sum(values.map((value) => (value - mean) ** 2));
  let left = 0;
  let best = 0;
  for (let count = 1; count < values.length; count++) {
    left += (values[count - 1] as number) - mean;
    // The sum of squares between the two sides, explained by their means.
    best = Math.max(best, left ** 2 * (1 / count + 1 / (values.length - count)));
  }
  const { length } = values;
  return (total - best) * length ** (1 / length) < lineResiduals;
}

function sum(values: Float64Array): number {
  return values.reduce((total, value) => total + value, 0);
}
