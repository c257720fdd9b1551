import * as z from "zod";
import { named } from "../../contract/components.ts";
import {
  At,
  computedEndpoint,
  endpoint,
  listOf,
  Name,
  Page,
  pageBehind,
  UserId,
} from "../../contract/endpoint.ts";
import { KINDS } from "./kind.ts";
import { Metrics } from "./metrics.ts";

const ROOT = "/api/v1/tools/anomalies";

const SENSITIVITIES = ["low", "medium", "high"] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];
export const SEVERITIES = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];
export const STATES = ["open", "dismissed", "applied"] as const;

const Expected = z.object({ low: z.number(), mid: z.number(), high: z.number() });

const Setting = z.number().nullable();
const Settings = z.object({
  low: Setting.describe("Where values go below, that is always reported"),
  high: Setting.describe("Where values go above, that is always reported"),
  maxGapMs: Setting.describe("Longer pauses are missing data, instead of by what is usual"),
});
export type MetricSettings = z.infer<typeof Settings>;

const Suggestion = z.object({
  action: z.enum(["set_threshold", "set_max_gap"]),
  parameters: z.object({ metric: z.string(), ...Settings.partial().shape }),
  effect: z.string(),
});
export type Suggestion = z.infer<typeof Suggestion>;

export const Anomaly = z.object({
  id: z.string(),
  analysisId: z.string(),
  sessionId: z.string().optional(),
  metric: z.string(),
  at: At.nullable().describe("Null where the point had no time"),
  index: z.int().nonnegative().describe("Into the array that was sent"),
  value: z.number(),
  expected: Expected,
  score: z.number().min(0).max(1),
  severity: z.enum(SEVERITIES),
  kind: z.enum(KINDS),
  explanation: z.string(),
  suggestion: Suggestion.nullable(),
  state: z.enum(STATES),
  createdAt: At,
  decidedAt: At.optional(),
  reason: z.string().optional().describe("Why it was dismissed"),
});
export type Anomaly = z.infer<typeof Anomaly>;

const Surroundings = z.object({
  first: z.int().nonnegative().describe("Index of the first of `values`"),
  values: z.array(z.number()).describe("To six significant digits"),
  since: At.nullable().describe("When the first of them was, null where it had no time"),
  until: At.nullable().describe("When the last of them was"),
  marks: z.array(z.int().nonnegative()).describe("Indices of all anomalies among them"),
});
export type Surroundings = z.infer<typeof Surroundings>;

const Listed = Anomaly.extend({
  around: Surroundings.nullable().optional().describe("As `show` has it, where `include` asks for it"),
});

named({
  Anomaly,
  ListedAnomaly: Listed,
  AnomalySurroundings: Surroundings,
  AnomalyExpectation: Expected,
  MetricSettings: Settings,
  AnomalySuggestion: Suggestion,
});

const AnomalyId = UserId.describe("An anomaly's id");

