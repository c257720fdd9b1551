import { posix } from "node:path";
import { addTo } from "../../add-to.ts";
import type { Definition, Facts, Target } from "../../facts.ts";
import { fileTarget, type Project } from "../language.ts";

/**
 * Resolves imports by package and class. Names in use are also looked up in the file's own package and in packages that
 * are imported whole. Of several files that define a class, takes the nearest in the tree.
 */
export function javaResolver({ facts }: Project): (path: string, facts: Facts) => Target[] {
  const packages = new Map<string, Map<string, string[]>>();
  const outer = new Map<string, Set<string>>();
  for (const [path, { package: name = "", definitions }] of facts) {
    const classes = packages.get(name) ?? new Map<string, string[]>();
    packages.set(name, classes);
    const outerNames = outer.get(name) ?? new Set();
    outer.set(name, outerNames);
    for (const each of outerClasses(definitions)) outerNames.add(each);
    const defined = definitions.filter(({ kind }) => kind !== "method").map((definition) => definition.name);
    for (const each of new Set([posix.basename(path, ".java"), ...defined])) {
      addTo(classes, each, path);
    }
  }

  function classIn(name: string, within: string, from: string): string | undefined {
    const found = packages.get(within)?.get(name) ?? [];
    return found.length < 2 ? found[0] : nearest(found, from);
  }

  /** Resolves `a.b.C`, `a.b.C.Inner` or `a.b.C.member`. */
  function imported(module: string, from: string): Target {
    const parts = module.split(".");
    for (let count = parts.length - 1; count > 0; count--) {
      const found = classIn(parts[count] as string, parts.slice(0, count).join("."), from);
      if (found !== undefined) return fileTarget(found);
    }
    const name = parts.slice(0, /^(?:java|javax|jdk|sun)$/.test(parts[0] as string) ? 2 : 3).join(".");
    return { kind: "package", id: `java:${name}`, name };
  }

  return (path, { imports, uses = [], package: own = "" }) => {
    const single = imports.filter(({ module }) => !module.endsWith(".*"));
    const whole = imports
      .filter(({ module }) => module.endsWith(".*"))
      .map(({ module }) => module.slice(0, -2));
    const isNamed = new Set(single.map(({ module }) => module.slice(module.lastIndexOf(".") + 1)));
    const free = uses.filter((name) => !name.includes(".") && !isNamed.has(name));
    const qualified = uses.flatMap((name) => {
      const dot = name.lastIndexOf(".");
      return dot < 0 ? [] : (classIn(name.slice(dot + 1), name.slice(0, dot), path) ?? []);
    });
    const inPackage = (within: string, names: readonly string[]) =>
      names.flatMap((name) => classIn(name, within, path) ?? []).map(fileTarget);
    // A class of the same package shadows one imported on demand (Java Language Specification, §6.4.1), unless it is
    // within another class.
    const far = free.filter((name) => !outer.get(own)?.has(name));
    const ofWhole = whole.flatMap((module) =>
      packages.has(module) ? inPackage(module, far) : [imported(module, path)],
    );
    return [
      ...single.map(({ module }) => imported(module, path)),
      ...inPackage(own, free),
      ...ofWhole,
      ...qualified.map(fileTarget),
    ];
  };
}

function outerClasses(definitions: readonly Definition[]): string[] {
  let last: Definition | undefined;
  const names: string[] = [];
  for (const each of definitions) {
    if (each.kind === "method" || (last && last.from < each.from && each.from < last.to)) continue;
    last = each;
    names.push(each.name);
  }
  return names;
}

function nearest(paths: readonly string[], from: string): string | undefined {
  const common = (path: string) => {
    let at = 0;
    while (at < path.length && path[at] === from[at]) at++;
    return at;
  };
  return paths.toSorted((left, right) => common(right) - common(left) || (left < right ? -1 : 1))[0];
}
