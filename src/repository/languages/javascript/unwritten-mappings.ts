import { posix } from "node:path";
import { nearest } from "../../files/nearest.ts";
import type { Project } from "../language.ts";
import { nuxtRoots } from "./nuxt-roots.ts";
import type { PathMappings } from "./path-mappings.ts";

/** Conventional directories for `@/` and `~/`, below the directory of the nearest package.json. */
const BY_CUSTOM = ["src", ".", "app", "resources/js"];
/** Prefixes that no package name has. */
const OF_PROJECT = /^(?:[@~]{1,2}\/|\$lib(?:\/|$))/;

/** Whether a specifier refers to a file of the project, resolved or not. */
export function isOfProject(specifier: string): boolean {
  return OF_PROJECT.test(specifier);
}

/**
 * Resolves specifiers that no committed tsconfig.json maps. SvelteKit and Nuxt generate one in a directory of their
 * own, and bundlers configure `@/` in code.
 */
export function unwrittenMappings(project: Pick<Project, "paths" | "text">): PathMappings {
  const svelte = new Set<string>();
  const packages = new Set<string>();
  for (const path of project.paths) {
    const base = posix.basename(path);
    if (/^svelte\.config\.[cm]?[jt]s$/.test(base)) svelte.add(posix.dirname(path));
    else if (base === "package.json") packages.add(posix.dirname(path));
  }
  const nuxt = nuxtRoots(project);

  return (file, specifier) => {
    if (/^\$lib(?:\/|$)/.test(specifier)) {
      const at = nearest(svelte, file);
      return at === undefined ? [] : [posix.join(at, "src/lib", specifier.slice("$lib/".length))];
    }
    const [, sign = "", rest = ""] = /^([@~]{1,2}|#shared|#server)(?:\/(.*))?$/.exec(specifier) ?? [];
    if (sign === "") return [];
    const root = nearest(nuxt, file);
    if (root !== undefined) {
      if (sign.startsWith("#")) return [posix.join(root, sign.slice(1), rest)];
      const source = nuxt.get(root) as string;
      return (sign.length === 1 ? [source, root] : [root]).map((at) => posix.join(at, rest));
    }
    const at = sign.length === 1 ? nearest(packages, file) : undefined;
    return at === undefined ? [] : BY_CUSTOM.map((folder) => posix.join(at, folder, rest));
  };
}
