import type { ReactElement } from "react";
import { USAGE_TYPES, type UsageType } from "../../../metering/contract.ts";
import type { UsagePoint } from "../../../metering/usage/reports/series.ts";
import { grouped } from "../../../text/grouped.ts";
import { NAMES } from "./names.ts";

/**
 * Shows a small bar chart by day for each type, with a scale of its own. Types of very different size stay readable,
 * and each chart is labelled directly instead of in a legend.
 */
export function UsageMultiples({ series }: { series: readonly UsagePoint[] }): ReactElement {
  return (
    <ul className="multiples">
      {USAGE_TYPES.map((type) => (
        <li key={type}>
          <TypeChart type={type} days={series.map(({ at, counts }) => ({ at, count: counts[type] ?? 0 }))} />
        </li>
      ))}
    </ul>
  );
}

const STEP = 10;
const HEIGHT = 100;

function TypeChart({ type, days }: { type: UsageType; days: { at: string; count: number }[] }): ReactElement {
  const total = days.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(...days.map(({ count }) => count));
  return (
    <figure className="stack tight">
      <figcaption>
        {NAMES[type]}
        <span className="row">
          <span className="figure">{grouped(total)}</span>
          {most > 0 && <span className="small muted">most {grouped(most)}</span>}
        </span>
      </figcaption>
      <svg
        viewBox={`0 0 ${days.length * STEP} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${NAMES[type]} by day, at most ${grouped(most)}`}
      >
        {days.map(({ at, count }, index) => {
          const height = most === 0 ? 0 : (count / most) * HEIGHT;
          return (
            <rect
              key={at}
              className={type}
              x={index * STEP + 1}
              width={STEP - 2}
              y={HEIGHT - height}
              height={height}
            >
              <title>{`${dayOf(at)}: ${grouped(count)}`}</title>
            </rect>
          );
        })}
      </svg>
      <p className="row small muted">
        <span>{shortDay(days[0]?.at)}</span>
        <span>{shortDay(days.at(-1)?.at)}</span>
      </p>
    </figure>
  );
}

function dayOf(at: string): string {
  return at.slice(0, 10);
}

/** Formats a day as `15 Jan`. */
function shortDay(at: string | undefined): string {
  if (at === undefined) return "";
  return new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
}
