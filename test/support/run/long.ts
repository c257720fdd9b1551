/**
 * Real servers and clients that are killed, starved, attacked and packed: they take minutes. `npm run test:long` runs
 * these, `npm test` the others.
 */
export const LONG = ["acceptance", "hardness", "package", "store/postgres/frozen"].map((place) =>
  place.includes("/") ? `test/${place}.test.ts` : `test/${place}/**/*.test.ts`,
);

/** Around a whole run without them. */
export function setup(): void {
  process.stderr.write(`Left to npm run test:long, which takes minutes: ${LONG.join(", ")}.\n`);
}
