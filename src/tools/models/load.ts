import type { Kind, Task } from "./contract.ts";
import type { Load } from "./cost.ts";

export type Assumed = "inputTokens" | "outputTokens";

const INPUT = 1000;
const OUTPUT: Record<Kind, number> = {
  code: 1000,
  reasoning: 2000,
  chat: 400,
  extraction: 300,
  summarization: 500,
  vision: 300,
  embedding: 0,
};
/** Presumed length of a summary as a share of the text, if that is shorter than usual. */
const SUMMARY = 0.2;

/**
 * Returns the tokens that a task takes, and which of these were neither given nor counted. `counted` is the
 * number of tokens of its prompt.
 */
export function loadOf(task: Task, counted: number | undefined): Load & { presumed: Assumed[] } {
  const inputTokens = task.inputTokens ?? counted ?? INPUT;
  const usual = OUTPUT[task.kind];
  const summary = task.kind === "summarization" ? Math.ceil(SUMMARY * inputTokens) : usual;
  return {
    inputTokens,
    cachedInputTokens: Math.min(inputTokens, task.cachedInputTokens ?? 0),
    outputTokens: task.outputTokens ?? Math.min(usual, summary),
    presumed: [
      ...(task.inputTokens === undefined && counted === undefined ? (["inputTokens"] as const) : []),
      ...(task.outputTokens === undefined ? (["outputTokens"] as const) : []),
    ],
  };
}
