import { difficultyOf } from "../../../src/tools/models/difficulty/difficulty.ts";
import later from "./later-requests.json" with { type: "json" };
import first from "./requests.json" with { type: "json" };

/** Requests with a difficulty from 1 to 5, as strangers to the code wrote and judged them. */
const SETS = { first, later } as unknown as Record<string, [label: number, prompt: string][]>;

/** Compares the order of difficulty with that of the labels, and that of mere length. */
export function labelledRequests(): void {
  for (const [name, requests] of Object.entries(SETS)) {
    const labels = requests.map(([label]) => label);
    const by = (score: (prompt: string) => number) =>
      correlation(ranks(requests.map(([, prompt]) => score(prompt))), ranks(labels)).toFixed(2);
    console.log(
      `${requests.length} requests labelled by a stranger, ${name}: rank correlation ${by(counted)} by difficulty, ${by((prompt) => prompt.length)} by length`,
    );
  }
}

/** The difficulty that counts in the choice: in the middle where it is unknown. */
function counted(prompt: string): number {
  const { score, basis } = difficultyOf(prompt);
  return basis === "unknown" ? 0.5 : score;
}

/** Returns the rank of each value; those that are equal share the mean of theirs. */
function ranks(values: readonly number[]): number[] {
  const sorted = [...values].sort((a, b) => a - b);
  return values.map((value) => (sorted.indexOf(value) + sorted.lastIndexOf(value)) / 2);
}

/** Returns Pearson's correlation, which of ranks is Spearman's. */
function correlation(one: readonly number[], other: readonly number[]): number {
  const centred = (values: readonly number[]) => {
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return values.map((value) => value - mean);
  };
  const [x, y] = [centred(one), centred(other)];
  const product = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, at) => sum + value * (b[at] as number), 0);
  return product(x, y) / Math.sqrt(product(x, x) * product(y, y));
}
