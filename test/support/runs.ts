const LONG = 20;

/** Returns how often a property is tried: `count` times, or 20 times as often under `FUZZ=long`. */
export function runs(count: number): number {
  return isLong() ? count * LONG : count;
}

/** Whether `FUZZ=long` is set: for nightly runs, or after a change to the code that a property covers. */
export function isLong(): boolean {
  return process.env.FUZZ === "long";
}

/** Global setup: prints that properties are tried less often than they could be. */
export function setup(): void {
  if (isLong()) return;
  process.stderr.write(
    `Properties are tried less often than they may be: FUZZ=long tries them ${LONG} times as often.\n`,
  );
}
