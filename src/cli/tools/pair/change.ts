import { Problem } from "../../../contract/problem.ts";
import { applied } from "../../../text/changed-lines.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT } from "../../exit-codes.ts";
import type { Output } from "../../terminal/io.ts";
import { count } from "../../ui/format.ts";
import { diffLines } from "./changed-lines.ts";
import { type Edit, editsBetween } from "./line-diff.ts";
import { authorOf, type Base, keepCopy, readCopy } from "./local-copy.ts";
import { readText, sessionPath, writeText } from "./local-files.ts";

export interface ChangeOptions {
  as?: string;
  message?: string;
  latest?: boolean;
}

const MAX_LINES = 40;

/** Sends the changes since the revision in this directory, and then writes the latest revision. */
export async function change(
  context: Context,
  sessionId: string,
  file: string,
  { as, message, latest }: ChangeOptions,
): Promise<Outcome> {
  const { client, io } = context;
  const path = sessionPath(context, file);
  const copy = readCopy(context, sessionId);
  const author = authorOf(context, as, copy);
  const local = await readText(context, path);
  const base = (latest ? undefined : copy.files[path]) ?? (await latestOf(context, sessionId, path));
  const edits = editsBetween(base.content, local);
  if (edits.length === 0) return takeIn(context, sessionId, path, author, local, base);
  try {
    const done = await client.call("POST /api/v1/tools/pair/session/{sessionId}/change", {
      sessionId,
      author,
      path,
      baseRevision: base.revision,
      edits,
      message,
    });
    const { style, marks } = io.out;
    const now = done.rebased
      ? await latestOf(context, sessionId, path)
      : { revision: done.revision, content: local };
    if (now.content !== local) await writeText(context, path, now.content);
    keepCopy(context, sessionId, { author, files: { ...copy.files, [path]: now } });
    return {
      document: done,
      lines: [
        `${marks.done} ${count(edits.length, "edit")} of ${path} sent: revision ${done.revision}`,
        ...(now.content === local ? [] : [style.dim("  What others changed meanwhile is in your file now.")]),
      ],
    };
  } catch (error) {
    if (!(error instanceof Problem) || error.error !== "conflict") throw error;
    return conflictOf(context, error, { sessionId, path, base });
  }
}

/** Returns the latest revision of a file. A missing file is empty, at revision 0. A missing session fails later. */
async function latestOf({ client }: Context, sessionId: string, path: string): Promise<Base> {
  try {
    const view = await client.call("GET /api/v1/tools/pair/session/{sessionId}", { sessionId, path });
    const { revision = 0, content = "" } = view.files[0] ?? {};
    return { revision, content };
  } catch (error) {
    if (error instanceof Problem && error.error === "not_found") return { revision: 0, content: "" };
    throw error;
  }
}

/** Writes the latest revision to the file when there is nothing to send. */
async function takeIn(
  context: Context,
  sessionId: string,
  path: string,
  author: string,
  local: string,
  base: Base,
): Promise<Outcome> {
  const now = await latestOf(context, sessionId, path);
  const copy = readCopy(context, sessionId);
  if (now.content !== local) await writeText(context, path, now.content);
  keepCopy(context, sessionId, { author, files: { ...copy.files, [path]: now } });
  const taken = now.revision > base.revision;
  return {
    document: { change: null, revision: now.revision, rebased: false },
    lines: [
      taken
        ? `Nothing to send. ${path} has what others changed: revision ${now.revision}.`
        : `Nothing to send: ${path} is as in the session, revision ${now.revision}.`,
    ],
  };
}

interface Side {
  author: string;
  sequence?: number;
  edits: Edit[];
  /** The index of the edit that conflicts with the other side. */
  touched: number;
}

/** Shows both sides of a conflict against the same text: the file before the other side's change. */
async function conflictOf(
  { client, io }: Context,
  problem: Problem,
  { sessionId, path, base }: { sessionId: string; path: string; base: Base },
): Promise<Outcome> {
  const members = problem.extras.members ?? {};
  const { theirs, yours } = members as unknown as { theirs: Side; yours: Side };
  const view = await client.call("GET /api/v1/tools/pair/session/{sessionId}", {
    sessionId,
    path,
    since: base.revision,
  });
  const before = view.changes
    .filter(({ sequence }) => sequence < (theirs.sequence ?? 0))
    .reduce((content, { edits }) => applied(content, edits), base.content);
  const { style, marks } = io.out;
  return {
    document: { error: problem.error, message: problem.detail, exitCode: EXIT.failed, ...members },
    exitCode: EXIT.failed,
    lines: [
      `${marks.failed} ${theirs.author} changed the same text meanwhile. Nothing was sent.`,
      ...sideLines(`theirs, change ${theirs.sequence}`, before, theirs, io.out),
      ...sideLines("yours", before, yours, io.out),
      "",
      `Settle it in your file, with ${style.cyan(`tool pair show ${sessionId} ${path}`)} beside it, then send it with ${style.cyan("--latest")}.`,
    ],
  };
}

function sideLines(title: string, before: string, { edits, touched }: Side, output: Output): string[] {
  const edit = edits.slice(touched, touched + 1);
  return ["", output.style.dim(title), ...diffLines(before, edit, output, MAX_LINES)];
}
