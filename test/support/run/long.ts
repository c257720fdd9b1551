/**
 * What takes minutes: servers that are killed again and again, several on one database, the most expensive request of
 * every endpoint, projects that follow a page word for word. `npm run test:long` runs these, `npm test` the others.
 */
export const LONG = [
  "hardness/worst-cases",
  "hardness/replays",
  "hardness/fuzz",
  "acceptance/replays",
  "acceptance/instances",
  "package/extending",
].map((name) => `test/${name}.test.ts`);

/** Around a whole run without them. */
export function setup(): void {
  process.stderr.write(`Left to npm run test:long, which takes minutes: ${LONG.join(", ")}.\n`);
}
