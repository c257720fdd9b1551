import { isObject } from "../../../system/is-object.ts";

/** Conditions ranked last, in this order. More specific conditions come before them. */
const PREFERRED = ["source", "development", "types", "import", "module", "require", "node", "default"];
const MAX_DEPTH = 8;

/**
 * Returns the targets that `exports` or `imports` of a package.json give a subpath, best first. Targets of all
 * conditions are included, since the active conditions are known only at run time.
 */
export function inPackageMap(map: unknown, subpath: string): string[] {
  if (!isObject(map) || !Object.keys(map).some(isSubpath)) {
    return subpath === "." ? targetsOf(map, 0) : [];
  }
  const entries = Object.entries(map);
  const exact = entries.find(([key]) => key === subpath);
  if (exact) return targetsOf(exact[1], 0);
  const patterns = entries
    .flatMap(([key, value]) => {
      const [prefix = "", suffix] = key.endsWith("/") ? [key, ""] : key.split("*", 2);
      const fits =
        suffix !== undefined &&
        subpath.length >= prefix.length + suffix.length &&
        subpath.startsWith(prefix) &&
        subpath.endsWith(suffix);
      return fits ? [{ prefix, suffix, value, isDirectory: key.endsWith("/") }] : [];
    })
    .sort((left, right) => right.prefix.length - left.prefix.length);
  const [best] = patterns;
  if (!best) return [];
  const rest = subpath.slice(best.prefix.length, subpath.length - best.suffix.length);
  return targetsOf(best.value, 0).map((target) =>
    best.isDirectory ? target + rest : target.replaceAll("*", () => rest),
  );
}

function isSubpath(key: string): boolean {
  return key.startsWith(".") || key.startsWith("#");
}

function targetsOf(value: unknown, depth: number): string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((each) => targetsOf(each, depth + 1));
  const rank = (condition: string) =>
    (PREFERRED.indexOf(condition) + PREFERRED.length + 1) % (PREFERRED.length + 1);
  return Object.entries(value)
    .sort(([left], [right]) => rank(left) - rank(right))
    .flatMap(([, each]) => targetsOf(each, depth + 1));
}
