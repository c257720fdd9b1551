import { jobOf } from "../../contract/job.ts";
import { modelsContract } from "./contract.ts";
import { readPrompt } from "./difficulty/read-prompt.ts";

/** Replaces the prompt, which can be long, by its number of tokens and its difficulty. */
export const selectJob = jobOf(modelsContract.select, async ({ task: { prompt, ...task }, ...request }) => ({
  request: { ...request, task },
  prompt: prompt === undefined ? undefined : await readPrompt(prompt),
}));
