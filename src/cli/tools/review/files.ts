import type { RouteInput } from "../../../client/routes.ts";
import { readerOf } from "../../../repository/files/read-file.ts";
import type { Diff } from "./diff.ts";

type Files = NonNullable<RouteInput<"POST /api/v1/tools/code-review">["files"]>;

const MAX_FILES = 2000;
/** Of all together; what is beyond goes without. */
const MAX_BYTES = 16 << 20;

/**
 * The files of a diff as they lie in the working tree, so that what stands outside of its hunks is known. One that
 * is not as the diff has it counts for nothing there. None of a diff that somebody else made: that may name any
 * file here, such as one of secrets, and would have it sent.
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
