import { jobOf } from "../../contract/compute.ts";
import { modelsContract } from "./contract.ts";
import { readPrompt } from "./read-prompt.ts";

/** Reads the prompt, which can be long, and gives what it says in place of it. */
export const selectJob = jobOf(modelsContract.select, async ({ task: { prompt, ...task }, ...request }) => ({
  request: { ...request, task },
  prompt: prompt === undefined ? undefined : await readPrompt(prompt),
}));
