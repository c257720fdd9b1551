import type { RouteInput } from "../../../client/routes.ts";
import { isObject } from "../../../system/is-object.ts";
import { UsageError } from "../../exit-codes.ts";
import { inputName, readText } from "../../terminal/input.ts";
import type { Io } from "../../terminal/io.ts";
import { metricsOfCsv } from "./csv.ts";
import { areRows, type JsonRow, metricsOfRows, valuesOfLines } from "./json-rows.ts";
import { type Metrics, unknownMetric } from "./metrics.ts";
import { metricsOfPrometheus } from "./prometheus.ts";
import { timed } from "./times.ts";

export type Request = RouteInput<"POST /api/v1/tools/anomalies/analyze">;

const SHAPES =
  'It takes { "name": [points] }, a whole request, [points] with --metric, one JSON object a line, what Prometheus answers, or CSV.';
/** What stands for bytes that are not UTF-8. */
const REPLACEMENT = "\ufffd";

/**
 * Reads a request from a file, or stdin (`-`). `metric` is the name of a single list. `notes` describe how an
 * ambiguous file was read.
 */
export async function readMetrics(
  io: Io,
  file: string,
  metric: string | undefined,
): Promise<{ request: Request; notes: string[] }> {
  if (file === "-" && io.input.terminal) {
    throw new UsageError("No file is named, and nothing is piped in.", SHAPES);
  }
  const text = await readText(io, file);
  const name = inputName(file);
  if (text.includes("\0")) {
    throw new UsageError(`${name} is not text.`, "Save a spreadsheet as CSV, and unpack what is packed.");
  }
  const isJson = file.endsWith(".json") || /^\s*[[{]/.test(text);
  const { content, rows = [] } = isJson ? parsed(text, name) : {};
  const ofJson = () =>
    metricsOfPrometheus(content) ?? (areRows(rows) ? metricsOfRows(rows, name, metric) : undefined);
  const table = isJson ? ofJson() : metricsOfCsv(text, name, metric);
  const request = table ? { metrics: table.metrics } : requestOf(content, name);
  const names = Object.keys(request.metrics);
  if (names.length === 0) throw new UsageError(`${name} holds no points.`, SHAPES);
  const asked =
    metric === undefined ? unnamed(request, name) : { ...request, metrics: only(request, metric, name) };
  const { metrics, notes } = timed(asked.metrics as Metrics);
  const foreign = text.includes(REPLACEMENT)
    ? [`${name} is not UTF-8: its other letters show as "${REPLACEMENT}". Save it as UTF-8.`]
    : [];
  return { request: { ...asked, metrics }, notes: [...foreign, ...(table?.notes ?? []), ...notes] };
}

/** Returns the file's content as a request. A list without a name gets the empty name. */
function requestOf(content: unknown, name: string): Request {
  if (Array.isArray(content)) return { metrics: { "": content } };
  if (typeof content !== "object" || content === null)
    throw new UsageError(`${name} holds no points.`, SHAPES);
  const { metrics } = content as { metrics?: unknown };
  return isObject(metrics) ? (content as Request) : { metrics: content as Request["metrics"] };
}

function unnamed(request: Request, name: string): Request {
  if (!Object.hasOwn(request.metrics, "")) return request;
  throw new UsageError(`${name} is one list of points.`, "Say what it measures: --metric <name>");
}

function only({ metrics }: Request, metric: string, name: string): Request["metrics"] {
  const points = Object.hasOwn(metrics, metric) ? metrics[metric] : metrics[""];
  if (points) return { [metric]: points };
  throw unknownMetric(name, metric, Object.keys(metrics));
}

/** Parses JSON, or JSON lines, which are read as one list. `rows` are the members of a list. */
function parsed(text: string, name: string): { content: unknown; rows?: JsonRow[] } {
  try {
    const content: unknown = JSON.parse(text);
    if (!Array.isArray(content)) return { content };
    return { content, rows: content.map((value, index) => ({ number: index + 1, value })) };
  } catch (error) {
    const rows = valuesOfLines(text, name);
    if (rows) return { content: rows.map(({ value }) => value), rows };
    throw new UsageError(`${name} is not valid JSON: ${(error as Error).message}`, SHAPES);
  }
}
