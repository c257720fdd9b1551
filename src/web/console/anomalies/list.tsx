import type { ReactElement, ReactNode } from "react";
import { type Anomaly, SEVERITIES, type Surroundings } from "../../../tools/anomalies/contract.ts";
import { Command, commandFor } from "../../command.tsx";
import { Form } from "../../form.tsx";
import { Ago } from "../../time.tsx";
import { addressOf, sameAddress } from "../frame/address.ts";
import { may, queryParam } from "../frame/endpoint-calls.ts";
import { FilterForm, SearchField, SelectField } from "../frame/filter-form.tsx";
import type { View } from "../frame/section.ts";
import { Below } from "../frame/table.tsx";
import { Tabs } from "../frame/tabs.tsx";
import { PointChart } from "./point-chart.tsx";

export const PATH = "/anomalies";
const STATES = { open: "Open", dismissed: "Dismissed", applied: "Applied", all: "All" };

export interface Drawn {
  anomaly: Anomaly;
  around: Surroundings | null;
}

export function NoAnomalies({ view }: { view: View }): ReactElement {
  const { projectId, baseUrl } = view;
  return (
    <>
      <p className="muted">Project {projectId} has no open anomalies. Look for some in your metrics:</p>
      <Command>{commandFor(baseUrl, "anomalies analyze metrics.json", projectId)}</Command>
    </>
  );
}

/** Shows the filters, and the results below them. */
export function Anomalies(props: { state: string; view: View; children: ReactNode }): ReactElement {
  const { state, view, children } = props;
  return (
    <>
      <Tabs
        label="State"
        tabs={Object.entries(STATES).map(([value, title]) => ({
          title,
          href: sameAddress(view, PATH, { state: value, after: undefined, done: undefined }),
          isCurrent: value === state,
        }))}
      />
      <FilterForm view={view} path={PATH} choices={{ severity: SEVERITIES, state: Object.keys(STATES) }}>
        <input type="hidden" name="state" value={state} />
        <SearchField view={view} name="metric" label="Metric" />
        <SelectField view={view} name="severity" label="Severity" all="Any severity" choices={SEVERITIES} />
      </FilterForm>
      {children}
    </>
  );
}

/** Lists anomalies. On the page (`paged`), their points and buttons are shown, too. */
export function AnomalyList(props: {
  items: readonly Drawn[];
  nextCursor?: string | undefined;
  view: View;
  paged?: boolean;
}): ReactElement {
  const { items, nextCursor, view, paged } = props;
  if (items.length === 0) {
    const isNarrowed = ["metric", "severity", "state"].some((name) => queryParam(view, name) !== undefined);
    return isNarrowed ? <p className="muted">No anomaly is like that.</p> : <NoAnomalies view={view} />;
  }
  return (
    <>
      <ul className="items">
        {items.map((item) => (
          <Item key={item.anomaly.id} {...item} view={view} decidable={paged === true} />
        ))}
      </ul>
      {paged && <Below view={view} path={PATH} after={nextCursor} />}
    </>
  );
}

function Item(props: Drawn & { view: View; decidable: boolean }): ReactElement {
  const { anomaly, around, view, decidable } = props;
  const { id, metric, severity, kind, explanation, at, index, createdAt, state } = anomaly;
  return (
    <li className={decidable ? "stack" : undefined}>
      <div>
        <p className="row">
          <a className="target" href={addressOf(view, PATH, { id })}>
            <strong>{metric}</strong>
          </a>
          <span className="small muted">
            {severity} {kind.replaceAll("_", " ")}
            {state !== "open" && ` · ${state}`}
          </span>
        </p>
        <p className="small">{explanation}</p>
        <p className="small muted">
          {at === null ? `point ${index}` : inUtc(at)} · found{" "}
          <Ago at={Date.parse(createdAt)} now={view.now} />
        </p>
      </div>
      {around && <PointChart anomaly={anomaly} around={around} small />}
      {decidable && <Decide anomaly={anomaly} view={view} />}
    </li>
  );
}

/** Formats a time as `2026-11-21 15:00 UTC`. */
export function inUtc(at: string): string {
  return `${new Date(at).toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** Shows the buttons for those who may decide. */
export function Decide({ anomaly, view }: { anomaly: Anomaly; view: View }): ReactElement | null {
  if (!may(view, "write")) return null;
  const { state, suggestion, metric } = anomaly;
  const button = (action: string, verb: string, filled = false) => (
    <Form action={sameAddress(view, PATH, {})} visit={view.visit}>
      <input type="hidden" name="do" value={action} />
      <input type="hidden" name="id" value={anomaly.id} />
      <button type="submit" className={filled ? "filled" : undefined}>
        {verb}
        <span className="unseen"> the anomaly of {metric}</span>
      </button>
    </Form>
  );
  if (state !== "open") return <div className="inline">{button("reopen", "Reopen")}</div>;
  return (
    <>
      {suggestion && <p className="small">Suggested: {suggestion.effect}</p>}
      <div className="inline">
        {suggestion && button("apply", "Apply", true)}
        {button("dismiss", "Dismiss")}
      </div>
    </>
  );
}
