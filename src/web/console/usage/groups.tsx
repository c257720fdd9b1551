import type { ReactElement, ReactNode } from "react";
import { USAGE_TYPES } from "../../../metering/contract.ts";
import type { UsageGroup } from "../../../metering/usage/reports/report-contract.ts";
import type { GroupsPage } from "../../../metering/usage/reports/usage-views.ts";
import { grouped } from "../../../text/grouped.ts";
import { addressOf, sameAddress } from "../frame/address.ts";
import { may } from "../frame/endpoint-calls.ts";
import type { View } from "../frame/section.ts";
import { Below, type Column, Table } from "../frame/table.tsx";
import { NAMES } from "./names.ts";
import type { Asked, By } from "./question.ts";

export const ON_PAGE = 25;

/** Lists the groups of usage. Those with most come first by default. */
export function UsageGroups({
  page,
  asked,
  view,
}: {
  page: GroupsPage;
  asked: Asked;
  view: View;
}): ReactElement {
  const { by, sort, ascending, question } = asked;
  const { groups, nextCursor, count, total, totals, refused } = page;
  if (count === 0) return <p className="muted">Nothing was counted.</p>;
  const types = USAGE_TYPES.filter((type) => totals[type] > 0);
  const columns: Column<UsageGroup>[] = [
    { title: TITLES[by], cell: (group) => <Name group={group} by={by} view={view} /> },
    ...(types.length > 1
      ? types.map((type) => ({
          title: NAMES[type],
          sort: type,
          largestFirst: true,
          isFigure: true,
          cell: ({ counts }: UsageGroup) => grouped(counts[type] ?? 0),
        }))
      : []),
    {
      title: "In all",
      sort: "total",
      largestFirst: true,
      isFigure: true,
      cell: (group) => grouped(group.total),
    },
    { title: "Share", isFigure: true, cell: (group) => shareOf(group.total, total) },
    // Refusals by limits belong to no project.
    ...(question.projectId === undefined && refused > 0
      ? [
          {
            title: "Refused",
            sort: "refused",
            largestFirst: true,
            isFigure: true,
            cell: (group: UsageGroup) => grouped(group.refused),
          },
        ]
      : []),
    { title: "Over time", cell: (group) => <Alone group={group} by={by} view={view} /> },
  ];
  return (
    <>
      <Table
        view={view}
        path="/usage"
        label={`Usage by ${by}`}
        columns={columns}
        rows={groups}
        keyOf={(group) => String(group[by])}
        sort={`${ascending ? "" : "-"}${sort}`}
      />
      <Below view={view} path="/usage" after={nextCursor} exported json />
    </>
  );
}

const TITLES: Record<By, string> = { key: "Key", user: "User", tool: "Tool", project: "Project" };

/** Shows a group's name, with a link to what it names. */
function Name({ group, by, view }: { group: UsageGroup; by: By; view: View }): ReactNode {
  const id = group[by];
  if (id === null || id === undefined) return <span className="muted">{UNKNOWN[by]}</span>;
  const name = group[`${by as "key"}Name`];
  if (group[`${by as "key"}Gone`]) return <Gone by={by} id={id} name={name} />;
  const to = placeOf(by, id, name ?? id, view);
  return to === undefined ? (name ?? id) : <a href={to}>{name ?? id}</a>;
}

function Gone({ by, id, name }: { by: By; id: string; name: string | undefined }): ReactElement {
  const why = by === "user" ? "removed" : id.startsWith("key_") ? "revoked" : "signed out";
  return (
    <>
      {name ?? id}
      <span className="block small muted">{why}</span>
    </>
  );
}

const UNKNOWN: Record<By, string> = {
  key: "not known",
  user: "not known",
  tool: "no tool named",
  project: "of no project",
};

/** Returns the address of what a group names, if the viewer may see it. */
function placeOf(by: By, id: string, name: string, view: View): string | undefined {
  if (by === "project") return addressOf(view, "/usage", { project: id });
  const isAdmin = may(view, "admin");
  if (by === "key" && !id.startsWith("key_")) return addressOf(view, "/devices");
  if (by === "key") return isAdmin ? addressOf(view, "/keys", { key: id }) : undefined;
  if (by === "user") return isAdmin ? addressOf(view, "/people", { query: name }) : undefined;
  return undefined;
}

/** Links to the chart of one group alone. */
function Alone({ group, by, view }: { group: UsageGroup; by: By; view: View }): ReactNode {
  const id = group[by];
  if (id === null || id === undefined || by === "project") return "";
  const next = by === "key" ? "tool" : "key";
  return (
    <a href={sameAddress(view, "/usage", { [by]: id, by: next, after: undefined })}>
      Chart<span className="unseen"> of {group[`${by}Name` as "keyName"] ?? id}</span>
    </a>
  );
}

function shareOf(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return percent > 0 && percent < 0.1 ? "< 0.1 %" : `${percent.toFixed(1)} %`;
}
