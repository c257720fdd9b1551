import type { ReactElement, ReactNode } from "react";

/** What was wrong with the form that was sent; nothing where nothing was. */
export function Fault({ children }: { children: ReactNode }): ReactElement | null {
  if (!children) return null;
  return (
    <div id="fault" className="notice" role="alert">
      {children}
    </div>
  );
}
