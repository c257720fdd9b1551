type Json = Record<string, unknown>;
/** Arguments of a call, or a function that makes them from earlier answers. */
// biome-ignore lint/suspicious/noExplicitAny: tests read answers without their types
type Given = Json | ((earlier: Readonly<Record<string, any>>) => Json);

/** A sensible call of every tool, ordered so that each finds the data that it needs. */
export const EXAMPLES: readonly [tool: string, given: Given][] = [
  ["account_show", {}],
  ["agents_list", {}],
  ["usage_track", { type: "agents_invoked", count: 2, metadata: { from: "a test" } }],
  ["usage_show", { granularity: "hour" }],
  ["knowledge_graph_add_entity", { id: "web", type: "service", name: "Web", properties: { lang: "Go" } }],
  [
    "knowledge_graph_import",
    { entities: [{ id: "db", type: "store", name: "Database" }], relationships: [] },
  ],
  ["knowledge_graph_add_relationship", { from: "web", to: "db", type: "reads", weight: 0.5 }],
  ["knowledge_graph_show", {}],
  ["knowledge_graph_layout", { entityId: "web", depth: 2 }],
  ["knowledge_graph_show_entity", { entityId: "web" }],
  ["knowledge_graph_search", { q: "databse", limit: 3 }],
  ["knowledge_graph_impact", { entityId: "web", depth: 3, direction: "out" }],
  ["knowledge_graph_path", { from: "web", to: "db" }],
  ["knowledge_graph_delete_relationship", { from: "web", to: "db", type: "reads" }],
  ["knowledge_graph_delete_entity", { entityId: "web" }],
  ["knowledge_graph_delete_many", { entities: ["db", "gone"], relationships: [] }],
  ["agent_memory_store", { content: "Deploys run on Fridays only after the freeze.", tags: ["deploy"] }],
  ["agent_memory_store_many", { memories: [{ content: "The cache lives for an hour." }] }],
  ["agent_memory_recall", { q: "when do deploys run?", limit: 3 }],
  ["agent_memory_stats", {}],
  ["agent_memory_list", { limit: 5 }],
  ["agent_memory_show", ({ agent_memory_store: { memory } }) => ({ memoryId: (memory as Json).id })],
  [
    "agent_memory_correct",
    ({ agent_memory_store: { memory } }) => ({ memoryId: (memory as Json).id, content: "On Thursdays." }),
  ],
  ["agent_memory_forget", ({ agent_memory_store: { memory } }) => ({ memoryId: (memory as Json).id })],
  ["code_review_review", { diff: DIFF() }],
  [
    "context_locate",
    { query: "where is a header parsed", segments: [{ id: "a.ts", content: "function parseHeader() {}" }] },
  ],
  ["context_optimize", { content: "One sentence. Another sentence. A third one.", budget: { ratio: 0.5 } }],
  [
    "scheduler_plan",
    {
      tasks: [
        { id: "a", durationMs: 100 },
        { id: "b", durationMs: 50, dependsOn: ["a"] },
      ],
      iterations: 10,
    },
  ],
  [
    "self_healing_diagnose",
    { log: "npm ERR! code ERESOLVE\nnpm ERR! unable to resolve dependency tree", exitCode: 1 },
  ],
  [
    "self_healing_record",
    ({ self_healing_diagnose: { diagnosisId } }) => ({ diagnosisId, fix: "pinned it", outcome: "success" }),
  ],
  [
    "self_healing_show",
    ({ self_healing_diagnose: { diagnosisId } }) => ({ diagnosisId: diagnosisId as string }),
  ],
  [
    "self_healing_delete",
    ({ self_healing_diagnose: { diagnosisId } }) => ({ diagnosisId: diagnosisId as string }),
  ],
  ["self_healing_history", { limit: 5 }],
  ["anomalies_analyze", { sessionId: "s", metrics: { latency: SERIES(), memory: SERIES() } }],
  ["anomalies_history", { limit: 5 }],
  [
    "anomalies_dismiss",
    ({ anomalies_analyze }) => ({ id: anomalyIn(anomalies_analyze, "latency"), reason: "known" }),
  ],
  ["anomalies_show", ({ anomalies_analyze }) => ({ id: anomalyIn(anomalies_analyze, "latency") })],
  ["anomalies_reopen", ({ anomalies_analyze }) => ({ id: anomalyIn(anomalies_analyze, "latency") })],
  ["anomalies_apply", ({ anomalies_analyze }) => ({ id: anomalyIn(anomalies_analyze, "memory") })],
  ["anomalies_settings", {}],
  ["anomalies_change_settings", { metric: "latency", high: 50 }],
  ["models_list", { capability: "embedding" }],
  ["models_select", { task: { kind: "code", inputTokens: 1000 }, objective: "cost" }],
  [
    "models_outcome",
    ({ models_select: { selected } }) => ({
      model: `${(selected as Json).provider}/${(selected as Json).id}`,
      kind: "code",
      outcome: "success",
    }),
  ],
  [
    "pair_start",
    {
      participants: [
        { id: "ann", role: "driver" },
        { id: "bob", role: "navigator" },
      ],
      files: [{ path: "a.txt", content: "hello" }],
    },
  ],
  [
    "pair_change",
    ({ pair_start }) => ({
      sessionId: sessionOf(pair_start),
      author: "ann",
      path: "a.txt",
      baseRevision: 0,
      edits: [{ from: 5, to: 5, insert: " world" }],
    }),
  ],
  ["pair_list", { state: "active" }],
  ["pair_recent", ({ pair_start }) => ({ sessionId: sessionOf(pair_start), limit: 5 })],
  ["pair_show", ({ pair_start }) => ({ sessionId: sessionOf(pair_start), since: 0 })],
  ["pair_handoff", ({ pair_start }) => ({ sessionId: sessionOf(pair_start) })],
  ["pair_end", ({ pair_start }) => ({ sessionId: sessionOf(pair_start) })],
  ["learning_benchmark", { type: "build_duration", value: 90, unit: "s" }],
  [
    "learning_pattern",
    { title: "Cache", description: "Cache dependencies by lock file.", category: "build" },
  ],
  ["learning_insights", { type: "build_duration" }],
  ["observability_config", {}],
  ["observability_errors", { limit: 10 }],
  ["observability_show_error", errorIn],
  ["observability_resolve_errors", errorsIn],
  ["observability_ignore_errors", (earlier) => ({ ...errorsIn(earlier), more: 100 })],
  ["observability_reopen_errors", errorsIn],
  ["observability_delete_error", errorIn],
  ["observability_source_maps", {}],
  [
    "observability_delete_source_maps",
    ({ observability_source_maps: { items } }) => ({ bundleId: items[0].id }),
  ],
];

function sessionOf(started: Json = {}): unknown {
  return (started.session as Json).id;
}

function anomalyIn(analysis: Json = {}, metric: string): unknown {
  const found = analysis.anomalies as Json[];
  return found.find((each) => each.metric === metric && each.suggestion !== null)?.id;
}

function errorIn({ observability_errors }: Readonly<Record<string, Json>>): Json {
  const [error] = (observability_errors?.items ?? []) as Json[];
  return { fingerprint: error?.fingerprint };
}

function errorsIn(earlier: Readonly<Record<string, Json>>): Json {
  return { fingerprints: [errorIn(earlier).fingerprint] };
}

function DIFF(): string {
  return [
    "diff --git a/a.js b/a.js",
    "--- a/a.js",
    "+++ b/a.js",
    "@@ -1,1 +1,2 @@",
    " const a = 1;",
    "+eval(input);",
    "",
  ].join("\n");
}

/** Returns a steady series with two outliers far apart. */
function SERIES(): number[] {
  return Array.from({ length: 400 }, (_, index) => (index === 150 || index === 330 ? 900 : 20 + (index % 5)));
}
