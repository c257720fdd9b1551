import { expect, it } from "vitest";
import { createHeldAnswers } from "../../src/gateway/upstreams/held-answers.ts";

it("createHeldAnswers() bounds what an account holds until its requests are over, and leaves others their share", () => {
  const held = createHeldAnswers("Notes", 100);
  const hold = (accountId: string, bytes: number) => {
    const over = new AbortController();
    held.hold({ accountId, signal: over.signal }, bytes);
    return over;
  };
  const first = hold("acc_greedy", 60);
  hold("acc_greedy", 40);
  const refused = expect.objectContaining({ kind: "paused", message: expect.stringContaining("Notes") });
  expect(() => hold("acc_greedy", 1)).toThrow(refused);
  hold("acc_other", 50);
  expect(() => hold("acc_other", 1)).toThrow(refused);
  first.abort();
  // 40 and 50 are held now.
  hold("acc_other", 10);
  expect(() => hold("acc_other", 1)).toThrow(refused);
  expect(() => hold("acc_greedy", 11)).toThrow(refused);
  hold("acc_greedy", 10);
});
