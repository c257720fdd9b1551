import type { ReactElement, ReactNode } from "react";

/** Shows what was wrong with the form that was sent, if anything. */
export function Fault({ children }: { children: ReactNode }): ReactElement | null {
  if (!children) return null;
  return (
    <div id="fault" className="notice" role="alert">
      {children}
    </div>
  );
}
