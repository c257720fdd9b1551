import { builtModule as realModule, runsBuilt } from "../../../../src/system/processes/built-module.ts";
import { isInProcess } from "./is-in-process.ts";

export { runsBuilt };

/** In the place of `src/system/processes/built-module.ts`: within one process there is each module once, the source. */
export function builtModule(url: URL): string {
  return isInProcess() ? url.href : realModule(url);
}
