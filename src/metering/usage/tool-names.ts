import { isPrintable } from "../../contract/endpoint.ts";
import { collection, projectSpace, type Space, type Transaction } from "../../store/store.ts";
import type { Origin } from "./breakdown.ts";
import { bucketName, bucketOf, startOf } from "./buckets.ts";

/**
 * In the project's space, by day: the names that callers gave to tools. Each makes counters, so only so
 * many are told apart; what came first stays.
 */
export const usageToolNames = collection<string[]>("usage_tool_names", { cached: true });

/** In a project and day. */
const MAX_NAMES = 100;
const MAX_LENGTH = 64;
/** What stands for all names beyond, and for those that are none. */
export const OTHER_TOOLS = "other";

const DAY_MS = 24 * 60 * 60 * 1000;
/** As long as a batch may count in that day, and a day more. */
const KEPT_MS = 92 * DAY_MS;

/** The name of a tool as free-form data gives it in its member `tool`; empty where there is none. */
export function toolIn(...given: readonly (Readonly<Record<string, unknown>> | undefined)[]): string {
  const name = given.find((each) => each && Object.hasOwn(each, "tool"))?.tool;
  if (name === undefined || name === null || name === "") return "";
  const isName = typeof name === "string" && name.length <= MAX_LENGTH && isPrintable(name);
  return isName ? name : OTHER_TOOLS;
}

/** Puts `OTHER_TOOLS` in place of names that are too many in their project and day, and takes note of new ones. */
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
