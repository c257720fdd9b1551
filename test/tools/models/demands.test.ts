import { describe, expect, it } from "vitest";
import { demandsOf } from "../../../src/tools/models/difficulty/demands.ts";
import { difficultyOf } from "../../../src/tools/models/difficulty/difficulty.ts";

describe("difficultyOf() a request", () => {
  const score = (prompt: string) => difficultyOf(prompt).score;

  it.each([
    [
      "why does this deadlock only under load?",
      'pretty print this json {"id": 17, "name": "Acme", "tags": []}',
    ],
    [
      "make the queue lock-free",
      "rename the variable `tmp` to `total` in all of the files of this folder, thanks",
    ],
    [
      "prove that the merge is idempotent",
      "translate this short message to German: the meeting was moved to two",
    ],
    [
      "migrate the orders table without downtime",
      "how do I undo the last commit that I have not pushed yet?",
    ],
    [
      "find the race in the session cache",
      `just the last line of this log please\n\n${"12:00 INFO started\n".repeat(60)}`,
    ],
  ])("puts %j above %j, however long either is", (hard, easy) => {
    expect(score(hard)).toBeGreaterThan(score(easy));
  });

  it("names the words that it goes by, whatever stands between its beginning and its end", () => {
    const pasted = "raft quorum ".repeat(200);
    expect(difficultyOf(`Fix the deadlock, it must not block.\n${pasted}\n`).signs.slice(0, 2)).toContain(
      "deadlock",
    );
    expect(difficultyOf(`Rename this.\n${"x ".repeat(400)}\n${"y ".repeat(100)}`).signs).toEqual(["rename"]);
    expect(difficultyOf(`${"x ".repeat(400)}\nThere is a deadlock.`).signs).toEqual(["deadlock"]);
  });

  it.each(["what is a monad", "what is a monad?", "what are promises?"])("takes %s for plain", (prompt) => {
    expect(demandsOf(prompt).logits).toBeLessThan(0);
  });

  it("presumes what it names, and knows nothing of a request without such words", () => {
    expect(difficultyOf("the quorum is lost")).toMatchObject({ basis: "presumed", signs: ["quorum"] });
    expect(difficultyOf("the garden is lost")).toMatchObject({ basis: "unknown", signs: [] });
  });

  it("goes by length and relations alone for exercises", () => {
    const exercise =
      "Ann has twice as many rename apples as Bo, who has 3. How many deadlock apples has Ann?";
    expect(difficultyOf(exercise)).toMatchObject({ asks: "arithmetic", signs: [] });
  });
});

it("demandsOf() counts a word once, and three of each sort at most", () => {
  const one = demandsOf("deadlock").logits;
  expect(demandsOf("Deadlock, deadlock").logits).toBe(one);
  expect(demandsOf("deadlock, quorum, raft, paxos, consensus").logits).toBe(3 * one);
  expect(demandsOf("rename, bump, sort").logits).toBe(demandsOf("rename, bump").logits);
  expect(demandsOf("rename").logits).toBeLessThan(0);
  expect(demandsOf("an apple")).toEqual({ logits: 0, signs: [] });
});
