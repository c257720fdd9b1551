import { collection, GLOBAL, type Store } from "../../store/store.ts";
import { isObject } from "../../system/is-object.ts";
import type { Log } from "../../system/log.ts";
import { UNLISTED } from "./call-counters.ts";

/** In GLOBAL, by upstream: the names of the tools it listed. */
export const listedTools = collection<string[]>("mcp_listed_tools", { cached: true });

const MAX_NAMES = 500;
const MAX_NAME_LENGTH = 128;

/** The names under which calls of an upstream's tools are counted, shared by all instances. */
export interface ToolNames {
  /** Stores the names in a `tools/list` result as the upstream sent it. */
  note(result: Record<string, unknown>): Promise<void>;
  /** Returns the name to count a tool under. */
  nameOf(tool: string): Promise<string>;
}

export function createToolNames({
  store,
  upstream,
  log,
}: {
  store: Store;
  upstream: string;
  log: Pick<Log, "warn">;
}): ToolNames {
  let known = new Set<string>();
  let isFull = false;

  function warn(): void {
    if (isFull) return;
    isFull = true;
    log.warn(
      { upstream, mostNames: MAX_NAMES },
      `an upstream has listed more tools than are counted by name: calls of the others are counted as ${UNLISTED}`,
    );
  }

  async function load(): Promise<void> {
    const listed = await store.transact((tx) => tx.get(listedTools, GLOBAL, upstream));
    if (listed) known = new Set(listed);
  }

  return {
    async note({ tools }) {
      if (!Array.isArray(tools)) return;
      const names = tools
        .map((tool) => (isObject(tool) ? tool.name : undefined))
        .filter((name) => typeof name === "string" && isCountable(name)) as string[];
      if (names.every((name) => known.has(name))) return;
      if (known.size >= MAX_NAMES) return warn();
      await store.transact(async (tx) => {
        const before = (await tx.get(listedTools, GLOBAL, upstream)) ?? [];
        const all = new Set([...before, ...names]);
        known = new Set([...all].slice(0, MAX_NAMES));
        if (all.size > MAX_NAMES) warn();
        if (known.size > before.length) await tx.put(listedTools, GLOBAL, upstream, [...known]);
      });
    },
    async nameOf(tool) {
      if (!isCountable(tool)) return UNLISTED;
      if (known.has(tool)) return tool;
      await load();
      return known.has(tool) ? tool : UNLISTED;
    },
  };
}

/** Whether a tool can be counted by its name, which has to be well-formed to be encoded in a counter's id. */
function isCountable(name: string): boolean {
  return name.length <= MAX_NAME_LENGTH && name.isWellFormed();
}
