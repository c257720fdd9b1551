import type { ReactElement, ReactNode } from "react";

const ID = "fault";

/** Shows what was wrong with the form that was sent, if anything. With `focused`, screen readers begin there. */
export function Fault(props: { focused?: boolean; children: ReactNode }): ReactElement | null {
  const { focused, children } = props;
  if (!children) return null;
  return (
    <div id={ID} className="notice" role="alert" {...(focused && FOCUSED)}>
      {children}
    </div>
  );
}

/** The props of what a new page is about, such as the outcome of a form. Without them, screen readers begin at the top. */
export const FOCUSED = { tabIndex: -1, autoFocus: true };

/** The props of a field that the page's `Fault` is about. Of several, the first has the focus. */
export function atFault(isAtFault: boolean | undefined) {
  return isAtFault ? { "aria-invalid": true, "aria-describedby": ID, autoFocus: true } : {};
}
