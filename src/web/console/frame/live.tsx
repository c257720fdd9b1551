import type { ReactElement, ReactNode } from "react";

/**
 * A part of a page that is updated while the page is visible (`freshness.ts`), and replaced when a form of the page
 * filters it (`script.ts`). Without a script it does not change.
 */
export function Live(props: {
  name: string;
  className?: string;
  /** Whether it is only filtered and never updated. */
  still?: boolean;
  children: ReactNode;
}): ReactElement {
  return (
    <div className={props.className} data-live={props.name} data-still={props.still ? "" : undefined}>
      {props.children}
    </div>
  );
}
