import type { ReactElement } from "react";
import type { Anomaly } from "../../../tools/anomalies/contract.ts";
import { short } from "../../charts/scale.ts";
import { Ago } from "../../time.tsx";
import { addressOf } from "../frame/address.ts";
import { Fact } from "../frame/facts.tsx";
import type { View } from "../frame/section.ts";
import { AnomalyList, Decide, type Drawn, inUtc, PATH } from "./list.tsx";
import { PointChart } from "./point-chart.tsx";

/** Shows an anomaly with the points around it, its decision, and other anomalies of its metric. */
export function OneAnomaly(props: Drawn & { others: readonly Anomaly[]; view: View }): ReactElement {
  const { anomaly, around, others, view } = props;
  const { metric, severity, kind, explanation, expected, value, score, at, index, state } = anomaly;
  const { analysisId, sessionId, createdAt, decidedAt, reason } = anomaly;
  return (
    <>
      <a className="target" href={addressOf(view, PATH)}>
        All open anomalies
      </a>
      <h2>
        {metric}: {severity} {kind.replaceAll("_", " ")}
      </h2>
      <p>{explanation}</p>
      {around ? (
        <PointChart anomaly={anomaly} around={around} />
      ) : (
        <p className="muted small">The points around it were not kept.</p>
      )}
      <dl className="facts">
        <Fact name="Value">
          {Number(value.toPrecision(6))} where {short(expected.low)} to {short(expected.high)} was expected,
          score {score.toFixed(2)}
        </Fact>
        <Fact name={at === null ? "Where" : "When"}>{at === null ? `point ${index}` : inUtc(at)}</Fact>
        <Fact name="Analysis">
          <code>{analysisId}</code>
          {sessionId !== undefined && `, session ${sessionId}`},{" "}
          <Ago at={Date.parse(createdAt)} now={view.now} />
        </Fact>
        <Fact name="State">
          {state}
          {decidedAt !== undefined && (
            <>
              {" "}
              <Ago at={Date.parse(decidedAt)} now={view.now} />
            </>
          )}
          {reason !== undefined && `: ${reason}`}
        </Fact>
      </dl>
      <Decide anomaly={anomaly} view={view} />
      {others.length > 0 && (
        <>
          <h2>Others of {metric}</h2>
          <AnomalyList items={others.map((each) => ({ anomaly: each, around: null }))} view={view} />
          <a className="target" href={addressOf(view, PATH, { metric, state: "all" })}>
            All of {metric}
          </a>
        </>
      )}
    </>
  );
}
