import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { promisify } from "node:util";

export interface Repository {
  /** Where paths begin: the top of the repository, or the directory itself where it belongs to none. */
  top: string;
  /** Of all files, with slashes, from the top. */
  files: string[];
  /** What the paths of the files in question start with. */
  prefix: string;
}

const git = promisify(execFile);
const MAX_BYTES = 256 << 20;

/** What git knows or would take, so that what is ignored stays out; without git, what is not hidden. */
export async function filesOf(directory: string): Promise<Repository> {
  const ask = async (where: string, ...words: string[]) =>
    (await git("git", ["-C", where, ...words], { maxBuffer: MAX_BYTES })).stdout;
  try {
    const [top = "", prefix = ""] = (
      await ask(directory, "rev-parse", "--show-toplevel", "--show-prefix")
    ).split("\n");
    const listed = await ask(top, "ls-files", "-z", "--cached", "--others", "--exclude-standard");
    const files = listed.split("\0").filter((file) => file !== "" && !/(^|\/)node_modules\//.test(file));
    return { top, prefix, files: [...new Set(files)].sort() };
  } catch {
    return { top: directory, prefix: "", files: await walk(directory) };
  }
}

async function walk(top: string): Promise<string[]> {
  const files: string[] = [];
  const directories = [top];
  for (let at = directories.pop(); at !== undefined; at = directories.pop()) {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      if (entry.name.startsWith(".") || entry.name === "node_modules" || entry.name === "__pycache__")
        continue;
      const path = join(at, entry.name);
      if (entry.isDirectory()) directories.push(path);
      else if (entry.isFile()) files.push(relative(top, path).split(sep).join("/"));
    }
  }
  return files.sort();
}
