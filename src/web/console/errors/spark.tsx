import type { ReactElement } from "react";
import { grouped } from "../../../text/grouped.ts";

const STEP = 6;
const HEIGHT = 24;

/** Shows a small bar chart of a few days without an axis, for a list. */
export function Spark({ counts }: { counts: readonly number[] }): ReactElement {
  const most = Math.max(1, ...counts);
  const sum = counts.reduce((total, count) => total + count, 0);
  return (
    <svg
      className="spark"
      width={counts.length * STEP}
      height={HEIGHT}
      role="img"
      aria-label={`${grouped(sum)} in the last ${counts.length} days, at most ${grouped(Math.max(0, ...counts))} a day`}
    >
      {counts.map((count, day) => {
        const height = count === 0 ? 1 : Math.max(2, Math.round((count / most) * HEIGHT));
        // biome-ignore lint/suspicious/noArrayIndexKey: a bar is identified by its day
        return <rect key={day} x={day * STEP} y={HEIGHT - height} width={STEP - 2} height={height} />;
      })}
    </svg>
  );
}
