import { LEVEL } from "../../../../src/tools/code-review/flow/level.ts";
import { provenanceOf } from "../../../../src/tools/code-review/flow/provenance.ts";
import { fragmentOf } from "../cases.ts";

/** Returns the taint level of the argument of `show(…)`, as part of a command. */
export function levelOf(path: string, code: string): string | undefined {
  const fragment = fragmentOf(path, code);
  const value = fragment.callsNamed("show").find(({ args }) => args.length > 0)?.args[0];
  if (!value) throw new Error("nothing is shown");
  const level = provenanceOf(fragment, "shell").of(value);
  return Object.entries(LEVEL).find(([, own]) => own === level)?.[0];
}
