import type { Compute } from "../../contract/compute.ts";
import type { Handlers } from "../../contract/endpoint.ts";
import type { schedulerContract } from "./contract.ts";
import type { Plan } from "./report.ts";

export interface SchedulerPorts {
  compute: Compute;
}

export function createScheduler({ compute }: SchedulerPorts): Handlers<typeof schedulerContract> {
  return { plan: (input) => compute<Plan>("scheduler.plan", input) };
}
