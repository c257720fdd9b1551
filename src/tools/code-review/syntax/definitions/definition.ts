import type { FunctionScope } from "../functions/functions.ts";
import type { Parameter } from "../functions/parameters.ts";
import type { Range } from "../range.ts";

export interface Definition {
  /** A name, or a dotted member: `this.key`. */
  name: string;
  at: number;
  /**
   * `add` joins the value to the previous one. `each` takes one member of the value, `enter` the result of a
   * `with` on it. `member` sets the member under `key`, and `drop` removes one.
   */
  kind: "assign" | "add" | "each" | "enter" | "parameter" | "member" | "drop";
  /** The tokens of the value; empty for a parameter. */
  value: Range;
  /** All tokens of a member's key: `a[key] = …`, `a.set(key, …)`. */
  key?: Range;
  parameter?: Parameter;
  function?: FunctionScope;
  /** The index of a token before it from where on it is seen, if it is: that of a comprehension. */
  since?: number;
  /** The index behind the last token that sees it, if that is before the end of the function around. */
  until?: number;
}
