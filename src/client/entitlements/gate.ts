import { covers } from "../../contract/gate.ts";
import type { EntitlementDocument, Standing } from "./entitlements.ts";

export interface GateAnswer {
  gate: string;
  allowed: boolean;
  tier: string;
  /** The lowest tier that has it; absent where none does, or where the document does not say. */
  requiredTier?: string;
  /** One sentence. */
  reason: string;
  standing: Standing;
}

/** Whether a gate, or a gated agent by its id, is open under a document of this standing. */
export function gateAnswer(gate: string, document: EntitlementDocument, standing: Standing): GateAnswer {
  const { tier, plan, policy } = document;
  const requiredTier = requiredTierOf(gate, document);
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
  const reason = `"${gate}" needs the ${named(requiredTier)} plan; this ${whose} is on ${named(tier)}.`;
  return { ...answer, allowed: false, reason };
}

/** The feature that opens it: itself, or a wildcard above it. */
function grantOf(gate: string, { features, agents }: EntitlementDocument): string | undefined {
  if (Object.hasOwn(agents.required, gate) && !agents.denied.includes(gate)) return gate;
  return features.find((feature) => covers(feature, gate));
}

function requiredTierOf(gate: string, { gates, agents }: EntitlementDocument): string | undefined {
  if (Object.hasOwn(agents.required, gate)) return agents.required[gate];
  // They stand in the order of the tiers.
  return Object.entries(gates ?? {}).find(([granted]) => covers(granted, gate))?.[1];
}

/** A plan's id as a name: `pro` is Pro. */
function named(plan: string): string {
  return plan.charAt(0).toUpperCase() + plan.slice(1);
}
