/** The chance of success after some successes and failures: the mean and the middle 90 % of a Beta distribution. */
export interface Interval {
  low: number;
  mid: number;
  high: number;
}

const TAIL = 0.05;

/**
 * Returns the interval of a Beta distribution. `alpha` and `beta` are the numbers of successes and failures,
 * each with its prior, and greater than 0.
 */
export function betaInterval(alpha: number, beta: number): Interval {
  return {
    low: rounded(quantile(TAIL, alpha, beta)),
    mid: rounded(alpha / (alpha + beta)),
    high: rounded(quantile(1 - TAIL, alpha, beta)),
  };
}

function rounded(share: number): number {
  return Math.round(share * 1000) / 1000;
}

const STEPS = 40;

/** Finds a quantile by bisection. The distribution function rises evenly enough, and 40 steps give 12 digits. */
function quantile(share: number, alpha: number, beta: number): number {
  let [low, high] = [0, 1];
  for (let step = 0; step < STEPS; step++) {
    const middle = (low + high) / 2;
    if (incompleteBeta(middle, alpha, beta) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The regularised incomplete beta function (Press et al., Numerical Recipes §6.4). */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * Math.log(x) + b * Math.log(1 - x));
  return x < (a + 1) / (a + b + 2)
    ? (front * fraction(x, a, b)) / a
    : 1 - (front * fraction(1 - x, b, a)) / b;
}

const MAX_TERMS = 200;
const PRECISION = 1e-12;
const TINY = 1e-300;

/** Evaluates the continued fraction by Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / nonzero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let term = 1; term <= MAX_TERMS; term++) {
    const even = (term * (b - term) * x) / ((a + 2 * term - 1) * (a + 2 * term));
    const odd = (-(a + term) * (a + b + term) * x) / ((a + 2 * term) * (a + 2 * term + 1));
    for (const coefficient of [even, odd]) {
      d = 1 / nonzero(1 + coefficient * d);
      c = nonzero(1 + coefficient / c);
      value *= c * d;
    }
    if (Math.abs(c * d - 1) < PRECISION) break;
  }
  return value;
}

function nonzero(value: number): number {
  return Math.abs(value) < TINY ? TINY : value;
}

const LANCZOS = [
  76.18009172947146, -86.50532032941678, 24.01409824083091, -1.231739572450155, 1.208650973866179e-3,
  -5.395239384953e-6,
];

/** Returns the logarithm of the gamma function, by Lanczos' approximation. */
function logGamma(x: number): number {
  const base = x + 5.5 - (x + 0.5) * Math.log(x + 5.5);
  const series = LANCZOS.reduce(
    (sum, coefficient, index) => sum + coefficient / (x + 1 + index),
    1.000000000190015,
  );
  return -base + Math.log((2.5066282746310007 * series) / x);
}
