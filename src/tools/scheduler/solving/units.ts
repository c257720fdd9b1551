import type { Instance } from "./instance.ts";

/**
 * Returns the same problem in the longest unit of time in which all its durations and releases are whole, so
 * that a plan has as few instants as possible. Deadlines may become fractions.
 */
export function inUnits(instance: Instance): { instance: Instance; unit: number } {
  const { duration, release, deadline } = instance;
  // Calendars count milliseconds.
  if (instance.constraints) return { instance, unit: 1 };
  const divisor = [...duration, ...release].reduce(greatestCommonDivisor, 0);
  const unit = divisor > 0 ? divisor : 1;
  const scaled = (times: Float64Array) => times.map((time) => time / unit);
  return {
    unit,
    instance: {
      ...instance,
      duration: scaled(duration),
      release: scaled(release),
      deadline: scaled(deadline),
    },
  };
}

function greatestCommonDivisor(left: number, right: number): number {
  return right === 0 ? left : greatestCommonDivisor(right, left % right);
}
