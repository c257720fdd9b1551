import type { EntitlementDocument, Standing } from "./entitlements.ts";

export interface GateAnswer {
  gate: string;
  allowed: boolean;
  tier: string;
  /** The lowest tier that has it, where the document says so. */
  requiredTier?: string;
  /** One sentence. */
  reason: string;
  standing: Standing;
}

/** Whether a gate, or a gated agent by its id, is open under a document of this standing. */
export function gateAnswer(gate: string, document: EntitlementDocument, standing: Standing): GateAnswer {
  const { tier, policy } = document;
  const requiredTier = requiredTierOf(gate, document);
  const answer = { gate, tier, requiredTier, standing };
  if (standing === "expired" && policy.onUnreachable === "deny") {
    const reason = "The server cannot be reached, and the policy denies all gates after the grace period.";
    return { ...answer, allowed: false, reason };
  }
  const grant = grantOf(gate, document);
  if (grant !== undefined) {
    const reason =
      grant === gate
        ? `The ${tier} tier has ${gate}.`
        : `The ${tier} tier has ${grant}, which covers ${gate}.`;
    return { ...answer, allowed: true, reason };
  }
  const reason = requiredTier
    ? `${gate} needs the ${requiredTier} tier, and this is the ${tier} tier.`
    : `The ${tier} tier does not have ${gate}.`;
  return { ...answer, allowed: false, reason };
}

/** The feature that opens it: itself, or a wildcard above it. */
function grantOf(gate: string, { features, agents }: EntitlementDocument): string | undefined {
  if (Object.hasOwn(agents.required, gate) && !agents.denied.includes(gate)) return gate;
  return features.find(
    (feature) => feature === gate || (feature.endsWith(".*") && gate.startsWith(feature.slice(0, -1))),
  );
}

function requiredTierOf(gate: string, { agents }: EntitlementDocument): string | undefined {
  return Object.hasOwn(agents.required, gate) ? agents.required[gate] : undefined;
}
