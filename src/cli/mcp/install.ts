import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { diffLines } from "diff";
import { iso } from "../../system/clock.ts";
import { defined } from "../../system/defined.ts";
import type { Outcome } from "../command.ts";
import type { Context } from "../context.ts";
import { EXIT, UsageError } from "../exit-codes.ts";
import { confirm } from "../terminal/confirm.ts";
import { fileOf } from "./client-files.ts";
import { entryFor } from "./config.ts";
import { editJson, editToml } from "./edit-config.ts";

interface Options {
  client: string;
  tools?: string;
  yes?: true;
}

/** `tool mcp install`: writes the entry into the client's own file, once the change was shown and agreed to. */
export function install(context: Context, options: Options): Promise<Outcome> {
  const { path, value } = entryFor(context, options);
  const said = { done: "will start `tool mcp`; start it anew", already: "starts `tool mcp` already" };
  return edit(context, options, (text, file) => edited(text, path, value, file), said);
}

export function uninstall(context: Context, options: Options): Promise<Outcome> {
  const { path } = entryFor(context, options);
  const said = { done: "starts `tool mcp` no more", already: "does not start `tool mcp`" };
  return edit(context, options, (text, file) => edited(text, path, undefined, file), said);
}

function edited(text: string, path: readonly string[], value: unknown, file: string): string {
  if (!file.endsWith(".toml")) return editJson(text, path, value, file);
  return editToml(text, path.join("."), value as string | undefined);
}

async function edit(
  { io, clock, settings, options: { json }, progress }: Context,
  { client, yes }: Options,
  change: (text: string, file: string) => string,
  said: { done: string; already: string },
): Promise<Outcome> {
  const named = fileOf(client, io);
  // A file that is kept elsewhere, such as with dotfiles, stays a link to there.
  const file = existsSync(named) ? realpathSync(named) : named;
  const before = existsSync(file) ? readFileSync(file, "utf8") : undefined;
  const after = change(before ?? "", file);
  const { style, symbols } = io.out;
  if (after === (before ?? "")) {
    return {
      document: { client, file, changed: false },
      lines: [`${style.green(symbols.done)} ${client} ${said.already}: ${file}`],
    };
  }
  if (!yes) {
    for (const line of diffOf(before ?? "", after, file, io.err.style)) io.err.line(line);
    if (json || !io.input.terminal || !io.err.live) {
      throw new UsageError(`This changes ${file}.`, "Add --yes to do it.");
    }
    if (!(await progress.pausedDuring(confirm(io, `Change ${file}?`)))) {
      const document = { client, file, changed: false };
      return { document, lines: ["Nothing was changed."], exitCode: EXIT.negative };
    }
  }
  const backup = before === undefined ? undefined : keep(file, settings.directories.data, clock.now());
  write(file, after);
  return {
    document: { client, file, changed: true, ...defined({ backup }) },
    lines: [
      `${style.green(symbols.done)} ${client} ${said.done}: ${file}`,
      ...(backup === undefined ? [] : [style.dim(`As it was before: ${backup}`)]),
    ],
  };
}

function diffOf(
  before: string,
  after: string,
  file: string,
  { green, red, dim }: Context["io"]["err"]["style"],
) {
  const parts = diffLines(before, after);
  return [
    dim(file),
    ...parts.flatMap(({ added, removed, value }, index) => {
      const lines = value.replace(/\n$/, "").split("\n");
      if (added) return lines.map((line) => green(`+ ${line}`));
      if (removed) return lines.map((line) => red(`- ${line}`));
      const [head, tail] = [
        index > 0 ? lines.slice(0, CONTEXT) : [],
        index < parts.length - 1 ? lines.slice(-CONTEXT) : [],
      ];
      const around = lines.length <= head.length + tail.length ? lines : [...head, "…", ...tail];
      return around.map((line) => `  ${line}`);
    }),
  ];
}

const CONTEXT = 3;

function keep(file: string, dataDirectory: string, now: number): string {
  const directory = join(dataDirectory, "backups");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const copy = join(directory, `${basename(file)}.${iso(now).replaceAll(/[:.]/g, "-")}`);
  copyFileSync(file, copy);
  return copy;
}

/** Whole or not at all, with the mode that it had. */
function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const mode = existsSync(file) ? statSync(file).mode & 0o777 : 0o644;
  const temporary = `${file}.${process.pid}.tmp`;
  writeFileSync(temporary, text, { mode });
  renameSync(temporary, file);
}
