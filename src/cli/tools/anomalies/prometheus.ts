import { isObject } from "../../../system/is-object.ts";
import type { Metrics, Point } from "./metrics.ts";

interface Series {
  metric: object;
  values?: [number, string][];
  value?: [number, string];
}

/** Returns the series of an answer of Prometheus to a query, or undefined if the content is none. */
function seriesOf(content: unknown): Series[] | undefined {
  const data = isObject(content) && isObject(content.data) ? content.data : undefined;
  const series = data ? data.result : content;
  // Without series, only the answer as a whole can be told from something else.
  const isAnswer = Array.isArray(series) && (series.length > 0 || typeof data?.resultType === "string");
  return isAnswer && series.every(isSeries) ? series : undefined;
}

function isSeries(each: unknown): each is Series {
  if (!isObject(each) || !isObject(each.metric)) return false;
  const { values = [each.value] } = each;
  return Array.isArray(values) && values.every((pair) => Array.isArray(pair) && typeof pair[0] === "number");
}

/**
 * Reads what the HTTP API of Prometheus answers to `query_range` or `query`, or its `result` alone: a metric a series, named
 * as Prometheus writes it. Values that are no numbers (NaN, +Inf) are left out with a note. Undefined if it is none.
 */
export function metricsOfPrometheus(content: unknown): { metrics: Metrics; notes: string[] } | undefined {
  const series = seriesOf(content);
  if (!series) return undefined;
  let left = 0;
  const metrics = new Map<string, Point[]>();
  for (const { metric, values, value } of series) {
    const points: Point[] = [];
    for (const [time, text] of values ?? (value ? [value] : [])) {
      const number = /\d/.test(String(text)) ? Number(text) : Number.NaN;
      if (Number.isFinite(number)) points.push({ at: Math.round(time * 1000), value: number });
      else left++;
    }
    metrics.set(nameOf(metric), points);
  }
  const some =
    left === 1
      ? "1 value is no number, and is left out."
      : `${left} values are no numbers, and are left out.`;
  return { metrics: Object.fromEntries(metrics), notes: left > 0 ? [some] : [] };
}

/** Returns a name such as `http_requests_total{job="api"}`. */
function nameOf(labels: object): string {
  const { __name__: name = "", ...others } = labels as Record<string, string>;
  const said = Object.entries(others).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return said.length > 0 ? `${name}{${said.join(",")}}` : name || "{}";
}
