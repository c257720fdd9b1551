import type { ReactElement } from "react";
import { Problem } from "../../contract/problem.ts";
import { shellWord } from "../../system/processes/shell-word.ts";
import type { learningContract } from "../../tools/learning/contract.ts";
import { Command, commandFor } from "../command.tsx";
import { titled } from "../format.ts";
import { addressOf } from "./frame/address.ts";
import type { EndpointCalls } from "./frame/endpoint-calls.ts";
import type { Section, View } from "./frame/section.ts";
import { Table } from "./frame/table.tsx";

export type ProjectLearning = Pick<EndpointCalls<typeof learningContract>, "insights">;
type Insight = Awaited<ReturnType<ProjectLearning["insights"]>>["items"][number];

const PATH = "/learning";

const TRENDS: Record<Insight["trend"]["direction"], string> = {
  improving: "improving",
  worsening: "worsening",
  steady: "steady",
  insufficient_data: "too few measurements",
};

/** Creates the section that compares a project with its cohort and shows patterns of better projects. */
export function learningSection(learning: ProjectLearning): Section {
  return {
    path: PATH,
    title: "Learning",
    group: "Tools",
    wide: true,
    async page(view) {
      const items = await insightsOf(learning, view);
      if (items === undefined) return <NotInIt view={view} />;
      const measured = items.filter(({ latest }) => latest !== null);
      if (measured.length === 0) return <NothingMeasured view={view} />;
      return (
        <>
          <Standings items={measured} view={view} />
          <Patterns items={measured} />
        </>
      );
    },
  };
}

/** Returns the insights; undefined if the project does not take part. */
async function insightsOf(learning: ProjectLearning, view: View): Promise<readonly Insight[] | undefined> {
  try {
    return (await learning.insights({}, view)).items;
  } catch (error) {
    if (error instanceof Problem && error.error === "opt_in_required") return undefined;
    throw error;
  }
}

function Standings({ items, view }: { items: readonly Insight[]; view: View }): ReactElement {
  return (
    <>
      <p className="small muted">
        Beside other projects of the same kind, of any account, of which nobody learns which they are.
      </p>
      <Table
        view={view}
        path={PATH}
        label="Measurements beside others"
        rows={items}
        keyOf={({ type }) => type}
        columns={[
          { title: "Measured", cell: ({ type }) => titled(type) },
          {
            title: "Latest",
            isFigure: true,
            cell: ({ latest, unit }) => (latest ? figure(latest.value, unit) : "–"),
          },
          { title: "Day", cell: ({ latest }) => latest?.at.slice(0, 10) ?? "–" },
          { title: "Trend", cell: ({ trend }) => TRENDS[trend.direction] },
          {
            title: "Better than",
            isFigure: true,
            cell: ({ betterThan }) => (betterThan === null ? "–" : `${betterThan} %`),
          },
          {
            title: "Their middle",
            isFigure: true,
            cell: ({ cohort, unit }) => (cohort.p50 === undefined ? "–" : figure(cohort.p50, unit)),
          },
          { title: "Among", cell: ({ cohort }) => cohortInWords(cohort) },
        ]}
      />
    </>
  );
}

function cohortInWords({ status, projects, language, size }: Insight["cohort"]): string {
  if (status === "insufficient_data") return "fewer than five projects";
  const which = [language, size].filter((each) => each !== undefined).join(", ");
  return `${projects ?? "some"} projects${which === "" ? "" : ` (${which})`}`;
}

/** Shows each pattern once, even if several insights have it. */
function Patterns({ items }: { items: readonly Insight[] }): ReactElement {
  const patterns = new Map(items.flatMap((item) => item.patterns.map((each) => [each.id, each] as const)));
  return (
    <>
      <h2>What better ones do</h2>
      {patterns.size === 0 ? (
        <p className="muted">Nothing was shared by them yet.</p>
      ) : (
        <ul className="items">
          {[...patterns.values()].map(({ id, title, description, category, outcome, sharedAt }) => (
            <li key={id}>
              <p>
                <strong>{title}</strong>
              </p>
              <p className="small prose">{description}</p>
              {outcome !== undefined && <p className="small prose">It brought: {outcome}</p>}
              <p className="small muted">
                {category} · shared on {sharedAt.slice(0, 10)}
              </p>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function NotInIt({ view }: { view: View }): ReactElement {
  const { baseUrl, projectId } = view;
  return (
    <>
      <p>
        Project {projectId} takes no part. A project that does compares what it measures with others like it
        and sees what better ones do; its own measurements and what it shares are told without saying whose
        they are. An admin has it take part:
      </p>
      <Command>{commandFor(baseUrl, `projects set ${shellWord(projectId)} --learning on`)}</Command>
      <a className="target" href={addressOf(view, "/projects")}>
        Projects
      </a>
    </>
  );
}

function NothingMeasured({ view }: { view: View }): ReactElement {
  return (
    <>
      <p className="muted">Nothing was measured in project {view.projectId}. Measure something:</p>
      <Command>
        {commandFor(view.baseUrl, "learning benchmark build_duration 93 --unit s", view.projectId)}
      </Command>
    </>
  );
}

function figure(value: number, unit: string | null): string {
  const digits = value.toLocaleString("en-US", { maximumSignificantDigits: 4 });
  return unit === null ? digits : `${digits} ${unit}`;
}
