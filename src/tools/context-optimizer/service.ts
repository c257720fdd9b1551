import type { Compute } from "../../contract/compute.ts";
import type { Handlers } from "../../contract/endpoint.ts";
import type { contextOptimizerContract } from "./contract.ts";

/** Keeps nothing: what comes in goes out, shorter. */
export function createContextOptimizer({
  compute,
}: {
  compute: Compute;
}): Handlers<typeof contextOptimizerContract> {
  return { optimize: (input) => compute("context.optimize", input) };
}
