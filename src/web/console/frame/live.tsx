import type { ReactElement, ReactNode } from "react";

/**
 * A part of a page that is kept fresh while it is looked at (`freshness.ts`), and replaced when a form of the
 * page filters it (`script.ts`). Without script it is what it was when the page was loaded.
 */
export function Live(props: {
  name: string;
  className?: string;
  /** It never changes by itself: it is only filtered. */
  still?: boolean;
  children: ReactNode;
}): ReactElement {
  return (
    <div className={props.className} data-live={props.name} data-still={props.still ? "" : undefined}>
      {props.children}
    </div>
  );
}
