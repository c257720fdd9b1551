import type { ReactElement, ReactNode } from "react";
import { Problem } from "../../../contract/problem.ts";
import { USAGE_TYPES } from "../../../metering/contract.ts";
import type { UsageViews } from "../../../metering/usage/reports/usage-views.ts";
import { iso } from "../../../system/clock.ts";
import { Command, commandFor } from "../../command.tsx";
import { addressOf, sameAddress } from "../frame/address.ts";
import { may } from "../frame/endpoint-calls.ts";
import { Kept, LeftOut } from "../frame/filter-form.tsx";
import { Live } from "../frame/live.tsx";
import type { Download, Section, View } from "../frame/section.ts";
import { Tabs } from "../frame/tabs.tsx";
import { sumOf, UsageChart } from "./chart.tsx";
import { ON_PAGE, UsageGroups } from "./groups.tsx";
import { UsageMultiples } from "./multiples.tsx";
import { NAMES } from "./names.ts";
import {
  type Asked,
  askedOf,
  before,
  bysFor,
  ignoredParams,
  LAST_DAYS,
  lastDays,
  OWN_PERIOD,
  PERIODS,
} from "./question.ts";

const PATH = "/usage";

/** Creates the section of usage over time and by key, user or tool. Admins see the account's, others their own. */
export function usageSection(parts: {
  usage: UsageViews;
  /** Returns all groups for the question, as `GET /api/v1/usage` does. */
  exported: (view: View, asked: Asked) => Promise<Download>;
}): Section {
  const { usage, exported } = parts;
  return {
    path: PATH,
    title: "Usage",
    group: "Project",
    wide: true,
    wideCard: true,
    async card(view) {
      const { visit, projectId, now } = view;
      const series = await usage.series(visit.by, { ...lastDays(now), projectId });
      if (sumOf(series) === 0)
        return <p className="muted">Nothing was counted in the last {LAST_DAYS} days.</p>;
      return (
        <>
          <p className="muted small">
            {whose(view)} Project {projectId}, the last {LAST_DAYS} days, by day in UTC
          </p>
          <UsageMultiples series={series} />
        </>
      );
    },
    async page(view) {
      const asked = askedOf(view);
      return (
        <>
          <Choices asked={asked} names={await namesOf(asked, view)} view={view} />
          <LeftOut view={view} names={ignoredParams(asked, view)} />
          <Live name="usage" className="stack">
            {await orWhyNot(() => content(asked, view))}
          </Live>
        </>
      );
    },
    download: (view) => exported(view, askedOf(view)),
  };

  /** Returns the names of the key and the user that are asked for, as far as they used anything. */
  async function namesOf({ question }: Asked, { visit }: View): Promise<Names> {
    const nameOf = async (by: "key" | "user", id: string | undefined) => {
      if (id === undefined) return undefined;
      const asked = { ...question, by, sort: "total", limit: 1 } as const;
      const page = await usage.groups(visit.by, asked).catch(orNoProblem);
      return page?.groups[0]?.[`${by}Name`];
    };
    const [key, user] = await Promise.all([nameOf("key", question.keyId), nameOf("user", question.userId)]);
    return { key, user };
  }

  async function content(asked: Asked, view: View): Promise<ReactNode> {
    const { question, by, sort, ascending, cursor } = asked;
    const who = view.visit.by;
    const [series, earlier, groups] = await Promise.all([
      usage.series(who, question),
      asked.compare ? usage.series(who, { ...question, ...before(question) }) : undefined,
      usage.groups(who, { ...question, by, sort, ascending, cursor, limit: ON_PAGE }),
    ]);
    if (sumOf(series) === 0 && groups.count === 0 && !earlier) return <Nothing view={view} />;
    return (
      <>
        <p className="muted small">
          {whose(view)}{" "}
          {question.projectId === undefined ? (
            "All projects"
          ) : (
            <>
              Project <bdi>{question.projectId}</bdi>
            </>
          )}
          {", "}
          {iso(question.from).slice(0, 10)} to {iso(Math.min(question.to - 1, view.now)).slice(0, 10)}, in UTC
        </p>
        <UsageChart
          series={series}
          before={earlier}
          granularity={question.granularity}
          type={question.type}
        />
        <h2>By</h2>
        <Tabs
          label="By"
          tabs={bysFor(view).map((each) => ({
            title: each,
            href: sameAddress(view, PATH, { by: each, sort: undefined, after: undefined }),
            isCurrent: each === by,
          }))}
        />
        <UsageGroups page={groups} asked={asked} view={view} />
      </>
    );
  }
}

