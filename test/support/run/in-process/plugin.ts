import { basename, join } from "node:path";
import type { Plugin } from "vitest/config";

/** Ends of paths of modules in `src` that a module of this folder replaces. The replacement may call the original. */
const STAND_INS = ["system/processes/worker-process.ts", "system/processes/built-module.ts"];

/** Returns a plugin that runs the server's worker processes inside the test process, for tests that `isInProcess`. */
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
