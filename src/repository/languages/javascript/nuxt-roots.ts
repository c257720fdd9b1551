import { posix } from "node:path";
import type { Project } from "../language.ts";

const CONFIG = /(?:^|\/)nuxt\.config\.[cm]?[jt]s$/;
const SOURCE = /\bsrcDir\s{0,9}:\s{0,9}["'`]([\w./-]{1,100})["'`]/;

/** Returns the directory of each Nuxt application with the directory of its sources. */
export function nuxtRoots({ paths, text }: Pick<Project, "paths" | "text">): Map<string, string> {
  const roots = new Map<string, string>();
  for (const path of paths) {
    if (!CONFIG.test(path)) continue;
    const directory = posix.dirname(path);
    const named = SOURCE.exec(text(path) ?? "")?.[1];
    roots.set(directory, posix.join(directory, named ?? "."));
  }
  if (roots.size === 0) return roots;
  for (const path of paths) {
    // Since version 4 the sources are in `app`, if it exists.
    for (let at = posix.dirname(path); at !== "."; at = posix.dirname(at)) {
      const root = posix.dirname(at);
      if (posix.basename(at) === "app" && roots.get(root) === root) roots.set(root, at);
    }
  }
  return roots;
}
