import type { ReactElement, ReactNode } from "react";

/** What is known of one thing, name by name: to stand in `<dl className="facts">`. */
export function Fact({ name, children }: { name: string; children: ReactNode }): ReactElement {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
