import type { Branch } from "../syntax/branches/branch.ts";
import type { Definition } from "../syntax/definitions/definition.ts";

/** What the constants and guards of a fragment need to know of its `Reaching`, which asks them in turn. */
export interface ReachingDefinitions {
  /** Returns the definitions that reach a use, the nearest first: of the value itself, and changes to it. */
  definitions(name: string, at: number): readonly Definition[];
  /** Whether the branch's last statement leaves the function, the loop or the iteration. */
  skips(branch: Branch): boolean;
  /** Whether the branch's last statement leaves the function. */
  leaves(branch: Branch): boolean;
}
