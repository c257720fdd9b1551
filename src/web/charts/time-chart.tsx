import type { ReactElement } from "react";
import { grouped } from "../../text/grouped.ts";
import { labelled, short, ticks } from "./scale.ts";

/** The counts of one kind, by bucket. */
export interface Series {
  name: string;
  /** The class in the stylesheet that sets its colour. */
  colour: string;
  values: readonly number[];
}

const STEP = 10;
const HEIGHT = 100;
const LABELS = 5;

/**
 * Shows a bar chart over time with stacked series, and the previous period as a line. The SVG, drawn on the server,
 * stretches. Its text is HTML beside it, which keeps its size.
 */
export function TimeChart(props: {
  /** What is counted, for screen readers. */
  label: string;
  /** The buckets' starts, ISO 8601. */
  at: readonly string[];
  granularity: "hour" | "day" | "month";
  series: readonly Series[];
  /** The totals of the same buckets in the previous period. */
  before?: readonly number[] | undefined;
  /** Whether it is small, for a card, with fewer labels. */
  small?: boolean;
}): ReactElement {
  const { label, at, granularity, series, before = [], small } = props;
  const sums = at.map((_, index) => series.reduce((sum, { values }) => sum + (values[index] ?? 0), 0));
  const most = Math.max(0, ...sums, ...before);
  const axis = ticks(most, small ? 2 : 4);
  const top = axis.at(-1) ?? 1;
  const y = (value: number) => HEIGHT - (value / top) * HEIGHT;
  const width = at.length * STEP;
  const labels = labelled(at.length, small ? 2 : LABELS);
  const total = sums.reduce((sum, each) => sum + each, 0);
  const shown = series.filter(({ values }) => values.some((value) => value > 0));
  return (
    <figure className={small ? "chart small-chart" : "chart"}>
      {(shown.length > 1 || before.length > 0) && (
        <figcaption className="legend small">
          {shown.map(({ name, colour }) => (
            <span key={name}>
              <Swatch colour={colour} /> {name}
            </span>
          ))}
          {before.length > 0 && (
            <span>
              <Swatch colour="before" /> The period before
            </span>
          )}
        </figcaption>
      )}
      <div className="plot">
        <ol className="axis small muted" aria-hidden="true">
          {[...axis].reverse().map((value) => (
            <li key={value}>{short(value)}</li>
          ))}
        </ol>
        <svg
          viewBox={`0 0 ${width} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${label}: ${grouped(total)} in all, at most ${grouped(Math.max(0, ...sums))} ${EACH[granularity]}`}
        >
          {axis.map((value) => (
            <line key={value} className="rule" x1="0" x2={width} y1={y(value)} y2={y(value)} />
          ))}
          {at.map((start, index) => (
            <g key={start}>
              <title>{titleOf(start, granularity, shown, index)}</title>
              <rect className="touch" x={index * STEP} width={STEP} y="0" height={HEIGHT} />
              <Bars series={shown} index={index} y={y} />
            </g>
          ))}
          {before.length > 0 && (
            <polyline
              className="before"
              points={before.map((value, index) => `${(index + 0.5) * STEP},${y(value)}`).join(" ")}
            />
          )}
        </svg>
        <p className="dates small muted">
          {labels.map((index) => (
            <span key={index}>{dateOf(at[index] ?? "", granularity)}</span>
          ))}
        </p>
      </div>
    </figure>
  );
}

const EACH = { hour: "an hour", day: "a day", month: "a month" };

function Bars(props: {
  series: readonly Series[];
  index: number;
  y: (value: number) => number;
}): ReactElement {
  const { series, index, y } = props;
  let below = 0;
  return (
    <>
      {series.map(({ name, colour, values }) => {
        const value = values[index] ?? 0;
        if (value === 0) return null;
        const from = below;
        below += value;
        return (
          <rect
            key={name}
            className={colour}
            x={index * STEP + 1}
            width={STEP - 2}
            y={round(y(below))}
            height={round(y(from) - y(below))}
          />
        );
      })}
    </>
  );
}

/** Shows the colour of a series beside its name. */
function Swatch({ colour }: { colour: string }): ReactElement {
  return (
    <svg className="swatch" viewBox="0 0 10 10" aria-hidden="true" focusable="false">
      <rect className={colour} width="10" height="10" />
    </svg>
  );
}

function titleOf(
  start: string,
  granularity: "hour" | "day" | "month",
  series: readonly Series[],
  index: number,
): string {
  const lines = series.map(({ name, values }) => `${name} ${grouped(values[index] ?? 0)}`);
  return [exactly(start, granularity), ...(lines.length > 0 ? lines : ["nothing"])].join("\n");
}

const UP_TO = { hour: 16, day: 10, month: 7 };

/** Formats a bucket's start in UTC, to the precision of the bucket: `2026-11-22`. */
export function exactly(start: string, granularity: "hour" | "day" | "month"): string {
  return start.slice(0, UP_TO[granularity]).replace("T", " ");
}

function dateOf(start: string, granularity: "hour" | "day" | "month"): string {
  const date = new Date(start);
  const part = { timeZone: "UTC" } as const;
  if (granularity === "month")
    return date.toLocaleDateString("en-GB", { ...part, month: "short", year: "numeric" });
  if (granularity === "day")
    return date.toLocaleDateString("en-GB", { ...part, day: "numeric", month: "short" });
  return date.toLocaleString("en-GB", {
    ...part,
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
}

/** Rounds a coordinate to two decimals, finer than anybody can see, which keeps pages small. */
function round(value: number): number {
  return Math.round(value * 100) / 100;
}
