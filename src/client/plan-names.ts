/* What people call a plan. A server that is too old to say so sends its id alone. */

/** Returns the name of the plan that an answer names. */
export function planNameOf({ plan, planName }: { plan: string; planName?: string }): string {
  return planName ?? plan;
}

/** Returns the name of a plan in a document of entitlements. */
export function planNameIn({ plans }: { plans?: Readonly<Record<string, string>> }, plan: string): string {
  return plans?.[plan] ?? plan;
}
