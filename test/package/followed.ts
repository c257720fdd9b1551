import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync } from "node:fs";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { onTestFinished } from "vitest";
import { OWNER_KEY } from "../support/app.ts";
import { freePort } from "../support/free-port.ts";
import { installedPackage, readPage } from "./installed.ts";

const run = promisify(execFile);

/** Creates a folder with the files that a page tells its reader to write. Its commands can be run there. */
export async function follow(page: string) {
  const { root, directory } = await installedPackage();
  const { files, commands, outputs } = await readPage(page);
  const folder = await mkdtemp(join(root, "project-"));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "package.json"), '{ "type": "module" }\n');
  for (const [name, code] of files) await writeFile(join(folder, name), code);
  const env = {
    PATH: process.env.PATH ?? "",
    HOME: folder,
    LANG: "C.UTF-8",
    NO_COLOR: "1",
    TOOL_OWNER_API_KEY: OWNER_KEY,
    DBUS_SESSION_BUS_ADDRESS: "disabled:",
  };
  const known: Record<string, string[]> = {
    node: [process.execPath],
    npx: [process.execPath],
    toolplane: [join(directory, "bin/tool.js")],
    vitest: [join(root, "node_modules/vitest/vitest.mjs")],
  };

  /** Returns the words of a command of the page. `npx` finds installed packages, so that nothing is downloaded. */
  function wordsOf(command: string): [string, ...string[]] {
    if (!commands.includes(command)) throw new Error(`${page} does not say to type "${command}"`);
    const [first = "", ...rest] = command.split(" ");
    const words =
      first === "npx" ? ["npx", ...(known[rest[0] ?? ""] ?? []), ...rest.slice(1)] : [first, ...rest];
    const [program = ""] = known[words[0] ?? ""] ?? [words[0]];
    return [program, ...words.slice(1)];
  }

  async function started(words: [string, ...string[]], more: Record<string, string> = {}) {
    const [program, ...rest] = words;
    // The folder has no node_modules of its own, which would be another copy of the package.
    const child = spawn(known[program]?.[0] ?? program, rest, {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    const ended = once(child, "exit");
    const lines = createInterface({ input: child.stdout });
    const first = await Promise.race([once(lines, "line"), once(child, "close").then(() => undefined)]);
    if (!first) throw new Error(`${words.join(" ")} ended: ${errors}`);
    lines.on("line", () => {});
    return { line: String(first[0]), stop: () => stopped(child, ended) };
  }

  return {
    folder,
    commands,
    outputs,
    /** Runs a command and returns its output. Rejects if it fails. */
    async type(command: string): Promise<string> {
      const [program, ...rest] = wordsOf(command);
      if (program === "cp") {
        cpSync(join(root, rest[0] ?? ""), join(folder, rest[1] ?? ""));
        return "";
      }
      return (await run(program, rest, { cwd: folder, env })).stdout;
    },
    /** Starts a command that serves until it is stopped, with further words. */
    serve: async (command: string, more: string[] = []) => {
      const server = await started([...wordsOf(command), "--port", "0", ...more]);
      return { ...server, url: JSON.parse(server.line).url as string };
    },
    /** Runs a program of the page on a free port. */
    start: async (file: string) => {
      const port = await freePort();
      const { stop } = await started(["node", file], { PORT: String(port) });
      return { url: `http://127.0.0.1:${port}`, stop };
    },
  };
}

async function stopped(child: ChildProcess, ended: Promise<unknown>): Promise<void> {
  child.kill("SIGTERM");
  await ended;
}
