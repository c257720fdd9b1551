import type { RouteInput } from "../../../client/routes.ts";
import { readerOf } from "../../../repository/files/read-file.ts";
import type { Diff } from "./diff.ts";
import { importsOf } from "./imports.ts";

type Sent = Pick<RouteInput<"POST /api/v1/tools/code-review">, "files" | "imports">;

const MAX_FILES = 2000;
/** The most files of a change whose imports are followed: the review of a larger one stays a matter of a second. */
const MAX_FOLLOWED = 30;
/** The most bytes of all files together. Further ones are left out. */
const MAX_BYTES = 16 << 20;

/**
 * Returns the files of a diff from the working tree, for the code outside its hunks, then those that they import, and
 * where each import leads. The review ignores a file that does not match the diff. Returns none for a diff from
 * elsewhere: it could name any local file, such as one with secrets, and so cause it to be sent.
 */
export async function filesOf({ of, whole }: Diff, signal: AbortSignal): Promise<Sent> {
  if (!of) return {};
  const reader = readerOf(of.top);
  const isLarge = !whole && of.paths.length > MAX_FOLLOWED;
  const { imports, imported } = isLarge
    ? { imports: {}, imported: [] }
    : await importsOf({ ...of, reader, signal });
  const files: NonNullable<Sent["files"]> = [];
  let bytes = 0;
  // What is in whole files, their diff says.
  for (const path of whole ? imported : [...of.paths, ...imported]) {
    if (files.length >= MAX_FILES) break;
    const content = reader.contents(path);
    if (!content || content.includes(0)) continue;
    bytes += content.length;
    if (bytes > MAX_BYTES) break;
    files.push({ path, content: content.toString("utf8") });
  }
  return { ...(files.length > 0 && { files }), ...(Object.keys(imports).length > 0 && { imports }) };
}
