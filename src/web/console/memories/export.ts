import { everyItem, type FileColumns, fileOf } from "../frame/files.ts";
import type { Download, View } from "../frame/section.ts";
import { type Memory, questionOf } from "./read.ts";

const AT_ONCE = 200;

/** The columns of the memories file. */
const COLUMNS: FileColumns<Awaited<ReturnType<Memory["list"]>>["items"][number]> = {
  id: ({ memory }) => memory.id,
  kind: ({ memory }) => memory.kind,
  agent: ({ memory }) => memory.agent,
  thread: ({ memory }) => memory.thread,
  tags: ({ memory }) => memory.tags.join(" "),
  importance: ({ memory }) => memory.importance,
  uses: ({ memory }) => memory.uses,
  at: ({ memory }) => memory.at,
  createdAt: ({ memory }) => memory.createdAt,
  supersededBy: ({ supersededBy }) => supersededBy,
  content: ({ memory }) => memory.content,
};

/** Returns the page's whole list as a file, read page by page. */
export function memoriesFile(memory: Pick<Memory, "list">, view: View): Download {
  const memories = everyItem((cursor) => memory.list({ ...questionOf(view), limit: AT_ONCE, cursor }, view));
  return fileOf(view, "memories", COLUMNS, memories);
}
