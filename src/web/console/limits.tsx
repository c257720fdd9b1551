import type { ReactElement, ReactNode } from "react";
import type { ApiKeys } from "../../accounts/credentials/api-keys.ts";
import type { SignedIn } from "../../accounts/sign-in/sessions/signed-in.ts";
import type { BoundsReport } from "../../metering/bounds-report.ts";
import type { UsageViews } from "../../metering/usage-views.ts";
import { DAY_MS } from "../../system/durations.ts";
import { byteSize } from "../../text/amounts.ts";
import { grouped } from "../../text/grouped.ts";
import { Until } from "../time.tsx";
import { addressOf } from "./frame/address.ts";
import { may } from "./frame/endpoint-calls.ts";
import { oncePerView } from "./frame/once-per-view.ts";
import type { Need, Section, View } from "./frame/section.ts";
import { Table } from "./frame/table.tsx";
import { Stop } from "./keys/stop.tsx";
import { type KeyUsed, keysUsed } from "./keys/used.ts";

export type BoundsOf = (signedIn: SignedIn) => Promise<BoundsReport>;

/** @param spending used to show the keys that used most today; without it, they are left out. */
export function limitsSection(
  boundsOf: BoundsOf,
  spending?: { usage: Pick<UsageViews, "groups">; apiKeys: Pick<ApiKeys, "get"> },
): Section {
  const reportFor = oncePerView(({ visit }) => boundsOf(visit.signedIn));
  return {
    path: "/limits",
    title: "Limits",
    group: "Account",
    card: async (view) => {
      const report = await reportFor(view);
      return (
        <>
          <Windows windows={report.windows} now={view.now} />
          <Bounds bounds={report.bounds} shown={["storageBytes"]} />
        </>
      );
    },
    needs: async (view) => nearlyUsed(await reportFor(view)),
    page: async (view) => {
      const { now } = view;
      const report = await reportFor(view);
      return (
        <>
          <h2>Requests</h2>
          <p>
            All keys, devices and browsers of the account share these. A bar, as all on this page, fills as
            its limit is used up. Beyond one of them a request is answered with 429 and the time to wait; it
            counts in none.
          </p>
          <Windows windows={report.windows} now={now} />
          {spending && (
            <>
              <h2>Who uses most today</h2>
              <p>
                Uses are what is counted for each key, not its requests: an event that is recorded with a
                count of 10 is ten uses, and so is a call of a tool whose cost is 10. They run into no limit.
              </p>
              <Spenders view={view} keys={await spendersOf(spending, view)} />
            </>
          )}
          <h2>Storage</h2>
          <p>
            What all projects of the account store together. Beyond it nothing more is stored (507); deleting
            always works and frees room at once. To empty a project of what tools keep in it:{" "}
            <code>tool projects empty</code>
          </p>
          <Bounds bounds={report.bounds} shown={["storageBytes", "documents"]} />
          <h2>Computing</h2>
          <p>
            Reviews, plans, diagnoses and the like take their turn with those of other accounts, on this
            server.
          </p>
          <Bounds bounds={report.bounds} shown={["computeSecondsPerMinute", "jobsInFlight"]} />
          <p className="muted">
            One key or device may follow {grouped(report.bounds.streams.limit)} streams of events at once.
          </p>
          <Server server={report.server} />
        </>
      );
    },
  };
}

/** The share of a limit from which the viewer is warned. */
const NEARLY = 0.8;

/** Returns the limits that are nearly used. The minute's is left out, since it refills before anybody could react. */
function nearlyUsed({ windows, bounds }: BoundsReport): Need[] {
  const shares = [
    ...windows
      .filter(({ name }) => name !== "minute")
      .map(({ name, capacity, remaining }) => ({
        of: `the ${name}'s requests`,
        share: (capacity - remaining) / capacity,
      })),
    ...(["storageBytes", "documents"] as const).map((name) => ({
      of: PHRASES[name](bounds[name].limit),
      share: bounds[name].used / bounds[name].limit,
    })),
  ];
  return shares
    .filter(({ share }) => share >= NEARLY)
    .map(({ of, share }) => ({
      said: `${Math.floor(100 * share)} % of ${of} are used`,
      ...(share >= 1 && { detail: "More is refused.", isUrgent: true }),
    }));
}

const SPENDERS = 10;

/** Returns the keys that used most today, or that limits refused most. */
async function spendersOf(
  { usage, apiKeys }: { usage: Pick<UsageViews, "groups">; apiKeys: Pick<ApiKeys, "get"> },
  { visit, now, query }: View,
): Promise<readonly KeyUsed[]> {
  const from = Math.floor(now / DAY_MS) * DAY_MS;
  const { groups } = await usage.groups(visit.by, {
    granularity: "day",
    ...{ from, to: from + DAY_MS, by: "key", limit: SPENDERS },
    sort: query.get("sort") === "-refused" ? "refused" : "total",
  });
  return keysUsed(apiKeys, visit.by.accountId, groups);
}

function Spenders({ view, keys }: { view: View; keys: readonly KeyUsed[] }): ReactElement {
  if (keys.length === 0) return <p className="muted">Nobody used anything yet.</p>;
  const mayStop = may(view, "admin");
  const sort = view.query.get("sort") === "-refused" ? "-refused" : "-total";
  return (
    <Table
      view={view}
      path="/limits"
      label="Who uses most today"
      sort={sort}
      rows={keys}
      keyOf={({ key }) => String(key)}
      columns={[
        {
          title: "Key",
          cell: ({ key, keyName }) =>
            key ? (
              <a href={addressOf(view, "/usage", { key, of: "all", by: "tool" })}>{keyName ?? key}</a>
            ) : (
              "not known"
            ),
        },
        {
          title: "Uses",
          sort: "total",
          largestFirst: true,
          isFigure: true,
          cell: ({ total }) => grouped(total),
        },
        {
          title: "Requests refused by limits",
          sort: "refused",
          largestFirst: true,
          isFigure: true,
          cell: ({ refused }) => grouped(refused),
        },
        {
          title: "Stop it",
          cell: ({ knownKey }) =>
            mayStop && knownKey ? (
              <Stop view={view} next={addressOf(view, "/keys")} knownKey={knownKey} />
            ) : (
              ""
            ),
        },
      ]}
    />
  );
}

type Bound = keyof BoundsReport["bounds"];

const PHRASES: Record<Bound, (limit: number) => string> = {
  storageBytes: (limit) => `${byteSize(limit)} stored`,
  documents: (limit) => `${grouped(limit)} documents`,
  computeSecondsPerMinute: (limit) => `${grouped(limit)} s of computing a minute`,
  jobsInFlight: (limit) => `${grouped(limit)} requests that compute at once`,
  streams: (limit) => `${grouped(limit)} streams of events`,
};

function Bounds({
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
            title={PHRASES[name](limit)}
            figures={usedOf(used, limit, figure)}
            share={used / limit}
          />
        );
      })}
    </ul>
  );
}

const EACH = { minute: "a minute", hour: "an hour", day: "a day" };

function Windows({ windows, now }: { windows: BoundsReport["windows"]; now: number }): ReactElement {
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

function Server({ server: { takesMore, memory } }: Pick<BoundsReport, "server">): ReactElement | null {
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
