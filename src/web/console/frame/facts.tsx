import type { ReactElement, ReactNode } from "react";

/** A name and its value, for use in `<dl className="facts">`. */
export function Fact({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
