import type { ReactElement } from "react";
import type { SignedIn } from "../../accounts/sign-in/browser-sessions.ts";
import type { Anomaly } from "../../tools/anomalies/contract.ts";
import { Command } from "../command.tsx";
import { Ago } from "../time.tsx";
import type { Section } from "./section.ts";

/** A project's open anomalies, newest first. */
export type OpenAnomalies = (
  signedIn: SignedIn,
  projectId: string,
  limit: number,
) => Promise<readonly Anomaly[]>;

const ON_CARD = 3;
const ON_PAGE = 100;

export function anomaliesSection(open: OpenAnomalies): Section {
  return {
    path: "/anomalies",
    title: "Anomalies",
    card: async ({ visit, projectId, now }) => (
      <Anomalies list={await open(visit.signedIn, projectId, ON_CARD)} projectId={projectId} now={now} />
    ),
    page: async ({ visit, projectId, now }) => (
      <Anomalies
        list={await open(visit.signedIn, projectId, ON_PAGE)}
        projectId={projectId}
        now={now}
        decidable
      />
    ),
  };
}

function Anomalies(props: {
  list: readonly Anomaly[];
  projectId: string;
  now: number;
  decidable?: boolean;
}): ReactElement {
  const { list, projectId, now, decidable } = props;
  if (list.length === 0) {
    return (
      <>
        <p className="muted">Project {projectId} has no open anomalies. Look for some in your metrics:</p>
        <Command>{command(projectId, "analyze metrics.json")}</Command>
      </>
    );
  }
  return (
    <ul className="items">
      {list.map((anomaly) => (
        <li key={anomaly.id}>
          <p className="row">
            <strong>{anomaly.metric}</strong>
            <span className="small muted">
              {anomaly.severity} {anomaly.kind.replace("_", " ")}
            </span>
          </p>
          <p className="small">{anomaly.explanation}</p>
          <p className="small muted">
            {anomaly.at ?? `point ${anomaly.index}`} · found{" "}
            <Ago at={Date.parse(anomaly.createdAt)} now={now} />
          </p>
          {decidable && <Decision anomaly={anomaly} projectId={projectId} />}
        </li>
      ))}
    </ul>
  );
}

function Decision({ anomaly, projectId }: { anomaly: Anomaly; projectId: string }): ReactElement {
  const { id, suggestion } = anomaly;
  return (
    <details>
      <summary>
        Decide<span className="unseen"> on {id}</span>
      </summary>
      <div className="stack">
        {suggestion && (
          <>
            <p className="small">{suggestion.effect}</p>
            <Command>{command(projectId, `apply ${id}`)}</Command>
          </>
        )}
        <p className="small">The like is scored lower from then on.</p>
        <Command>{command(projectId, `dismiss ${id}`)}</Command>
      </div>
    </details>
  );
}

/** A command of the project that the page shows. */
function command(projectId: string, words: string): string {
  const project = projectId === "default" ? "" : ` --project '${projectId.replaceAll("'", "'\\''")}'`;
  return `tool anomalies ${words}${project}`;
}
