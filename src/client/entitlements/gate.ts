import { covers } from "../../contract/gate.ts";
import { nearNames } from "../../contract/near-names.ts";
import { planNameIn } from "../plan-names.ts";
import type { EntitlementDocument, Standing } from "./entitlement-document.ts";

export interface GateAnswer {
  gate: string;
  allowed: boolean;
  tier: string;
  /** The lowest tier that has the gate; absent if none does or the document does not say. */
  requiredTier?: string;
  /** Why; followed by a question with similar names where the document does not know this one. */
  reason: string;
  /** Gates and agents with similar names, if the document does not know this one. */
  didYouMean?: string[];
  standing: Standing;
}

/** Reports whether a gate, or a gated agent by its id, is open under a document of this standing. */
export function gateAnswer(gate: string, document: EntitlementDocument, standing: Standing): GateAnswer {
  const answer = answerFor(gate, document, standing);
  // A wildcard also covers a misspelt name, so a granted answer gets suggestions too.
  const didYouMean = likeNames(gate, document);
  if (didYouMean.length === 0) return answer;
  return { ...answer, reason: `${answer.reason} Did you mean ${didYouMean.join(", ")}?`, didYouMean };
}

function answerFor(gate: string, document: EntitlementDocument, standing: Standing): GateAnswer {
  const { tier, plan, policy, upgradeUrl } = document;
  const requiredTier = requiredTierOf(gate, document);
  const named = (id: string) => planNameIn(document, id);
  const answer = { gate, tier, requiredTier, standing };
  if (standing === "expired" && policy.onUnreachable === "deny") {
    const reason = "The server cannot be reached, and the policy denies all gates after the grace period.";
    return { ...answer, allowed: false, reason };
  }
  const grant = grantOf(gate, document);
  if (grant !== undefined) {
    const by = grant === gate ? "" : ` as part of "${grant}"`;
    return { ...answer, allowed: true, reason: `The ${named(tier)} plan has "${gate}"${by}.` };
  }
  if (requiredTier === undefined) {
    return { ...answer, allowed: false, reason: `The ${named(tier)} plan does not have "${gate}".` };
  }
  const whose = tier === plan ? "account" : "project";
  const where = upgradeUrl === undefined ? "" : ` Get it at ${upgradeUrl}`;
  const reason = `"${gate}" needs the ${named(requiredTier)} plan; this ${whose} is on ${named(tier)}.${where}`;
  return { ...answer, allowed: false, reason };
}

/** Returns the feature that opens the gate: the gate itself or a wildcard above it. */
function grantOf(gate: string, { features, agents }: EntitlementDocument): string | undefined {
  if (Object.hasOwn(agents.required, gate) && !agents.denied.includes(gate)) return gate;
  return features.find((feature) => covers(feature, gate));
}

function requiredTierOf(gate: string, { gates, agents }: EntitlementDocument): string | undefined {
  if (Object.hasOwn(agents.required, gate)) return agents.required[gate];
  // The gates are in the order of the tiers.
  return Object.entries(gates ?? {}).find(([granted]) => covers(granted, gate))?.[1];
}

/** Returns similar names among the gates and agents of the document; none if it contains this one. */
function likeNames(gate: string, { gates = {}, features, agents }: EntitlementDocument): string[] {
  const known = new Set([...features, ...Object.keys(gates), ...Object.keys(agents.required)]);
  if (known.has(gate)) return [];
  const names = [...known].filter((name) => !name.endsWith(".*"));
  const wildcard = [...known].find((name) => covers(name, gate));
  if (wildcard === undefined) return nearNames(gate, names);
  // Operators may invent names below a wildcard. Their common prefix is ignored, or all of them would seem similar.
  const area = wildcard.slice(0, -1);
  const depth = gate.split(".").length;
  const siblings = names.filter((name) => covers(wildcard, name) && name.split(".").length === depth);
  const near = nearNames(
    gate.slice(area.length),
    siblings.map((name) => name.slice(area.length)),
  );
  return near.map((name) => `${area}${name}`);
}
