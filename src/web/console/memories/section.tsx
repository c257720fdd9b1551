import { addressOf } from "../frame/address.ts";
import { queryParam } from "../frame/endpoint-calls.ts";
import { Live } from "../frame/live.tsx";
import { Titled } from "../frame/pages.tsx";
import type { Section } from "../frame/section.ts";
import { memoriesFile } from "./export.ts";
import { Found, Memories, MemoryList, NoMemories } from "./list.tsx";
import { OneMemory } from "./one.tsx";
import { correctionIn, type Memory, PATH, questionOf, recallOf } from "./read.ts";

const ON_CARD = 3;

/** Creates the section of what agents remember, to search, list, correct and forget it. */
export function memoriesSection(memory: Memory): Section {
  return {
    path: PATH,
    title: "Memories",
    group: "Tools",
    async card(view) {
      const { items } = await memory.list({ limit: ON_CARD }, view);
      return items.length === 0 ? <NoMemories view={view} /> : <MemoryList items={items} view={view} />;
    },
    async page(view) {
      const memoryId = queryParam(view, "memory");
      if (memoryId !== undefined) {
        const shown = await memory.show({ memoryId }, view);
        return (
          <Titled name={shown.memory.content}>
            <OneMemory {...shown} view={view} />
          </Titled>
        );
      }
      const stats = await memory.stats({}, view);
      if (stats.memories === 0) return <NoMemories view={view} />;
      const recall = recallOf(view);
      return (
        <Memories stats={stats} view={view}>
          {recall ? (
            <Live name="memories" className="stack">
              <Found {...(await memory.recall(recall, view))} view={view} />
            </Live>
          ) : (
            <Live name="memories" className="stack">
              <MemoryList {...(await memory.list(questionOf(view), view))} view={view} paged />
            </Live>
          )}
        </Memories>
      );
    },
    actions: {
      async forget(view, form) {
        await memory.forget({ memoryId: idIn(form) }, view);
        return { said: "The memory is forgotten.", next: addressOf(view, PATH) };
      },
      async correct(view, form) {
        const memoryId = idIn(form);
        const { memory: before } = await memory.show({ memoryId }, view);
        const tags = before.tags.join(", ");
        const { masked } = await memory.correct({ memoryId, ...correctionIn(form, tags) }, view);
        return {
          said: masked
            ? `The memory is corrected; masked before it was kept: ${masked.join(", ")}.`
            : "The memory is corrected.",
          undo: {
            do: "correct",
            memory: memoryId,
            content: before.content,
            kind: before.kind,
            tags,
            importance: String(before.importance),
          },
        };
      },
    },
    async download(view) {
      // Fails before the file begins if the viewer may not read it, instead of sending a truncated one.
      await memory.stats({}, view);
      return memoriesFile(memory, view);
    },
  };
}

function idIn(form: URLSearchParams): string {
  return form.get("memory") ?? "";
}
