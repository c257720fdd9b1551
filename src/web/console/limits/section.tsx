import type { ReactElement } from "react";
import type { ApiKeys } from "../../../accounts/credentials/api-keys.ts";
import type { SignedIn } from "../../../accounts/sign-in/sessions/signed-in.ts";
import type { BoundsReport } from "../../../metering/limits/bounds-report.ts";
import type { UsageViews } from "../../../metering/usage/reports/usage-views.ts";
import { DAY_MS } from "../../../system/durations.ts";
import { grouped } from "../../../text/grouped.ts";
import { addressOf } from "../frame/address.ts";
import { may } from "../frame/endpoint-calls.ts";
import { oncePerView } from "../frame/once-per-view.ts";
import type { Need, Section, View } from "../frame/section.ts";
import { Table } from "../frame/table.tsx";
import { Stop } from "../keys/stop.tsx";
import { type KeyUsed, keysUsed } from "../keys/used.ts";
import { nameInSentence } from "../usage/names.ts";
import { Bounds, boundInWords, Server, Uses, Windows } from "./meters.tsx";

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
          <Uses uses={report.uses} now={view.now} />
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
          {report.uses.length > 0 && (
            <>
              <h2>Uses this month</h2>
              <p>
                Of the whole account, from the first to the last day of a month (UTC). Beyond them, calls of
                MCP tools are refused. What programs report has happened: it is counted, and they are told.
              </p>
              <Uses uses={report.uses} now={now} />
            </>
          )}
          {spending && (
            <>
              <h2>Who uses most today</h2>
              <p>
                Uses are what is counted for each key, not its requests: an event that is recorded with a
                count of 10 is ten uses, and so is a call of a tool whose cost is 10.
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

interface Share {
  of: string;
  share: number;
  /** What happens beyond the limit. */
  beyond?: string;
}

/** Returns the limits that are nearly used. The minute's is left out, since it refills before anybody could react. */
function nearlyUsed({ windows, uses, bounds }: BoundsReport): Need[] {
  const shares: Share[] = [
    ...windows
      .filter(({ name }) => name !== "minute")
      .map(({ name, capacity, remaining }) => ({
        of: `the ${name}'s requests`,
        share: (capacity - remaining) / capacity,
      })),
    // A plan may include none.
    ...uses
      .filter(({ limit }) => limit > 0)
      .map(({ type, limit, used }) => ({
        of: `the month's ${grouped(limit)} ${nameInSentence(type)}`,
        share: used / limit,
        beyond: "Calls of MCP tools that count as these are refused.",
      })),
    ...(["storageBytes", "documents"] as const).map((name) => ({
      of: boundInWords(name, bounds[name].limit),
      share: bounds[name].used / bounds[name].limit,
    })),
  ];
  return shares
    .filter(({ share }) => share >= NEARLY)
    .map(({ of, share, beyond = "More is refused." }) => ({
      said: `${Math.floor(100 * share)} % of ${of} are used`,
      ...(share >= 1 && { detail: beyond, isUrgent: true }),
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
