import { invalidRequest } from "../contract/faults.ts";

/** A plan, of which accounts only know the name. Metering defines what it grants. */
export interface Plan {
  id: string;
}

/** Throws `Problem` `invalid_request` if there is no such plan. */
export function checkPlan(plans: readonly Plan[], plan: string): void {
  if (plans.some(({ id }) => id === plan)) return;
  const known = plans.map(({ id }) => id).join(", ");
  throw invalidRequest([{ path: "plan", message: `must be one of ${known}` }]);
}
