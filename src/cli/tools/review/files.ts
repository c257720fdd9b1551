import type { RouteInput } from "../../../client/routes.ts";
import { git } from "../../../repository/files/list-files.ts";
import { readerOf } from "../../../repository/files/read-file.ts";
import type { Context } from "../../context.ts";

type Files = NonNullable<RouteInput<"POST /api/v1/tools/code-review">["files"]>;

const MAX_FILES = 2000;
/** Of all together; what is beyond goes without. */
const MAX_BYTES = 16 << 20;
/** Names that git quotes are left as they are: their files go without. */
const NAMED = /^\+\+\+ b\/([^\t\n]+)/gm;

/**
 * The files of a diff as they lie in the working tree, so that what stands outside of its hunks is known. One that
 * is not as the diff has it counts for nothing there.
 */
export async function filesOf({ io }: Context, diff: string): Promise<Files> {
  const top = await git(io.workingDirectory, ["rev-parse", "--show-toplevel"], io.interrupted).catch(
    () => "",
  );
  if (top === "") return [];
  const reader = readerOf(top.trimEnd());
  const files: Files = [];
  let bytes = 0;
  for (const [, path = ""] of diff.matchAll(NAMED)) {
    if (files.length >= MAX_FILES) break;
    const content = reader.contents(path);
    if (!content || content.includes(0)) continue;
    bytes += content.length;
    if (bytes > MAX_BYTES) break;
    files.push({ path, content: content.toString("utf8") });
  }
  return files;
}
