import type { ReactElement } from "react";
import type { SignedIn } from "../../accounts/sign-in/browser-sessions.ts";
import type { Anomaly } from "../../tools/anomalies/contract.ts";
import { Command, commandFor } from "../command.tsx";
import { Ago } from "../time.tsx";
import type { Section, View } from "./section.ts";

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
    group: "Tools",
    card: async (view) => (
      <Anomalies list={await open(view.visit.signedIn, view.projectId, ON_CARD)} view={view} />
    ),
    page: async (view) => (
      <Anomalies list={await open(view.visit.signedIn, view.projectId, ON_PAGE)} view={view} decidable />
    ),
  };
}

function Anomalies(props: { list: readonly Anomaly[]; view: View; decidable?: boolean }): ReactElement {
  const { list, view, decidable } = props;
  const { projectId, baseUrl, now } = view;
  if (list.length === 0) {
    return (
      <>
        <p className="muted">Project {projectId} has no open anomalies. Look for some in your metrics:</p>
        <Command>{commandFor(baseUrl, "anomalies analyze metrics.json", projectId)}</Command>
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
          {decidable && <Decision anomaly={anomaly} view={view} />}
        </li>
      ))}
    </ul>
  );
}

function Decision({ anomaly, view }: { anomaly: Anomaly; view: View }): ReactElement {
  const { baseUrl, projectId } = view;
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
            <Command>{commandFor(baseUrl, `anomalies apply ${id}`, projectId)}</Command>
          </>
        )}
        <p className="small">The like is scored lower from then on.</p>
        <Command>{commandFor(baseUrl, `anomalies dismiss ${id}`, projectId)}</Command>
      </div>
    </details>
  );
}
