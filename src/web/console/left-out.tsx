import type { ReactElement } from "react";
import { asked } from "./frame/asking.ts";
import type { View } from "./frame/section.ts";

/** Says what of its address a page shows something else for: the answer to another question is no answer. */
export function LeftOut({ view, names }: { view: View; names: readonly string[] }): ReactElement | null {
  const leftOut = names.filter((name) => asked(view, name) !== undefined);
  if (leftOut.length === 0) return null;
  const said = leftOut.map((name) => `${name} “${asked(view, name)?.slice(0, 64)}”`).join(", ");
  return <p className="notice">Left out, since it cannot be shown: {said}.</p>;
}
