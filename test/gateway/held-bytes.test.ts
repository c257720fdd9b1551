import { expect, it } from "vitest";
import { createHeldBytes } from "../../src/gateway/held-bytes.ts";

it("createHeldBytes() bounds what an account holds until its requests are over, and leaves others their share", () => {
  const held = createHeldBytes(100);
  const hold = (accountId: string, bytes: number) => {
    const over = new AbortController();
    return held.hold({ accountId, signal: over.signal }, bytes) && over;
  };
  const first = hold("acc_greedy", 60);
  expect(hold("acc_greedy", 40)).toBeTruthy();
  expect(hold("acc_greedy", 1)).toBe(false);
  expect(hold("acc_other", 50)).toBeTruthy();
  expect(hold("acc_other", 1)).toBe(false);
  // Who holds too much is not kept from what takes nothing, such as taking back a request.
  expect(hold("acc_greedy", 0)).toBeTruthy();
  if (first) first.abort();
  // 40 and 50 are held now.
  expect(hold("acc_other", 10)).toBeTruthy();
  expect(hold("acc_other", 1)).toBe(false);
  expect(hold("acc_greedy", 11)).toBe(false);
  expect(hold("acc_greedy", 10)).toBeTruthy();
});
