/** Returns what people call the plan of an answer; its id, if the server is too old to say. */
export function planNameOf({ plan, planName }: { plan: string; planName?: string }): string {
  return planName ?? plan;
}
