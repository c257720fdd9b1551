import { readFile, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import type { GraphContent } from "../transfer.ts";
import { filesOf } from "./files.ts";
import { javascriptImports } from "./javascript-imports.ts";
import { parseJsonWithComments } from "./json-with-comments.ts";
import { readPathMappings } from "./path-mappings.ts";
import { pythonImports } from "./python-imports.ts";
import { JAVASCRIPT_EXTENSIONS, javascriptResolver, type Workspaces } from "./resolve-javascript.ts";
import { pythonResolver } from "./resolve-python.ts";
import type { Target } from "./target.ts";

export interface ScannedGraph extends GraphContent {
  /** Read. */
  files: number;
  /** Imports of files that are not there. */
  unresolved: { file: string; specifier: string }[];
}

/** Longer ones are bundles that nobody wrote. */
const MAX_CHARACTERS = 1 << 20;
const MAX_BYTES = 4 * MAX_CHARACTERS;
const MAX_ID_CHARACTERS = 256;

/** Files and packages, and which file imports which: of a repository, or of the directory alone. */
export async function scanRepository(directory: string): Promise<ScannedGraph> {
  const { top, prefix, files: all } = await filesOf(directory);
  const files = new Set(all);
  const read = async (file: string) => {
    const path = join(top, file);
    try {
      // A link may lead to a device or a pipe that never ends.
      const { size } = await stat(path).then((found) => (found.isFile() ? found : { size: Infinity }));
      return size > MAX_BYTES ? undefined : await readFile(path, "utf8");
    } catch {
      return undefined;
    }
  };
  const targetsOf = await importReader(files, read);

  const entities = new Map<string, GraphContent["entities"][number]>();
  const relationships: GraphContent["relationships"] = [];
  const unresolved: ScannedGraph["unresolved"] = [];
  let count = 0;
  const add = (id: string, type: string, name: string) => entities.set(id, { id, type, name });
  for (const file of all) {
    if (!file.startsWith(prefix) || !canRead(file) || file.length > MAX_ID_CHARACTERS) continue;
    const text = await read(file);
    if (text === undefined || text.length > MAX_CHARACTERS) continue;
    count++;
    add(file, "file", file);
    const targets = new Map<string, Target>();
    for (const target of targetsOf(file, text)) {
      if (target.kind === "missing") unresolved.push({ file, specifier: target.specifier });
      else if (target.id !== file && target.id.length <= MAX_ID_CHARACTERS) targets.set(target.id, target);
    }
    for (const [to, target] of targets) {
      if (target.kind === "package") add(to, "package", target.name);
      else if (!entities.has(to)) add(to, "file", to);
      relationships.push({ from: file, to, type: "imports" });
    }
  }
  return { files: count, unresolved, entities: [...entities.values()], relationships };
}

function canRead(file: string): boolean {
  return [...JAVASCRIPT_EXTENSIONS, ".py"].includes(posix.extname(file));
}

async function importReader(files: ReadonlySet<string>, read: (file: string) => Promise<string | undefined>) {
  const ofJavascript = javascriptResolver(
    files,
    await readPathMappings(files, read),
    await workspacesIn(files, read),
  );
  const ofPython = pythonResolver(files);
  return (file: string, text: string): Target[] =>
    file.endsWith(".py")
      ? pythonImports(text).flatMap((imported) => ofPython(file, imported))
      : javascriptImports(text).map((specifier) => ofJavascript(file, specifier));
}

async function workspacesIn(
  files: ReadonlySet<string>,
  read: (file: string) => Promise<string | undefined>,
): Promise<Workspaces> {
  const workspaces = new Map<string, string>();
  for (const file of files) {
    if (posix.basename(file) !== "package.json") continue;
    const parsed = parseJsonWithComments((await read(file)) ?? "") as { name?: unknown } | undefined;
    if (typeof parsed?.name === "string") workspaces.set(parsed.name, posix.dirname(file));
  }
  return workspaces;
}
