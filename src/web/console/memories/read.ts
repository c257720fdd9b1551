import type * as z from "zod";
import type { agentMemoryContract } from "../../../tools/agent-memory/contract.ts";
import { type Filters, KINDS } from "../../../tools/agent-memory/memory.ts";
import { choice, type EndpointCalls, queryParam } from "../frame/endpoint-calls.ts";
import type { View } from "../frame/section.ts";

type Contract = typeof agentMemoryContract;

export const PATH = "/memories";
export const ON_PAGE = 50;

/** The labels of the orders, by their value of `?order=`. */
export const ORDERS = {
  "-createdAt": "newest first",
  createdAt: "oldest first",
  "-importance": "most important first",
  "-uses": "most recalled first",
} as const;

/** Parses the filters of the address. Invalid ones are ignored. */
function filtersOf(view: View): Filters {
  return {
    agent: queryParam(view, "agent"),
    thread: queryParam(view, "thread"),
    tag: queryParam(view, "tag"),
    kind: choice(view, "kind", KINDS),
  };
}

/** Returns which page of the list is asked for. */
export function questionOf(view: View): z.input<Contract["list"]["input"]> {
  return {
    ...filtersOf(view),
    sort: choice(view, "order", Object.keys(ORDERS) as (keyof typeof ORDERS)[]),
    limit: ON_PAGE,
    cursor: queryParam(view, "after"),
  };
}

/** Returns what an agent would recall for the query; undefined if there is none. */
export function recallOf(view: View): z.input<Contract["recall"]["input"]> | undefined {
  const q = queryParam(view, "query")?.slice(0, 1000);
  if (q === undefined) return undefined;
  return { q, ...filtersOf(view), limit: ON_PAGE, uses: "keep" };
}

/** Returns the changes of a form. Unchanged tags are left out, since a tag may contain a comma. */
export function correctionIn(
  form: URLSearchParams,
  shownTags: string,
): Omit<z.input<Contract["correct"]["input"]>, "memoryId"> {
  const importance = form.get("importance")?.trim();
  const tags = form.get("tags") ?? shownTags;
  return {
    content: form.get("content")?.replaceAll("\r\n", "\n"),
    // Not validated here: the contract refuses an unknown kind.
    kind: (form.get("kind") ?? undefined) as (typeof KINDS)[number] | undefined,
    ...(tags !== shownTags && {
      tags: tags
        .split(",")
        .map((tag) => tag.trim())
        .filter((tag) => tag !== ""),
    }),
    ...(importance && { importance: Number(importance) }),
  };
}

export type Memory = EndpointCalls<typeof agentMemoryContract>;
