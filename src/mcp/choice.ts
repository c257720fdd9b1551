import { endpoints as own } from "../api.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { nearNames } from "../contract/near-names.ts";
import { type Tool, toolOf } from "./tool.ts";

/** Beside the tools of the product: what an agent may want to know of its account, and to count for it. */
const BESIDE = new Set(["account.show", "agents.list", "usage.show", "usage.track"]);

/** What most sessions need, in fewer tokens than a session should pay for: a test has the number. */
const COMPACT = new Set([
  "agent_memory_recall",
  "agent_memory_store",
  "anomalies_analyze",
  "code_review_review",
  "context_optimize",
  "knowledge_graph_add_entity",
  "knowledge_graph_add_relationship",
  "knowledge_graph_impact",
  "knowledge_graph_search",
  "learning_insights",
  "models_select",
  "observability_errors",
  "pair_change",
  "pair_show",
  "pair_start",
  "scheduler_plan",
  "self_healing_diagnose",
  "self_healing_record",
]);

const made = new WeakMap<readonly Endpoint[], readonly Tool[]>();

/** Every tool of an API, the product's unless said, in its order. Made when they are first asked for. */
export function allTools(endpoints = own): readonly Tool[] {
  const tools = made.get(endpoints) ?? endpoints.filter(isTool).map(toolOf);
  made.set(endpoints, tools);
  return tools;
}

/** An address has room for thousands of names, and what each may have meant takes a while to find. */
const MAX_UNKNOWN_TOLD = 10;

/** … `unknown`: the first ten that name nothing. */
export type Choice = { tools: readonly Tool[] } | { unknown: { name: string; near: string[] }[] };

/**
 * What `--tools` or `?tools=` names: tools, areas such as `knowledge_graph`, `default` or `all`, with
 * commas between. The compact set where nothing is named, and what an operator added to the product.
 *
 * @param beside tools that call no endpoint: part of what is chosen by default
 */
export function chooseTools(
  named = "default",
  { endpoints = own, beside = [] }: { endpoints?: readonly Endpoint[]; beside?: readonly Tool[] } = {},
): Choice {
  const tools = [...beside, ...allTools(endpoints)];
  const names = new Set(
    named
      .split(",")
      .map((name) => name.trim())
      .filter((name) => name !== ""),
  );
  const chosen = new Set<Tool>();
  const unknown: string[] = [];
  for (const name of names.size > 0 ? names : ["default"]) {
    const found = tools.filter((tool) => isMeant(tool, name));
    if (found.length === 0) unknown.push(name);
    for (const tool of found) chosen.add(tool);
  }
  if (unknown.length === 0) return { tools: tools.filter((tool) => chosen.has(tool)) };
  const known = new Set(tools.flatMap(({ name, area }) => [name, area]));
  const told = unknown.slice(0, MAX_UNKNOWN_TOLD);
  return { unknown: told.map((name) => ({ name, near: nearNames(name, known) })) };
}

/** In a sentence, for whoever chose wrongly. */
export function describeUnknown(unknown: readonly { name: string; near: string[] }[]): string {
  return unknown
    .map(({ name, near }) => {
      const meant = near.length > 0 ? `; did you mean ${near.join(" or ")}?` : ".";
      return `There is no tool "${name.slice(0, 64)}"${meant}`;
    })
    .join(" ");
}

function isMeant({ name, area, endpoint }: Tool, given: string): boolean {
  if (given === "all") return true;
  if (given === "default") return COMPACT.has(name) || endpoint === undefined || !own.includes(endpoint);
  return given === name || given === area;
}

/** A stream of events is no answer to a call. */
function isTool({ name, path, eventStream }: Endpoint): boolean {
  return BESIDE.has(name) || (path.startsWith("/api/v1/tools/") && !eventStream);
}
