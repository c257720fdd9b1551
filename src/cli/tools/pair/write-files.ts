import type { Outcome } from "../../command.ts";
import type { Context } from "../../context.ts";
import { describeFailure } from "../../describe-failure.ts";
import { UsageError } from "../../exit-codes.ts";
import { count, number } from "../../ui/format.ts";
import { keepCopy, readCopy } from "./local-copy.ts";
import { checkPlace, readText, writeText } from "./local-files.ts";
import type { View } from "./roles.ts";

/** Writes a session's files. Without `force`, writes none if local changes would be lost. */
export async function writeFiles(context: Context, view: View, force: boolean): Promise<Outcome> {
  const { id } = view.session;
  const copy = readCopy(context, id);
  const leftOut: { path: string; reason: string }[] = [];
  const leaveOut = (path: string, error: unknown) =>
    leftOut.push({ path, reason: describeFailure(error).message });
  const files: View["files"] = [];
  for (const file of view.files) {
    // Participants choose paths, so one that is not allowed here is skipped and the others are written.
    await checkPlace(context, file.path).then(
      () => files.push(file),
      (error) => leaveOut(file.path, error),
    );
  }
  if (!force) {
    for (const { path, content } of files) {
      const here = await readText(context, path).catch(ignoreMissing);
      if (here === undefined || here === content || here === copy.files[path]?.content) continue;
      throw new UsageError(
        `${path} has changes here that would be lost. Nothing was written.`,
        `Send them with \`tool pair change ${id} ${path}\`, or add --force.`,
      );
    }
  }
  for (const { path, content, revision } of files) {
    try {
      await writeText(context, path, content);
      copy.files[path] = { revision, content };
      // The file no longer holds it, so that sending it again would take this revision for what was saved since.
      delete copy.unanswered?.[path];
    } catch (error) {
      leaveOut(path, error);
    }
  }
  keepCopy(context, id, copy);
  const { marks } = context.io.out;
  const written = count(view.files.length - leftOut.length, "file");
  return {
    document: { ...view, ...(leftOut.length > 0 && { leftOut }) },
    lines: [
      `${marks.done} ${written} written, as of change ${number(view.session.sequence)}`,
      ...leftOut.map(({ path, reason }) => `${marks.attention} Left out ${path}: ${reason}`),
    ],
  };
}

/** Ignores a missing file, and other errors that writing it will report. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (!["ENOENT", "ENOTDIR", "EISDIR", "ELOOP"].includes(error.code ?? "")) throw error;
}
