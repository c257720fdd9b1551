import type { ReactElement } from "react";
import type { Anomaly, Surroundings } from "../../../tools/anomalies/contract.ts";
import { short } from "../../charts/scale.ts";

const WIDTH = 1000;
const HEIGHT = 100;

/**
 * Shows the values around an anomaly as a line, the expected range as a band, and every anomaly as a dot. The SVG
 * stretches. Its text is HTML beside it, which keeps its size.
 */
export function PointChart(props: { anomaly: Anomaly; around: Surroundings; small?: boolean }): ReactElement {
  const { anomaly, around, small } = props;
  const { first, values, since, until, marks } = around;
  const { expected, metric } = anomaly;
  const all = [...values, expected.low, expected.high];
  const [least, most] = [Math.min(...all), Math.max(...all)];
  const room = (most - least || Math.abs(most) || 1) * 0.06;
  const [bottom, top] = [least - room, most + room];
  const x = (at: number) => round(values.length === 1 ? WIDTH / 2 : (at * WIDTH) / (values.length - 1));
  const y = (value: number) => round(HEIGHT - ((value - bottom) / (top - bottom)) * HEIGHT);
  const dot = (at: number) => `M${x(at)} ${y(values[at] ?? 0)}h0`;
  const others = marks.filter((mark) => mark !== anomaly.index).map((mark) => dot(mark - first));
  return (
    <figure className={small ? "chart small-chart" : "chart"}>
      {!small && (
        <figcaption className="small muted">
          The band is where 98 of 100 values were expected; the large dot is this anomaly, small ones are
          others.
        </figcaption>
      )}
      <div className="plot">
        <ol className="axis small muted" aria-hidden="true">
          {[most, (most + least) / 2, least].map((value, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two values may be equal
            <li key={index}>{short(value)}</li>
          ))}
        </ol>
        <svg
          className="points"
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={`${values.length} values of ${metric} from ${short(Math.min(...values))} to ${short(Math.max(...values))}; the anomaly is ${short(anomaly.value)} where ${short(expected.low)} to ${short(expected.high)} was expected`}
        >
          <rect
            className="expected"
            x="0"
            width={WIDTH}
            y={y(expected.high)}
            height={Math.max(0.5, round(y(expected.low) - y(expected.high)))}
          />
          <polyline points={values.map((value, at) => `${x(at)},${y(value)}`).join(" ")} />
          {others.length > 0 && <path className="other" d={others.join("")} />}
          <path className="this" d={dot(anomaly.index - first)} />
        </svg>
        <p className="dates small muted">
          <span>{since === null ? `point ${first}` : since.slice(0, 16).replace("T", " ")}</span>
          <span>
            {until === null ? `point ${first + values.length - 1}` : until.slice(0, 16).replace("T", " ")}
          </span>
        </p>
      </div>
    </figure>
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
