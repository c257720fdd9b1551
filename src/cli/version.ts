import packageJson from "../../package.json" with { type: "json" };

export const VERSION = packageJson.version;
export const USER_AGENT = `toolplane/${VERSION}`;

/** Whether `version` is older than `least`. Only the numbers count, not a prerelease suffix. */
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
