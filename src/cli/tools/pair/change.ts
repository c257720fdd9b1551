import { Problem } from "../../../contract/problem.ts";
import { applied } from "../../../text/changed-lines.ts";
import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { EXIT, UsageError } from "../../exit-codes.ts";
import type { Output } from "../../terminal/io.ts";
import { count } from "../../ui/format.ts";
import { diffLines } from "./changed-lines.ts";
import { type Edit, editsBetween, merged } from "./line-diff.ts";
import { authorOf, type Base, readCopy, type Sent, updateCopy } from "./local-copy.ts";
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
  const path = sessionPath(context, file);
  const place: Place = { sessionId, path };
  const unanswered = latest ? undefined : readCopy(context, sessionId).unanswered?.[path];
  if (unanswered) {
    const outcome = await send(context, place, unanswered);
    if (outcome.exitCode || (await readText(context, path)) === baseOf(context, place)?.content)
      return outcome;
  }
  const author = authorOf(context, as, readCopy(context, sessionId));
  const content = await readText(context, path);
  const held = latest ? undefined : baseOf(context, place);
  const known = held ?? (await latestOf(context, place));
  const base = known ?? { revision: 0, content: "" };
  if (!known && content === "") {
    throw new UsageError(
      `${path} is empty, and the session does not have it.`,
      "It is added with its first text: write some, then run this again.",
    );
  }
  if (base.content === content) return takeIn(context, place, author, base);
  // What the file was made from is not known, so comparing them could undo what others changed.
  if (!held && !latest && base.revision > 0) {
    throw new UsageError(
      `${path} was changed in the session, and this directory has not read it since. Nothing was sent.`,
      `Take it over with \`tool pair show ${sessionId} ${path}\` beside your file, then send it with \`--latest\`.`,
    );
  }
  return send(context, place, {
    idempotencyKey: context.random.id("change"),
    base,
    content,
    author,
    message,
  });
}

/** A file of a session. */
interface Place {
  sessionId: string;
  path: string;
}

/** Refusals of who asks, or how often. They do not say whether a change was applied that was sent before. */
const UNDECIDED = [401, 429];

async function send(context: Context, place: Place, sent: Sent): Promise<Outcome> {
  const { sessionId, path } = place;
  const { idempotencyKey, base, content, author, message } = sent;
  const edits = editsBetween(base.content, content);
  updateCopy(context, sessionId, (copy) => ({
    ...copy,
    unanswered: { ...copy.unanswered, [path]: sent },
  }));
  try {
    const done = await context.client.call(
      "POST /api/v1/tools/pair/session/{sessionId}/change",
      { sessionId, author, path, baseRevision: base.revision, edits, message },
      { idempotencyKey },
    );
    const now = (done.rebased && (await latestOf(context, place))) || { revision: done.revision, content };
    const isSavedSince = await takeOver(context, place, content, now);
    settle(context, place, { author, base: now });
    const { style, marks } = context.io.out;
    return {
      document: done,
      lines: [
        `${marks.done} ${count(edits.length, "edit")} of ${path} sent: revision ${done.revision}`,
        ...(now.content === content
          ? []
          : [style.dim("  What others changed meanwhile is in your file now.")]),
        ...(isSavedSince ? [style.dim("  What you saved meanwhile is not sent yet: run this again.")] : []),
      ],
    };
  } catch (error) {
    if (!(error instanceof Problem) || error.status >= 500 || UNDECIDED.includes(error.status)) throw error;
    settle(context, place, {});
    if (error.error !== "conflict") throw error;
    return conflictOf(context, error, { ...place, base });
  }
}

/** Forgets a change that was answered, and keeps the revision that the file has now. */
function settle(
  context: Context,
  { sessionId, path }: Place,
  { author, base }: { author?: string; base?: Base },
): void {
  updateCopy(context, sessionId, (copy) => {
    const { [path]: _, ...unanswered } = copy.unanswered ?? {};
    return {
      ...copy,
      ...(author && { author }),
      ...(base && { files: { ...copy.files, [path]: base } }),
      unanswered,
    };
  });
}

function baseOf(context: Context, { sessionId, path }: Place): Base | undefined {
  return readCopy(context, sessionId).files[path];
}

/**
 * Writes the latest revision to a file that had some content. What was saved in it since stays, beside what others
 * changed.
 *
 * @returns whether something was saved since
 * @throws UsageError if others changed the same lines
 */
async function takeOver(
  context: Context,
  { sessionId, path }: Place,
  content: string,
  now: Base,
): Promise<boolean> {
  const here = await readText(context, path);
  const both = merged(content, here, now.content);
  if (both === undefined) {
    throw new UsageError(
      `${path} was saved while it was sent, where others had changed it. It is left as you saved it.`,
      `Settle it with \`tool pair show ${sessionId} ${path}\` beside it, then send it with \`--latest\`.`,
    );
  }
  if (both !== here) await writeText(context, path, both);
  return both !== now.content;
}

/** Returns the latest revision of a file; undefined if the session does not have it. A missing session fails later. */
async function latestOf({ client }: Context, { sessionId, path }: Place): Promise<Base | undefined> {
  try {
    const view = await client.call("GET /api/v1/tools/pair/session/{sessionId}", { sessionId, path });
    const [file] = view.files;
    return file && { revision: file.revision, content: file.content };
  } catch (error) {
    if (error instanceof Problem && error.error === "not_found") return undefined;
    throw error;
  }
}

/** Writes the latest revision to the file when there is nothing to send. */
async function takeIn(context: Context, place: Place, author: string, base: Base): Promise<Outcome> {
  const now = (await latestOf(context, place)) ?? base;
  const isSavedSince = await takeOver(context, place, base.content, now);
  settle(context, place, { author, base: now });
  const { path } = place;
  const taken = now.revision > base.revision;
  return {
    document: { change: null, revision: now.revision, rebased: false },
    lines: [
      isSavedSince
        ? `${path} was saved meanwhile: run this again to send it.`
        : taken
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
  { sessionId, path, base }: Place & { base: Base },
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