/** The names of what usage is restricted to. */
type Names = Partial<Record<string, string | undefined>>;

function orNoProblem(error: unknown): undefined {
  if (!(error instanceof Problem)) throw error;
}

/** Shows a problem, such as too much data to add up at once, in place of a page that fails. */
async function orWhyNot(show: () => Promise<ReactNode>): Promise<ReactNode> {
  try {
    return await show();
  } catch (error) {
    if (error instanceof Problem) return <p className="notice">{error.detail}</p>;
    throw error;
  }
}

function whose(view: View): string {
  return may(view, "admin") ? "" : "Yours.";
}

/** Shows the choices for the chart, each as a link. */
function Choices({ asked, names, view }: { asked: Asked; names: Names; view: View }): ReactElement {
  const { period, granularities, question, compare, isWhole, by } = asked;
  const to = (changed: Record<string, string | undefined>) =>
    sameAddress(view, PATH, { after: undefined, ...changed });
  const only = Object.entries({ key: question.keyId, user: question.userId, tool: question.tool });
  return (
    <div>
      <div className="row">
        <Tabs
          label="Period"
          tabs={Object.entries(PERIODS).map(([name, { title }]) => ({
            title,
            href: to({ period: name, from: undefined, to: undefined, each: undefined }),
            isCurrent: name === period,
          }))}
        />
        <Tabs
          label="Each bar"
          tabs={granularities.map((each) => ({
            title: `by ${each}`,
            href: to({ each }),
            isCurrent: each === question.granularity,
          }))}
        />
      </div>
      <div className="row">
        <Tabs
          label="Type"
          tabs={[undefined, ...USAGE_TYPES].map((type) => ({
            title: type ? NAMES[type] : "All types",
            href: to({ type }),
            isCurrent: type === question.type,
          }))}
        />
        {by !== "project" && (
          <Tabs
            label="Of"
            tabs={[
              { title: `Project ${view.projectId}`, href: to({ of: undefined }), isCurrent: !isWhole },
              { title: "All projects", href: to({ of: "all" }), isCurrent: isWhole },
            ]}
          />
        )}
      </div>
      <p className="inline">
        <a className="target" href={to({ before: compare ? undefined : "1" })}>
          {compare ? "Without the period before" : "Compare with the period before"}
        </a>
        {only.map(
          ([name, id]) =>
            id && (
              <a key={name} className="target" href={to({ [name]: undefined, by: name })}>
                Only {name} {names[name] ?? id}: show all
              </a>
            ),
        )}
      </p>
      <OwnDates view={view} isOpen={period === OWN_PERIOD} />
    </div>
  );
}

function OwnDates({ view, isOpen }: { view: View; isOpen: boolean }): ReactElement {
  const today = iso(view.now).slice(0, 10);
  return (
    <details open={isOpen}>
      <summary>Other dates</summary>
      <form method="get" action={PATH} className="inline">
        <Kept
          view={view}
          names={["account", "project", "type", "by", "of", "key", "user", "tool", "before"]}
        />
        <label htmlFor="from">From</label>
        <input
          id="from"
          name="from"
          type="date"
          required
          max={today}
          defaultValue={view.query.get("from") ?? undefined}
        />
        <label htmlFor="to">to</label>
        <input
          id="to"
          name="to"
          type="date"
          required
          max={today}
          defaultValue={view.query.get("to") ?? undefined}
        />
        <button type="submit">Show</button>
      </form>
    </details>
  );
}

function Nothing({ view }: { view: View }): ReactElement {
  const { projectId, baseUrl } = view;
  return (
    <>
      <p className="muted">{whose(view)} Nothing was counted in this period. Count something:</p>
      <Command>{commandFor(baseUrl, "track api_calls", projectId)}</Command>
      <a className="target" href={addressOf(view, PATH)}>
        The last 30 days
      </a>
    </>
  );
}
