import { isPrintable } from "../../contract/endpoint.ts";
import { collection, projectSpace, type Space, type Transaction } from "../../store/store.ts";
import { DAY_MS } from "../../system/durations.ts";
import { bucketName, bucketOf, startOf } from "./buckets.ts";
import type { Origin } from "./origins.ts";

/**
 * In the project's space, by day: the tool names given by callers. Each name creates counters, so only a limited
 * number is counted separately, the first ones seen.
 */
export const usageToolNames = collection<string[]>("usage_tool_names", { cached: true });

/** Per project and day. */
const MAX_NAMES = 100;
const MAX_LENGTH = 64;
/** Counts all further names, and invalid ones. */
export const OTHER_TOOLS = "other";

/** As long as a batch may count for that day, and one more day. */
const KEPT_MS = 92 * DAY_MS;

/** Returns the tool name in the member `tool` of free-form data; empty if there is none. */
export function toolIn(...given: readonly (Readonly<Record<string, unknown>> | undefined)[]): string {
  const name = given.find((each) => each && Object.hasOwn(each, "tool"))?.tool;
  if (name === undefined || name === null || name === "") return "";
  const isName = typeof name === "string" && name.length <= MAX_LENGTH && isPrintable(name);
  return isName ? name : OTHER_TOOLS;
}

/** Replaces tool names beyond the bound of their project and day by `OTHER_TOOLS`, and stores new ones. */
export async function namedTools<Use extends { at: number; origin: Origin }>(
  tx: Transaction,
  uses: readonly Use[],
): Promise<Use[]> {
  const lists = new Map<string, { space: Space; day: number; names: Set<string>; grew: boolean }>();
  const named: Use[] = [];
  for (const use of uses) {
    const { accountId, projectId, tool } = use.origin;
    if (tool === "" || tool === OTHER_TOOLS) {
      named.push(use);
      continue;
    }
    const space = projectSpace(accountId, projectId);
    const day = bucketOf("day", use.at);
    const key = `${space} ${day}`;
    const list = lists.get(key) ?? { space, day, names: await namesOf(tx, space, day), grew: false };
    lists.set(key, list);
    const { names } = list;
    if (!names.has(tool) && names.size < MAX_NAMES) {
      names.add(tool);
      list.grew = true;
    }
    named.push(names.has(tool) ? use : { ...use, origin: { ...use.origin, tool: OTHER_TOOLS } });
  }
  for (const { space, day, names, grew } of lists.values()) {
    const expiresAt = startOf("day", day) + KEPT_MS;
    if (grew) await tx.put(usageToolNames, space, idOf(day), [...names], { expiresAt });
  }
  return named;
}

async function namesOf(tx: Transaction, space: Space, day: number): Promise<Set<string>> {
  return new Set(await tx.get(usageToolNames, space, idOf(day)));
}

function idOf(day: number): string {
  return bucketName("day", startOf("day", day));
}
