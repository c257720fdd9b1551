import { basename, join } from "node:path";
import type { Plugin } from "vitest/config";

/** By the end of its path: a module of `src` that another here stands in for, and asks where it must. */
const STAND_INS = ["system/processes/worker-process.ts", "system/processes/built-module.ts"];

/** Has the tests that `isInProcess` names do in their own process what the server gives to processes of its own. */
export function inProcess(): Plugin {
  return {
    name: "in-process",
    enforce: "pre",
    resolveId(id, importer) {
      if (importer?.startsWith(import.meta.dirname)) return;
      const found = STAND_INS.find((end) => id.endsWith(end));
      return found && join(import.meta.dirname, basename(found));
    },
  };
}
