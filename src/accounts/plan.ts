import { invalidRequest } from "../contract/faults.ts";

/** A plan as accounts know it: by name. What it grants is metering's. */
export interface Plan {
  id: string;
}

/** `Problem` `invalid_request` where there is no such plan. */
export function checkPlan(plans: readonly Plan[], plan: string): void {
  if (plans.some(({ id }) => id === plan)) return;
  const known = plans.map(({ id }) => id).join(", ");
  throw invalidRequest([{ path: "plan", message: `must be one of ${known}` }]);
}
