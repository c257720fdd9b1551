/** Whether a feature is the gate or a wildcard above it: `agents.*` covers `agents.business`. */
export function covers(feature: string, gate: string): boolean {
  return feature === gate || (feature.endsWith(".*") && gate.startsWith(feature.slice(0, -1)));
}

export function grants(features: readonly string[], gate: string): boolean {
  return features.some((feature) => covers(feature, gate));
}
