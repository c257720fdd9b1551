import { grouped } from "../../text/grouped.ts";
import { can, type Model, nameOf, writesText } from "./catalogue/model.ts";
import type { Constraints, Task } from "./contract.ts";
import { costOf, type Load } from "./cost.ts";

/** A reason why a model does not fit. */
export interface Fault {
  /** Path of the requirement in the request; absent if the request does not state it. */
  path?: string;
  reason: string;
  /** How far off the model is: 0 is a near miss, 1 a complete one, and more rules the model out. */
  by: number;
}

const NEVER = 1000;

/** Returns all faults of a model, the gravest kinds first. */
export function faultsIn(model: Model, task: Task, constraints: Constraints, load: Load): Fault[] {
  return [
    ...ofPurpose(model, task),
    ...ofChoice(model, constraints),
    ...ofNeeds(model, task),
    ...ofRoom(model, constraints, load),
    ...ofCost(model, constraints, load),
  ];
}

function ofPurpose(model: Model, { kind }: Task): Fault[] {
  const faults: Fault[] = [];
  const fault = (reason: string) => faults.push({ path: "task.kind", reason, by: NEVER });
  if (model.status === "deprecated") faults.push({ reason: "is deprecated", by: NEVER });
  if (kind === "embedding") {
    if (!can(model, "embedding")) fault("makes no embeddings");
  } else if (!writesText(model)) {
    fault(can(model, "embedding") ? "makes embeddings, not text" : "is not made to answer in text");
  } else if (kind === "vision" && !can(model, "vision")) {
    fault("takes no images");
  }
  return faults;
}

function ofChoice(model: Model, { providers, models }: Constraints): Fault[] {
  const faults: Fault[] = [];
  const fault = (path: string, reason: string) => faults.push({ path, reason, by: NEVER });
  const named = (names: readonly string[]) => names.includes(model.id) || names.includes(nameOf(model));
  if (providers?.deny?.includes(model.provider))
    fault("constraints.providers.deny", "its provider is denied");
  if (providers?.allow && !providers.allow.includes(model.provider))
    fault("constraints.providers.allow", "its provider is not among the allowed");
  if (models?.deny && named(models.deny)) fault("constraints.models.deny", "is denied");
  if (models?.allow && !named(models.allow)) fault("constraints.models.allow", "is not among the allowed");
  return faults;
}

const CHOICE = ["providers.deny", "providers.allow", "models.deny", "models.allow"].map(
  (list) => `constraints.${list}`,
);

/** Whether a model is ruled out by name, whatever it can do. */
export function isOfChoice({ path }: Fault): boolean {
  return path !== undefined && CHOICE.includes(path);
}

/** Returns the paths of the lists that allow or deny models by name. */
export function choiceIn({ providers, models }: Constraints): string[] {
  return CHOICE.filter((_, at) => [providers?.deny, providers?.allow, models?.deny, models?.allow][at]);
}

function ofNeeds(model: Model, { needs = [] }: Task): Fault[] {
  const missing = needs.filter((need) => !can(model, need));
  return missing.map((need) => ({ path: "task.needs", reason: `lacks ${need}`, by: 1 }));
}

function ofRoom(model: Model, { minContextTokens }: Constraints, load: Load): Fault[] {
  const { contextTokens, maxInputTokens, maxOutputTokens } = model;
  const { inputTokens, outputTokens } = load;
  const faults: Fault[] = [];
  const atLeast = (path: string, has: number | undefined, wants: number, verb: string) => {
    if (has !== undefined && has >= wants) return;
    const reason =
      has === undefined ? "its context is not known" : `${verb} ${tokens(has)}, not ${tokens(wants)}`;
    faults.push({ path, reason, by: short(has, wants) });
  };
  if (minContextTokens !== undefined)
    atLeast("constraints.minContextTokens", contextTokens, minContextTokens, "has a context of");
  const whole = inputTokens + outputTokens;
  if (whole > (minContextTokens ?? 0)) atLeast("task", contextTokens, whole, "has a context of");
  if (maxInputTokens !== undefined) atLeast("task.inputTokens", maxInputTokens, inputTokens, "takes at most");
  if (maxOutputTokens !== undefined)
    atLeast("task.outputTokens", maxOutputTokens, outputTokens, "writes at most");
  return faults;
}

function tokens(value: number): string {
  return `${grouped(value)} tokens`;
}

function short(has: number | undefined, wants: number): number {
  return has === undefined ? 1 : 1 - has / wants;
}

function ofCost(model: Model, { maxCostUsd }: Constraints, load: Load): Fault[] {
  if (maxCostUsd === undefined) return [];
  const path = "constraints.maxCostUsd";
  const cost = costOf(model, load);
  if (cost === undefined) return [{ path, reason: "its price is not known", by: 1 }];
  if (cost <= maxCostUsd) return [];
  const by = 1 - maxCostUsd / cost;
  return [{ path, reason: `costs ${usd(cost)}, over ${usd(maxCostUsd)}`, by }];
}

/** Formats a price with three significant digits: `0.0021 USD`. */
export function usd(value: number): string {
  return `${Number(value.toPrecision(3)).toLocaleString("en", { maximumFractionDigits: 12, useGrouping: false })} USD`;
}
