import { posix } from "node:path";
import type { Facts, Import, Target } from "../../facts.ts";
import { fileTarget, type Project } from "../language.ts";
import { ofPlatform, placeOf } from "../scala/platforms.ts";
import { scalaResolver } from "../scala/resolve-scala.ts";
import { libraryOf } from "./libraries.ts";
import {
  joined,
  type Names,
  NamespaceTable,
  nearest,
  nearestPlace,
  visible,
  within,
} from "./namespace-table.ts";

const isJava = (path: string) => path.endsWith(".java");
const isScala = (path: string) => path.endsWith(".scala") || path.endsWith(".sc");
const isWhole = ({ module }: Import) => module.endsWith(".*");

/**
 * Resolves imports of Java, Kotlin and Scala by package and class, or by function. Names in use are also looked up in the
 * file's own package and in packages that are imported whole. Of several files that define a class, takes the nearest in
 * the tree; of functions that share a name, all that are there.
 */
export function jvmResolver({ facts }: Project): (path: string, facts: Facts) => Target[] {
  const table = new NamespaceTable();
  /** Classes within others, which Java's subclasses name alone. */
  const inner = new NamespaceTable();
  /** Methods that are no extensions: a call of one with such a name may mean either. */
  const methods = new Set<string>();
  for (const [path, { declares = [], definitions, package: own = "" }] of facts) {
    const outer = new Set(declares);
    for (const name of declares) table.add(name, path);
    for (const { name, kind } of definitions) {
      const full = within(own, name);
      if (kind === "method") methods.add(name.slice(name.lastIndexOf(".")));
      else if (isJava(path) && !outer.has(full)) inner.add(full, path);
    }
  }

  function chosen(paths: readonly string[], from: string): readonly string[] {
    if (isScala(from)) return ofPlatform(nearestPlace(paths, from, placeOf), from);
    return nearestPlace(paths, from, (path) => (isJava(path) ? undefined : posix.dirname(path)));
  }

  /** Resolves `a.b.C`, `a.b.C.Inner`, `a.b.C.member` or `a.b.function`, which may be that of an extension. */
  function imported(module: string, from: string): Target[] {
    const dot = module.lastIndexOf(".");
    const extensions = dot < 0 ? [] : table.find(`${module.slice(0, dot)}.${module.slice(dot)}`);
    const own = joined([table.find(module), inner.find(module), extensions]);
    const found = own.length > 0 ? own : table.findPrefix(module);
    if (found.length > 0) return chosen(found, from).map(fileTarget);
    return [libraryOf(module)];
  }

  const resolveScala = scalaResolver({ facts, table, methods, chosen });

  return (path, own) => (isScala(path) ? resolveScala(path, own) : resolve(path, own));

  function resolve(path: string, { imports, uses = [], package: own = "" }: Facts): Target[] {
    const single = imports.filter((each) => !isWhole(each));
    const whole = imports.filter(isWhole).map(({ module }) => module.slice(0, -2));
    const isNamed = new Set(
      single.map(({ module, names }) => names?.[0] ?? module.slice(module.lastIndexOf(".") + 1)),
    );
    const ofOwn = table.namesIn(own);
    const ofWhole = whole.flatMap((module) => table.namesIn(module) ?? []);
    const levels: Names[][] = [ofOwn ? [ofOwn] : [], ofWhole];
    const innerLevels = isJava(path) ? [own, ...whole].flatMap((each) => inner.namesIn(each) ?? []) : [];

    function used(name: string): readonly string[] {
      if (isNamed.has(name.replace(".", ""))) return [];
      const dot = name.lastIndexOf(".");
      if (dot > 0) return chosen(joined([table.find(name), inner.find(name)]), path);
      const found = visible(levels, name);
      if (dot === 0) return found.length === 1 && !methods.has(name) ? found : [];
      const extensions = found.length > 0 ? [] : visible(levels, `.${name}`);
      if (extensions.length === 1 && !methods.has(`.${name}`)) return extensions;
      // A class of the same package shadows one imported on demand (Java Language Specification, §6.4.1), unless it is
      // within another class.
      const ofClasses = ofOwn?.has(name)
        ? []
        : innerLevels.flatMap((names) => nearest(names.get(name) ?? [], path) ?? []);
      return [...chosen(found, path), ...ofClasses];
    }

    return [
      ...single.flatMap(({ module }) => imported(module, path)),
      ...whole.filter((module) => !table.namesIn(module)).flatMap((module) => imported(module, path)),
      ...uses.flatMap(used).map(fileTarget),
    ];
  }
}
