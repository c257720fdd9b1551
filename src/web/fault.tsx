import type { ReactElement } from "react";

/** What was wrong with the form that was sent; nothing where nothing was. */
export function Fault({ children }: { children: string | undefined }): ReactElement | null {
  if (!children) return null;
  return (
    <p id="fault" className="notice" role="alert">
      {children}
    </p>
  );
}
