import * as real from "../../../../src/system/processes/built-module.ts";
import { isInProcess } from "./is-in-process.ts";

export const { runsBuilt } = real;

/** Replaces that of `src/system/processes/built-module.ts`: in one process, sources and bundles must not mix. */
export function builtModule(url: URL): string {
  return isInProcess() ? url.href : real.builtModule(url);
}

export function loadsTypeScript(): boolean {
  return isInProcess() || real.loadsTypeScript();
}
