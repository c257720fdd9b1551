import type { ReactElement } from "react";
import type { SignedIn } from "../../accounts/sign-in/browser-sessions.ts";
import type { UsageType } from "../../metering/contract.ts";
import { Command, commandFor } from "../command.tsx";
import { addressOf } from "./address.ts";
import { Live } from "./live.tsx";
import type { Section, View } from "./section.ts";
import { type DayCounts, UsageChart, UsageTable } from "./usage-chart.tsx";

/** What a project counted on each of the last `days` days, today included; oldest first, none left out. */
export type UsageByDay = (
  signedIn: SignedIn,
  projectId: string,
  days: number,
) => Promise<readonly { at: string; counts: Partial<Record<UsageType, number>> }[]>;

const CARD_DAYS = 14;
const PERIODS = [14, 30, 90] as const;

export function usageSection(usage: UsageByDay): Section {
  return {
    path: "/usage",
    title: "Usage",
    group: "Project",
    wide: true,
    card: async (view) => (
      <Usage series={await usage(view.visit.signedIn, view.projectId, CARD_DAYS)} view={view} />
    ),
    page: async (view) => {
      const { visit, projectId, query } = view;
      const days = PERIODS.find((period) => String(period) === query.get("days")) ?? 30;
      return (
        <>
          <nav className="inline" aria-label="Period">
            {PERIODS.map((period) => (
              <a
                key={period}
                className="button"
                aria-current={period === days ? "page" : undefined}
                href={addressOf(view, "/usage", { days: String(period) })}
              >
                {period} days
              </a>
            ))}
          </nav>
          <Live name="usage" className="stack">
            <Usage series={await usage(visit.signedIn, projectId, days)} view={view} />
          </Live>
        </>
      );
    },
  };
}

function Usage({ series, view }: { series: readonly DayCounts[]; view: View }): ReactElement {
  const { projectId, baseUrl } = view;
  const empty = series.every(({ counts }) => Object.values(counts).every((count) => !count));
  if (empty) {
    return (
      <>
        <p className="muted">
          Project {projectId} counted nothing in the last {series.length} days. Count something:
        </p>
        <Command>{commandFor(baseUrl, "track api_calls", projectId)}</Command>
      </>
    );
  }
  return (
    <>
      <p className="muted small">
        Project {projectId}, the last {series.length} days, by day in UTC
      </p>
      <UsageChart series={series} />
      <details>
        <summary>The numbers</summary>
        <UsageTable series={series} />
      </details>
    </>
  );
}
