import packageJson from "../../package.json" with { type: "json" };

export const VERSION = packageJson.version;
export const USER_AGENT = `toolplane/${VERSION}`;

/** By numbers; what stands behind a dash counts for nothing. */
export function olderThan(version: string, least: string): boolean {
  const [have, need] = [version, least].map((text) => text.split(/[.-]/, 3).map(Number)) as [
    number[],
    number[],
  ];
  for (const [index, part] of need.entries()) {
    if (have[index] !== part) return (have[index] ?? 0) < part;
  }
  return false;
}
