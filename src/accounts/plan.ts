import { invalidRequest } from "../contract/faults.ts";

/** A plan, of which accounts only know what it is called. Metering defines what it grants. */
export interface Plan {
  /** What programs and configuration call it. */
  id: string;
  /** What people call it. */
  name: string;
}

/** Returns what people call a plan: its id if there is no such plan any more. */
export function nameOfPlan(plans: readonly Plan[], plan: string): string {
  return plans.find(({ id }) => id === plan)?.name ?? plan;
}

/** Throws `Problem` `invalid_request` if there is no such plan as the member at `path` names. */
export function checkPlan(plans: readonly Plan[], plan: string, path = "plan"): void {
  if (plans.some(({ id }) => id === plan)) return;
  const known = plans.map(({ id }) => id).join(", ");
  throw invalidRequest([{ path, message: `must be one of ${known}` }]);
}
