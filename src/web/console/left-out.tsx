import type { ReactElement } from "react";
import { queryParam } from "./frame/endpoint-calls.ts";
import { Live } from "./frame/live.tsx";
import type { View } from "./frame/section.ts";

/** Returns the parameters whose value in the address is not one of their choices. */
export function invalidChoices(choices: Readonly<Record<string, readonly string[]>>, view: View): string[] {
  return Object.keys(choices).filter((name) => {
    const value = queryParam(view, name);
    return value !== undefined && !choices[name]?.includes(value);
  });
}

/** Says which parts of the address were ignored, since the page does not answer what was asked. */
export function LeftOut({ view, names }: { view: View; names: readonly string[] }): ReactElement {
  const leftOut = names.filter((name) => queryParam(view, name) !== undefined);
  const said = leftOut.map((name) => `${name} “${queryParam(view, name)?.slice(0, 64)}”`).join(", ");
  return (
    <Live name="left-out" still>
      {said && <p className="notice">Left out, since it cannot be shown: {said}.</p>}
    </Live>
  );
}
