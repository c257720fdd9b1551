import { posix } from "node:path";
import { addTo } from "../../add-to.ts";
import { nearest } from "../../files/nearest.ts";
import { nearest as nearestPath } from "../classes/namespace-table.ts";
import type { Project } from "../language.ts";
import { layoutOf } from "../layout.ts";
import { blankSwift } from "./blank-swift.ts";

export interface Modules {
  /** The directory of the module that a file belongs to. */
  of(path: string): string;
  /** The directory of the module of a name that is nearest to a file, if the repository has one. */
  named(name: string, from: string): string | undefined;
}

const TARGET = /\.(target|executableTarget|testTarget|macro|plugin|systemLibrary)\s*\(/g;
/** Where SwiftPM looks for a target without a path. */
const FOLDERS = ["Sources", "Source", "src", "srcs"];
const FOLDERS_OF: Readonly<Record<string, readonly string[]>> = {
  testTarget: ["Tests", ...FOLDERS],
  plugin: ["Plugins", ...FOLDERS],
};
const MANIFEST = /(?:^|\/)Package(?:@swift-[\d.]+)?\.swift$/;
/** Examples of a documentation, which are programs each, and playgrounds. */
const APART = /^.*\.docc\/.*|^.*?\.playground(?=\/)/;
const PROJECT = /(?:^|\/)([^/]+)\.xcodeproj\//;

/**
 * Finds the modules of packages by the targets in their manifests. Other files share a module with the files of their
 * Xcode project, whose targets its folders are by custom, or with all that are in no project.
 */
export function modulesOf({ paths, text }: Pick<Project, "paths" | "text">): Modules {
  const byName = new Map<string, string[]>();
  const modules = new Set<string>();
  const projects = new Map<string, string>();
  const folders = new Set<string>();
  const manifests: string[] = [];
  for (const path of paths) {
    if (MANIFEST.test(path)) manifests.push(path);
    else if (path.endsWith(".swift"))
      for (let at = posix.dirname(path); at !== "." && !folders.has(at); at = posix.dirname(at))
        folders.add(at);
    const project = PROJECT.exec(path);
    if (project)
      projects.set(posix.dirname(path.slice(0, project.index + project[0].length)), project[1] as string);
  }
  for (const path of manifests) addPackage(path);
  // A project that builds a package as well has a name that means the package.
  for (const [directory, name] of projects) if (!byName.has(name)) add(name, directory);

  function add(name: string, directory: string): void {
    if (!byName.get(name)?.includes(directory)) addTo(byName, name, directory);
  }

  function addPackage(path: string): void {
    const own = posix.dirname(path);
    const written = text(path) ?? "";
    for (const { name, kind, folder } of targetsIn(written)) {
      const guesses = (FOLDERS_OF[kind] ?? FOLDERS).map((each) => `${each}/${name}`);
      const directory = (folder === undefined ? guesses : [folder])
        .map((each) => posix.join(own, each).replace(/\/$/, ""))
        .find((each) => folders.has(each) || each === ".");
      if (directory === undefined) continue;
      modules.add(directory);
      add(name, directory);
    }
    // Targets whose names a program makes are called like their folders.
    for (const folder of folders) {
      const outer = posix.dirname(folder);
      const isTarget = ["Sources", "Tests", "Plugins"].some((each) => outer === posix.join(own, each));
      if (!isTarget || nearest(modules, posix.join(folder, "any")) !== undefined) continue;
      if (byName.has(posix.basename(folder))) continue;
      modules.add(folder);
      add(posix.basename(folder), folder);
    }
  }

  return {
    of: (path) => APART.exec(path)?.[0] ?? nearest(modules, path) ?? nearest(projects, path) ?? ".",
    named: (name, from) => nearestPath(byName.get(name) ?? [], from),
  };
}

interface Target {
  kind: string;
  name: string;
  folder: string | undefined;
}

/** Returns the targets of a manifest, without those that others depend on. */
function targetsIn(text: string): Target[] {
  const { code, closing } = layoutOf(blankSwift(text));
  let last = -1;
  return [...code.matchAll(TARGET)].flatMap((match) => {
    const start = match.index + match[0].length;
    if (start < last) return [];
    last = closing(start - 1);
    const [name, folder] = ["name", "path"].map((label) => {
      const at = code.slice(start, last).search(new RegExp(`\\b${label}\\s*:\\s*"`));
      return at < 0 ? undefined : /"([^"\n]*)"/.exec(text.slice(start + at))?.[1];
    });
    return name === undefined ? [] : [{ kind: match[1] as string, name, folder }];
  });
}
