import type { RouteInput } from "../../../client/routes.ts";
import { readerOf } from "../../../repository/files/read-file.ts";
import type { Diff } from "./diff.ts";

type Files = NonNullable<RouteInput<"POST /api/v1/tools/code-review">["files"]>;

const MAX_FILES = 2000;
/** The most bytes of all files together. Further ones are left out. */
const MAX_BYTES = 16 << 20;

/**
 * Returns the files of a diff from the working tree, for the code outside its hunks. The review ignores a file that
 * does not match the diff. Returns none for a diff from elsewhere: it could name any local file, such as one with
 * secrets, and so cause it to be sent.
 */
export function filesOf({ of }: Diff): Files {
  if (!of) return [];
  const reader = readerOf(of.top);
  const files: Files = [];
  let bytes = 0;
  for (const path of of.paths) {
    if (files.length >= MAX_FILES) break;
    const content = reader.contents(path);
    if (!content || content.includes(0)) continue;
    bytes += content.length;
    if (bytes > MAX_BYTES) break;
    files.push({ path, content: content.toString("utf8") });
  }
  return files;
}
