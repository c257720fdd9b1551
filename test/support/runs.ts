const LONG = 20;

/** How often a property is tried: so often, with other values in each run of the suite, or 20 times that. */
export function runs(count: number): number {
  return isLong() ? count * LONG : count;
}

/** `FUZZ=long`: for a night, or after a change to what a property is about. */
export function isLong(): boolean {
  return process.env.FUZZ === "long";
}

/** Around a whole run. */
export function setup(): void {
  if (isLong()) return;
  process.stderr.write(
    `Properties are tried less often than they may be: FUZZ=long tries them ${LONG} times as often.\n`,
  );
}
