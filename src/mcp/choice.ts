import { endpoints as own } from "../api.ts";
import type { Endpoint } from "../contract/endpoint.ts";
import { nearNames, questionOf } from "../contract/near-names.ts";
import { type Tool, toolOf } from "./tool.ts";

/** Endpoints offered in addition to the product's tools: an agent's account, its usage, and counting it. */
const ADDITIONAL_ENDPOINTS = new Set(["account.show", "agents.list", "usage.show", "usage.track"]);

/** The default tools. They cover most sessions within a bound on tokens that a test checks. */
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

/** Returns every tool of an API, by default the product's, in its order. Cached after the first call. */
export function allTools(endpoints = own): readonly Tool[] {
  const tools = made.get(endpoints) ?? endpoints.filter(isTool).map(toolOf);
  made.set(endpoints, tools);
  return tools;
}

/** Bound on the unknown names reported. A URL has room for thousands, and finding similar names takes time. */
const MAX_UNKNOWN_TOLD = 10;

/** The chosen tools, or up to ten unknown names with similar ones. */
export type Choice = { tools: readonly Tool[] } | { unknown: { name: string; near: string[] }[] };

/**
 * Chooses the tools that `--tools` or `?tools=` names: tools, areas such as `knowledge_graph`, `default` or `all`,
 * separated by commas. `default`, also used if nothing is named, is the compact set and the tools that an operator
 * added.
 *
 * @param additional tools that call no endpoint, which are part of the default
 */
export function chooseTools(
  named = "default",
  {
    endpoints = own,
    additional = [],
  }: { endpoints?: readonly Endpoint[]; additional?: readonly Tool[] } = {},
): Choice {
  const tools = [...additional, ...allTools(endpoints)];
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

/** Describes unknown names in a sentence for the user. */
export function describeUnknown(unknown: readonly { name: string; near: string[] }[]): string {
  return unknown
    .map(({ name, near }) => `There is no tool "${name.slice(0, 64)}"${questionOf(near) || "."}`)
    .join(" ");
}

function isMeant({ name, area, endpoint }: Tool, given: string): boolean {
  if (given === "all") return true;
  if (given === "default") return COMPACT.has(name) || endpoint === undefined || !own.includes(endpoint);
  return given === name || given === area;
}

/** Whether an endpoint is offered as a tool. A stream of events cannot answer a call. */
function isTool({ name, path, eventStream }: Endpoint): boolean {
  return ADDITIONAL_ENDPOINTS.has(name) || (path.startsWith("/api/v1/tools/") && !eventStream);
}
