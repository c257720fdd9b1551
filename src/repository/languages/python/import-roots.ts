import { posix } from "node:path";
import { parse } from "smol-toml";
import type { Project } from "../language.ts";

/** Returns the directories in which a file's imports of a top-level name are looked up, in order. */
export type RootsOf = (file: string) => (name: string) => readonly string[];

const PROJECT_FILES = ["pyproject.toml", "setup.py", "setup.cfg"];
/** Names that every project has for itself, so they are not looked up in other projects. */
const OWN =
  /^(?:tests?|docs?|examples?|scripts?|benchmarks?|tools?|utils|setup|conftest|config|settings|main|app)$/;

/**
 * Orders roots as `python file.py` and pytest do. First comes the directory that contains the file's outermost package,
 * then the configured directories of the project, its `src` and its own directory. The same of the repository's other
 * projects follow, since these are installed beside it.
 */
export function importRoots({ paths, text }: Pick<Project, "paths" | "text">): RootsOf {
  const rootsByProject = new Map<string, string[]>();
  for (const path of paths) {
    if (!PROJECT_FILES.includes(posix.basename(path))) continue;
    const directory = posix.dirname(path);
    const known = rootsByProject.get(directory) ?? [];
    const named = placesIn(path, text(path) ?? "").map((place) => posix.join(directory, place));
    rootsByProject.set(directory, [
      ...new Set([...known, ...named, posix.join(directory, "src"), directory]),
    ]);
  }
  if (!rootsByProject.has(".")) rootsByProject.set(".", ["src", "."]);
  const everywhere = [...new Set([...rootsByProject.values()].flat())];
  const byDirectory = new Map<string, (name: string) => readonly string[]>();

  function rootsAt(directory: string): (name: string) => readonly string[] {
    const own = [outermost(directory)];
    for (let at = directory; ; at = posix.dirname(at)) {
      own.push(...(rootsByProject.get(at) ?? []));
      if (at === ".") break;
    }
    const near = [...new Set(own)];
    const all = [...new Set([...own, ...everywhere])];
    return (name) => (OWN.test(name) ? near : all);
  }

  /** Returns the first directory from here upwards that is not a package. */
  function outermost(directory: string): string {
    let at = directory;
    while (at !== "." && paths.has(posix.join(at, "__init__.py"))) at = posix.dirname(at);
    return at;
  }

  return (file) => {
    const directory = posix.dirname(file);
    let roots = byDirectory.get(directory);
    if (!roots) {
      roots = rootsAt(directory);
      byDirectory.set(directory, roots);
    }
    return roots;
  };
}

/** Returns the directories that a project configures for its modules. */
function placesIn(path: string, content: string): string[] {
  if (!path.endsWith(".toml")) {
    const found = content.matchAll(
      /package_dir\s*=\s*(?:\{\s*["']{2}\s*:\s*["']([\w./-]+)["']|\n?\s*=\s*([\w./-]+))/g,
    );
    return [...found].flatMap(([, left, right]) => left ?? right ?? []);
  }
  let document: unknown;
  try {
    document = parse(content);
  } catch {
    return [];
  }
  const at = (...keys: string[]) =>
    keys.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);
  const poetry = [at("tool", "poetry", "packages")].flat().map((each) => (each as { from?: unknown })?.from);
  return [
    at("tool", "setuptools", "packages", "find", "where"),
    at("tool", "setuptools", "package-dir", ""),
    at("tool", "pytest", "ini_options", "pythonpath"),
    at("tool", "hatch", "build", "targets", "wheel", "sources"),
    poetry,
  ]
    .flat(2)
    .filter((place): place is string => typeof place === "string" && /^[^/]/.test(place));
}
