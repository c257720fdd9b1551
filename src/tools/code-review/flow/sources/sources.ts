import type { Definition } from "../../syntax/definitions/definition.ts";
import type { Fragment } from "../../syntax/fragment.ts";
import type { FunctionScope } from "../../syntax/functions/functions.ts";
import type { Parameter } from "../../syntax/functions/parameters.ts";
import type { Range } from "../../syntax/range.ts";
import type { Target } from "../target.ts";
import type { Value } from "../value.ts";

/** What a framework fills a parameter with: what a client sent, as it is or converted to what holds no free text. */
export type Filling = "sent" | "converted";

/** Where the values that are looked for come from: what clients send, or the names that archives give their members. */
export interface Sources {
  /**
   * Returns the value of a chain that reads from a source or ends what is looked for, or undefined for another.
   *
   * @param paths the chain as written, and with the origin of its receiver.
   */
  read(
    fragment: Fragment,
    target: Target | undefined,
    paths: readonly [string, string],
    range: Range,
  ): Value | undefined;
  /** Whether a constructor ends what is looked for, so that its arguments do not count. */
  ends(fragment: Fragment, path: string): boolean;
  filling(
    fragment: Fragment,
    scope: FunctionScope,
    parameter: Parameter,
    target?: Target,
  ): Filling | undefined;
  /** Whether a variable is destructured from a source: `const { query } = req`. */
  isTakenOut(fragment: Fragment, definition: Definition): boolean;
  /** Whether a path is a whole source, passed on to be read elsewhere. */
  isWhole(fragment: Fragment, path: string): boolean;
}
