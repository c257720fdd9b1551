import type { ReactElement } from "react";
import { iso } from "../system/clock.ts";
import { duration } from "../text/amounts.ts";

/**
 * Shows how long ago something was, with the exact time for programs and as a tooltip. In milliseconds since the epoch.
 */
export function Ago({ at, now }: { at: number; now: number }): ReactElement {
  const text = now - at < 1000 ? "just now" : `${duration(now - at)} ago`;
  return (
    <time dateTime={iso(at)} title={iso(at)}>
      {text}
    </time>
  );
}

/** Shows how long it takes until something happens. */
export function Until({ at, now }: { at: number; now: number }): ReactElement {
  return (
    <time dateTime={iso(at)} title={iso(at)}>
      {duration(Math.max(1000, at - now))}
    </time>
  );
}
