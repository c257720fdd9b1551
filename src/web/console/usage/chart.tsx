import type { ReactElement } from "react";
import { type Granularity, USAGE_TYPES, type UsageType } from "../../../metering/contract.ts";
import type { UsagePoint } from "../../../metering/usage/reports/series.ts";
import { grouped } from "../../../text/grouped.ts";
import { exactly, TimeChart } from "../../charts/time-chart.tsx";
import { NAMES, nameInSentence } from "./names.ts";

/** Shows the total, the chart, and its numbers as a table. */
export function UsageChart(props: {
  series: readonly UsagePoint[];
  before?: readonly UsagePoint[] | undefined;
  granularity: Granularity;
  /** The type shown; all types without it. */
  type?: UsageType | undefined;
}): ReactElement {
  const { series, before, granularity, type } = props;
  const total = sumOf(series);
  const types = type ? [type] : USAGE_TYPES;
  return (
    <>
      <p className="row">
        <span>
          <span className="figure">{grouped(total)}</span> {type ? nameInSentence(type) : "in all"}
        </span>
        {before && <Difference total={total} before={sumOf(before)} />}
      </p>
      <TimeChart
        label={type ? NAMES[type] : "Usage"}
        at={series.map(({ at }) => at)}
        granularity={granularity}
        series={types.map((each) => ({
          name: NAMES[each],
          colour: each,
          values: series.map(({ counts }) => counts[each] ?? 0),
        }))}
        before={before?.map((point) => sumOf([point]))}
      />
      <details>
        <summary>The numbers</summary>
        <Numbers series={series} granularity={granularity} types={types} />
      </details>
    </>
  );
}

export function sumOf(series: readonly UsagePoint[]): number {
  return series.reduce(
    (sum, { counts }) => Object.values(counts).reduce((each, count) => each + (count ?? 0), sum),
    0,
  );
}

function Difference({ total, before }: { total: number; before: number }): ReactElement {
  const share = Math.round((100 * (total - before)) / before);
  const words =
    before === 0 || share === 0 ? "" : ` · ${grouped(Math.abs(share))} % ${share > 0 ? "more" : "less"} now`;
  return (
    <span className="small muted">
      {grouped(before)} in the period before{words}
    </span>
  );
}

const BUCKET = { hour: "Hour", day: "Day", month: "Month" };

/** Lists the numbers, newest first. Types without any use have no column. */
function Numbers(props: {
  series: readonly UsagePoint[];
  granularity: Granularity;
  types: readonly UsageType[];
}): ReactElement {
  const { series, granularity } = props;
  const types = props.types.filter((type) => series.some(({ counts }) => counts[type]));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it can only be scrolled by keyboard if it can have the focus
    <section className="scroll" aria-label={`Usage by ${granularity}`} tabIndex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">{BUCKET[granularity]}</th>
            {types.map((type) => (
              <th key={type} scope="col">
                {NAMES[type]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {[...series].reverse().map(({ at, counts }) => (
            <tr key={at}>
              <th scope="row">{exactly(at, granularity)}</th>
              {types.map((type) => (
                <td key={type}>{grouped(counts[type] ?? 0)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
