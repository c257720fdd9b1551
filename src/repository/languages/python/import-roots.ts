import { posix } from "node:path";
import type { Project } from "../language.ts";
import { membersOfToml } from "../members.ts";

/** Returns the directories in which a file's imports of a top-level name are looked up, in order: those that have any. */
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
  const distributions = new Map<string, string>();
  for (const path of paths) {
    if (!PROJECT_FILES.includes(posix.basename(path))) continue;
    const directory = posix.dirname(path);
    const known = rootsByProject.get(directory) ?? [];
    const content = text(path) ?? "";
    const named = placesIn(path, content).map((place) => posix.join(directory, place));
    const distribution = distributionIn(path, content);
    if (distribution !== undefined) distributions.set(directory, distribution);
    rootsByProject.set(directory, [
      ...new Set([...known, ...named, posix.join(directory, "src"), directory]),
    ]);
  }
  if (!rootsByProject.has(".")) rootsByProject.set(".", ["src", "."]);
  const holders = holdersIn(paths);
  const everywhere = [...new Set([...rootsByProject.values()].flat())];
  const byDirectory = new Map<string, (name: string) => readonly string[]>();

  function rootsAt(directory: string): (name: string) => readonly string[] {
    const outer = outermost(directory);
    const own = [namespaceRoot(directory, outer) ?? outer];
    for (let at = directory; ; at = posix.dirname(at)) {
      own.push(...(rootsByProject.get(at) ?? []));
      if (at === ".") break;
    }
    const near = [...new Set(own)];
    const all = [...new Set([...own, ...everywhere])];
    return (name) => {
      const having = holders.get(name);
      return having ? (OWN.test(name) ? near : all).filter((root) => having.has(root)) : [];
    };
  }

  /** Returns the first directory from here upwards that is not a package. */
  function outermost(directory: string): string {
    let at = directory;
    while (at !== "." && paths.has(posix.join(at, "__init__.py"))) at = posix.dirname(at);
    return at;
  }

  /**
   * Returns where the namespace packages around a package begin: `src` for `src/acme/redis`, where `acme` has no
   * `__init__.py` and the project is `acme-redis`. There `import redis` means what is installed, not the file's package.
   */
  function namespaceRoot(directory: string, outer: string): string | undefined {
    if (directory === outer || outer === ".") return;
    let project = outer;
    while (project !== "." && !rootsByProject.has(project)) project = posix.dirname(project);
    const distribution = distributions.get(project);
    const root = rootsByProject.get(project)?.find((each) => each === "." || outer.startsWith(`${each}/`));
    if (distribution === undefined || root === undefined) return;
    const namespace = posix.relative(root, outer).split("/", 1)[0] as string;
    return plain(distribution).startsWith(`${plain(namespace)}-`) ? root : undefined;
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

/** Returns the directories that have a module or a folder of each name, as most names are those of installed packages. */
function holdersIn(paths: ReadonlySet<string>): ReadonlyMap<string, ReadonlySet<string>> {
  const holders = new Map<string, Set<string>>();
  for (const path of paths) {
    if (!/\.pyi?$/.test(path)) continue;
    for (let at = path.replace(/\.pyi?$/, ""); at !== "."; at = posix.dirname(at)) {
      const name = posix.basename(at);
      const known = holders.get(name) ?? new Set();
      const directory = posix.dirname(at);
      if (known.has(directory)) break;
      holders.set(name, known.add(directory));
    }
  }
  return holders;
}

/** Names of distributions and packages are the same whatever parts them. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, "-");
}

/** Returns the name of the distribution that a project says it builds. */
function distributionIn(path: string, content: string): string | undefined {
  if (!path.endsWith(".toml")) return /(?:^|[(,])\s*name\s*=\s*["']?([\w.-]+)/m.exec(content)?.[1];
  const document = membersOfToml(content);
  const name = valueAt(document, "project", "name") ?? valueAt(document, "tool", "poetry", "name");
  return typeof name === "string" ? name : undefined;
}

function valueAt(document: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>(
    (value, key) => (value as Record<string, unknown> | undefined)?.[key],
    document,
  );
}

/** Returns the directories that a project configures for its modules. */
function placesIn(path: string, content: string): string[] {
  if (!path.endsWith(".toml")) {
    const found = content.matchAll(
      /package_dir\s*=\s*(?:\{\s*["']{2}\s*:\s*["']([\w./-]+)["']|\n?\s*=\s*([\w./-]+))/g,
    );
    return [...found].flatMap(([, left, right]) => left ?? right ?? []);
  }
  const document = membersOfToml(content);
  const at = (...keys: string[]) => valueAt(document, ...keys);
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
