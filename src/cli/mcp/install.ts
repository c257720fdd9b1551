import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT } from "../exit-codes.ts";
import { replaceFile } from "../replace-file.ts";
import { agreed, confirm } from "../terminal/confirm.ts";
import type { Io } from "../terminal/io.ts";
import { backUp } from "./back-up.ts";
import { fileOf } from "./clients.ts";
import { entryFor } from "./config.ts";
import { configDiff } from "./config-diff.ts";
import { editJson } from "./edit-json.ts";
import { editToml } from "./edit-toml.ts";

interface Options {
  client: string;
  tools?: string;
  yes?: true;
}

/** Writes the entry into the client's own file after the user has seen and confirmed the change. */
export async function install(context: Context, options: Options): Promise<Outcome> {
  const { path, program, value } = entryFor(context, options);
  const said = { done: "will start `tool mcp`; restart it", already: "starts `tool mcp` already" };
  const installed = await edit(context, options, (text, file) => edited(text, path, value, file), said);
  const { io } = context;
  if (installed.exitCode === EXIT.negative || program.command !== "tool" || isInstalled(io)) return installed;
  const missing = `${io.out.marks.attention} It finds no command tool yet: npm install --global toolplane`;
  return { ...installed, lines: [...(installed.lines ?? []), missing] };
}

/** Whether a program that `npx` does not start finds `tool` in the PATH. */
function isInstalled({ environment, platform }: Io): boolean {
  if (platform === "win32") return true;
  const directories = (environment.PATH ?? "").split(delimiter);
  return directories.some(
    (directory) => !directory.endsWith("node_modules/.bin") && existsSync(join(directory, "tool")),
  );
}

export function uninstall(context: Context, options: Options): Promise<Outcome> {
  const { path } = entryFor(context, options);
  const said = { done: "no longer starts `tool mcp`", already: "does not start `tool mcp`" };
  return edit(context, options, (text, file) => edited(text, path, undefined, file), said);
}

function edited(text: string, path: readonly string[], value: unknown, file: string): string {
  if (!file.endsWith(".toml")) return editJson(text, path, value, file);
  return editToml(text, path, value as string | undefined, file);
}

async function edit(
  context: Context,
  { client, yes }: Options,
  change: (text: string, file: string) => string,
  said: { done: string; already: string },
): Promise<Outcome> {
  const { io, clock, settings } = context;
  const named = fileOf(client, io);
  // A symbolic link, such as to a repository of dotfiles, stays a link.
  const file = existsSync(named) ? realpathSync(named) : named;
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const after = change(before ?? "", file);
  const { style, marks } = io.out;
  if (after === (before ?? "")) {
    return {
      document: { client, file, changed: false },
      lines: [`${marks.done} ${client} ${said.already}: ${file}`],
    };
  }
  if (!yes) for (const line of configDiff(before ?? "", after, file, io.err.style)) io.err.line(line);
  if (!(await agreed(context, yes, `This changes ${file}.`, () => confirm(io, `Change ${file}?`)))) {
    const document = { client, file, changed: false };
    return { document, lines: ["Nothing was changed."], exitCode: EXIT.negative };
  }
  const backup = before === undefined ? undefined : backUp(file, settings.directories.data, clock.now());
  replaceFile(file, after);
  return {
    document: { client, file, changed: true, backup },
    lines: [
      `${marks.done} ${client} ${said.done}: ${file}`,
      ...(backup === undefined ? [] : [style.dim(`As it was before: ${backup}`)]),
    ],
  };
}
