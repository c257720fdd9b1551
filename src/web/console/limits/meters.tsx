import type { ReactElement, ReactNode } from "react";
import type { BoundsReport } from "../../../metering/limits/bounds-report.ts";
import { byteSize } from "../../../text/amounts.ts";
import { grouped } from "../../../text/grouped.ts";
import { Until } from "../../time.tsx";
import { usesAMonth } from "../usage/names.ts";

export type Bound = keyof BoundsReport["bounds"];

const PHRASES: Record<Bound, (limit: number) => string> = {
  storageBytes: (limit) => `${byteSize(limit)} stored`,
  documents: (limit) => `${grouped(limit)} documents`,
  computeSecondsPerMinute: (limit) => `${grouped(limit)} s of computing a minute`,
  jobsInFlight: (limit) => `${grouped(limit)} requests that compute at once`,
  streams: (limit) => `${grouped(limit)} streams of events`,
};

/** Describes a bound: `32 MiB stored`. */
export function boundInWords(name: Bound, limit: number): string {
  return PHRASES[name](limit);
}

export function Bounds({
  bounds,
  shown,
}: {
  bounds: BoundsReport["bounds"];
  shown: readonly Bound[];
}): ReactElement {
  return (
    <ul className="items">
      {shown.map((name) => {
        const { limit, used } = bounds[name];
        const figure = name === "storageBytes" ? byteSize : grouped;
        return (
          <Meter
            key={name}
            title={boundInWords(name, limit)}
            figures={usedOf(used, limit, figure)}
            share={used / limit}
          />
        );
      })}
    </ul>
  );
}

const EACH = { minute: "a minute", hour: "an hour", day: "a day" };

export function Windows({ windows, now }: { windows: BoundsReport["windows"]; now: number }): ReactElement {
  return (
    <ul className="items">
      {windows.map(({ name, limit, capacity, remaining, resetAt }) => {
        const whole = Date.parse(resetAt);
        return (
          <Meter
            key={name}
            title={`${grouped(limit)} ${EACH[name]}${capacity > limit ? ` (bursts of ${grouped(capacity)})` : ""}`}
            figures={usedOf(capacity - remaining, capacity)}
            share={(capacity - remaining) / capacity}
          >
            {remaining < capacity && whole > now && (
              <>
                all free again in <Until at={whole} now={now} />
              </>
            )}
          </Meter>
        );
      })}
    </ul>
  );
}

export function Uses({ uses, now }: { uses: BoundsReport["uses"]; now: number }): ReactElement | null {
  if (uses.length === 0) return null;
  return (
    <ul className="items">
      {uses.map(({ type, limit, used, resetAt }) => (
        <Meter
          key={type}
          title={usesAMonth(type, limit)}
          figures={usedOf(used, limit)}
          share={limit === 0 ? 1 : used / limit}
        >
          all free again in <Until at={Date.parse(resetAt)} now={now} />
        </Meter>
      ))}
    </ul>
  );
}

/** Says what a bar shows: every limit is shown by what is used of it. */
function usedOf(used: number, limit: number, figure: (value: number) => string = grouped): string {
  return `${figure(used)} of ${figure(limit)} used`;
}

function Meter({
  title,
  figures,
  share,
  children,
}: {
  title: string;
  figures: string;
  /** What is used, from 0 to 1. */
  share: number;
  children?: ReactNode;
}): ReactElement {
  return (
    <li className="stack tight meter">
      <p className="row">
        <span>{title}</span>
        <span className="small muted">{figures}</span>
      </p>
      <svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false">
        <rect width={Math.min(100, 100 * share)} height="1" />
      </svg>
      {children && <p className="small muted">{children}</p>}
    </li>
  );
}

export function Server({ server: { takesMore, memory } }: Pick<BoundsReport, "server">): ReactElement | null {
  if (takesMore && !memory) return null;
  return (
    <>
      <h2>This server</h2>
      {!takesMore && (
        <p role="status">
          The server's memory is full: whoever would store more is refused until something is deleted or it is
          given more memory. Reading and deleting go on.
        </p>
      )}
      {memory && (
        <ul className="items">
          <Meter
            title="Memory for what is stored, of all accounts"
            figures={usedOf(memory.usedBytes, memory.limitBytes, byteSize)}
            share={memory.usedBytes / memory.limitBytes}
          />
        </ul>
      )}
    </>
  );
}
