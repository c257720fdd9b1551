/** True where one of `features` is the gate, or a wildcard above it: `agents.*` covers `agents.business`. */
export function grants(features: readonly string[], gate: string): boolean {
  return features.some(
    (feature) => feature === gate || (feature.endsWith(".*") && gate.startsWith(feature.slice(0, -1))),
  );
}