export const anomaliesContract = {
  analyze: computedEndpoint({
    name: "anomalies.analyze",
    method: "POST",
    path: `${ROOT}/analyze`,
    summary: "Find anomalies in the metrics of a session",
    description: `Each point is judged only by those before it, in the order of the array, and by what earlier sessions of the
project sent under the same metric name; later points never change a verdict. A metric says nothing until it has
10 points. All anomalies are listed, metric by metric, and kept as \`open\`. One event is reported once: within
70 points only what is stranger still, and a \`level_shift\`, \`trend\` or \`variance\` if it turns out to last.
\`verdict\` and \`baseline\` tell how each metric stands. If the points begin with all of the analysis before,
those are judged as they were then: what was reported of them keeps its id.`,
    scope: "write",
    errors: ["conflict", "unprocessable"],
    idempotent: true,
    example: { sessionId: "session-1", metrics: { latencyMs: [12, 13, 12, 14, 11, 13, 12, 13, 12, 11, 95] } },
    compute: "short",
    input: z.strictObject({
      sessionId: UserId.optional(),
      metrics: Metrics,
      sensitivity: z.enum(SENSITIVITIES).default("medium"),
    }),
    output: z.object({
      analysisId: z.string(),
      anomalies: z.array(Anomaly),
      series: z.record(
        z.string(),
        z.object({
          points: z.int().nonnegative().describe("Of this session"),
          baseline: Expected.nullable().describe("Where the next value is expected: the middle 98 % of late"),
          verdict: z.enum(["ok", "anomalous", "insufficient_data"]),
        }),
      ),
    }),
  }),

  history: endpoint({
    name: "anomalies.history",
    method: "GET",
    path: `${ROOT}/history`,
    summary: "List the project's anomalies, newest first",
    scope: "read",
    input: z.strictObject({
      state: z.enum(STATES).optional(),
      metric: Name.optional(),
      severity: z.enum(SEVERITIES).optional(),
      include: z.enum(["around"]).optional().describe("The points around each, too"),
      ...pageBehind(/^ano_\w+$/),
    }),
    output: listOf(Listed),
  }),

  show: endpoint({
    name: "anomalies.show",
    method: "GET",
    path: `${ROOT}/{id}`,
    summary: "Show an anomaly and the points around it",
    description:
      "Up to 60 points before it and 30 after it are kept, for 200 anomalies of 32 metrics at most.",
    scope: "read",
    errors: ["not_found"],
    input: z.strictObject({ id: AnomalyId }),
    output: z.object({ anomaly: Anomaly, around: Surroundings.nullable() }),
  }),

  reopen: endpoint({
    name: "anomalies.reopen",
    method: "POST",
    path: `${ROOT}/reopen/{id}`,
    summary: "Undo the decision on an anomaly",
    description: `What was dismissed is scored as before, what was applied is set as before. An open anomaly, or one whose metric
was set otherwise since, is 409 \`invalid_state\`.`,
    scope: "write",
    errors: ["not_found", "invalid_state", "unprocessable"],
    destructive: true,
    idempotent: true,
    input: z.strictObject({ id: AnomalyId }),
    output: z.object({ anomaly: Anomaly }),
  }),

  dismiss: endpoint({
    name: "anomalies.dismiss",
    method: "POST",
    path: `${ROOT}/dismiss/{id}`,
    summary: "Dismiss an open anomaly",
    description: `Anomalies of its kind on its metric are scored lower from then on. One that is not open is 409
\`invalid_state\`.`,
    scope: "write",
    errors: ["not_found", "invalid_state"],
    idempotent: true,
    example: { id: "ano_example", reason: "A planned migration" },
    input: z.strictObject({ id: AnomalyId, reason: z.string().max(1000).optional() }),
    output: z.object({ anomaly: Anomaly }),
  }),

  apply: endpoint({
    name: "anomalies.apply",
    method: "POST",
    path: `${ROOT}/apply/{id}`,
    summary: "Apply the suggestion of an open anomaly",
    description: `Changes the settings of its metric as \`suggestion\` says. \`undo\` is the request that changes them
back. One that is not open is 409 \`invalid_state\`, one without a suggestion 422.`,
    scope: "write",
    errors: ["not_found", "invalid_state", "unprocessable"],
    destructive: true,
    idempotent: true,
    input: z.strictObject({ id: AnomalyId }),
    output: z.object({
      anomaly: Anomaly,
      changed: z.object({ metric: z.string(), before: Settings, after: Settings }),
      undo: z.object({
        method: z.literal("POST"),
        path: z.string(),
        body: z.object({ metric: z.string(), ...Settings.shape }),
      }),
    }),
  }),

  settings: endpoint({
    name: "anomalies.settings",
    method: "GET",
    path: `${ROOT}/settings`,
    summary: "List what was set and dismissed for each metric, by name",
    scope: "read",
    input: z.strictObject(Page),
    output: listOf(
      z.object({
        metric: z.string(),
        settings: Settings,
        dismissed: z
          .partialRecord(z.enum(KINDS), z.int().positive())
          .describe("How many anomalies of a kind: each makes the next score lower"),
      }),
    ),
  }),

  changeSettings: endpoint({
    name: "anomalies.changeSettings",
    method: "POST",
    path: `${ROOT}/settings`,
    summary: "Set or remove the thresholds of a metric",
    description: "Null removes one; what is left out stays.",
    rules: ["What comes out has `low` below `high`."],
    scope: "write",
    errors: ["conflict", "unprocessable"],
    destructive: true,
    idempotent: true,
    example: { metric: "latencyMs", high: 200 },
    input: z.strictObject({
      metric: Name,
      low: Setting.optional(),
      high: Setting.optional(),
      maxGapMs: z.number().positive().nullable().optional(),
    }),
    output: z.object({ metric: z.string(), settings: Settings }),
  }),
};
