import { csvLine } from "../../../contract/csv.ts";
import type { View } from "../frame/section.ts";
import { questionOf } from "./read.ts";
import type { Memory } from "./section.tsx";

const AT_ONCE = 200;

/** All that the list of the page has, page by page. */
export async function* csvOf(memory: Pick<Memory, "list">, view: View): AsyncGenerator<string> {
  yield csvLine([
    ...["id", "kind", "agent", "thread", "tags", "importance", "uses", "at", "createdAt", "supersededBy"],
    "content",
  ]);
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await memory.list({ ...questionOf(view), limit: AT_ONCE, cursor }, view);
    for (const { memory: each, supersededBy } of items) {
      const { id, kind, agent, thread, tags, importance, uses, at, createdAt, content } = each;
      const about = [importance, uses, at, createdAt, supersededBy];
      yield csvLine([id, kind, agent, thread, tags.join(" "), ...about, content]);
    }
    cursor = nextCursor;
  } while (cursor !== undefined);
}
