import { endInWords } from "../system/clock.ts";

/* What people call a plan. A server that is too old to say so sends its id alone. */

interface PlanNamed {
  plan: string;
  planName?: string;
}

/** Returns the name of the plan that an answer names. */
export function planNameOf({ plan, planName }: PlanNamed): string {
  return planName ?? plan;
}

/** Returns the name of an account's plan and, if it ends, when and what follows. */
export function planWithEnd(account: PlanNamed & { nextPlan?: PlanNamed & { at: string } }): string {
  const { nextPlan } = account;
  const end = nextPlan ? ` until ${endInWords(Date.parse(nextPlan.at))}, then ${planNameOf(nextPlan)}` : "";
  return planNameOf(account) + end;
}

/** Returns the name of a plan in a document of entitlements. */
export function planNameIn({ plans }: { plans?: Readonly<Record<string, string>> }, plan: string): string {
  return plans?.[plan] ?? plan;
}
