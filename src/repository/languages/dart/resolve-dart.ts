import { posix } from "node:path";
import { addTo } from "../../add-to.ts";
import type { Facts, Target } from "../../facts.ts";
import { outward } from "../../files/nearest.ts";
import { fileTarget, type Project } from "../language.ts";
import { packagesOf } from "./packages.ts";

const PACKAGE = /^package:([^/]+)\/(.*)$/;
/** An address of something else than a file: `dart:io` */
const SCHEME = /^[a-z][a-z\d+.-]*:/i;

/**
 * Resolves what a file imports and exports, a library to its parts, and a part to its library, whose imports it shares.
 * Tests also lead to what the nearest `flutter_test_config.dart` has run around them.
 */
export function dartResolver(project: Project): (path: string, facts: Facts) => Target[] {
  const { paths } = project;
  const packages = packagesOf(project);
  let libraries: ReadonlyMap<string, readonly string[]> | undefined;

  function targetOf(uri: string, from: string): Target[] {
    if (uri.startsWith("dart:")) return [{ kind: "package", id: uri, name: uri }];
    const [, name, rest = ""] = PACKAGE.exec(uri) ?? [];
    if (name === undefined) {
      // A path from the top begins in what a package offers to others.
      const base = uri.startsWith("/") ? packages.libraryOf(from) : posix.dirname(from);
      return SCHEME.test(uri) || base === undefined ? [] : [existing(posix.join(base, uri), uri)];
    }
    const path = packages.fileOf(name, rest, from);
    return [path === undefined ? { kind: "package", id: `pub:${name}`, name } : existing(path, uri)];
  }

  function existing(path: string, module: string): Target {
    return paths.has(path) ? fileTarget(path) : { kind: "missing", module };
  }

  /** Returns the libraries that have a file as their part, of which it says no more than their name. */
  function librariesWith(part: string): readonly string[] {
    libraries ??= byPart();
    return libraries.get(part) ?? [];
  }

  function byPart(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const [path, { imports, declares }] of project.facts)
      for (const { module } of declares ? imports : [])
        for (const target of targetOf(module, path))
          if (target.kind === "file" && project.facts.get(target.path)?.package === declares?.[0])
            addTo(found, target.path, path);
    return found;
  }

  function testSetup(path: string): string[] {
    if (!path.endsWith("_test.dart")) return [];
    for (const directory of outward(posix.dirname(path))) {
      const setup = posix.join(directory, "flutter_test_config.dart");
      if (paths.has(setup)) return [setup];
      if (paths.has(posix.join(directory, "pubspec.yaml"))) break;
    }
    return [];
  }

  return (path, { imports, package: library }) => [
    ...imports.flatMap(({ module }) => targetOf(module, path)),
    ...(library === undefined ? [] : librariesWith(path)).map(fileTarget),
    ...testSetup(path).map(fileTarget),
  ];
}
