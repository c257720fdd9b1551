import { builtModule as realModule, runsBuilt } from "../../../../src/system/processes/built-module.ts";
import { isInProcess } from "./is-in-process.ts";

export { runsBuilt };

/** Replaces that of `src/system/processes/built-module.ts`: in one process, sources and bundles must not mix. */
export function builtModule(url: URL): string {
  return isInProcess() ? url.href : realModule(url);
}
