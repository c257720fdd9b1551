import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Edit } from "../../../src/tools/pair/session-contract.ts";
import { applyAll, collision, growthOf, rebase } from "../../../src/tools/pair/text.ts";
import { runs } from "../../support/runs.ts";
import { applied, editsOf, text } from "./pair.ts";

const insert = (at: number, insert: string): Edit => ({ from: at, to: at, insert });
const remove = (from: number, to: number): Edit => ({ from, to, insert: "" });

describe("edits of a text", () => {
  it.each([
    ["line endings", "a\r\nb\rc\nd", [{ from: 2, to: 3, insert: "\r\r\n" }], "a\r\r\r\nb\rc\nd"],
    ["half a surrogate pair", "x😀y", [{ from: 2, to: 3, insert: "" }], "x\ud83dy"],
    [
      "NUL and line separators",
      "ab",
      [{ from: 1, to: 1, insert: "\u0000\u2028\u2029" }],
      "a\u0000\u2028\u2029b",
    ],
    ["everything removed", "a\r\n", [{ from: 0, to: 3, insert: "" }], ""],
  ])("apply exactly to %s", (_, before, edits, after) => {
    expect(applyAll(before, [{ edits }])).toBe(after);
  });

  it("change any text as slicing does, one change after the other", () => {
    const changes = text.chain((content) =>
      editsOf(content.length).chain((first) => {
        const between = applied(content, first);
        return editsOf(between.length).map((second) => ({ content, first, second }));
      }),
    );
    fc.assert(
      fc.property(changes, ({ content, first, second }) => {
        const [one, two] = [applied(content, first), applied(applied(content, first), second)];
        expect(applyAll(content, [{ edits: first }])).toBe(one);
        expect(applyAll(content, [{ edits: first }, { edits: second }])).toBe(two);
        expect(one.length - content.length).toBe(growthOf(first));
      }),
      { numRuns: runs(100) },
    );
  });

  it("apply many at a time to the longest text, as often as a file is read without a snapshot", () => {
    // If each edit copied the text, this would take ten minutes.
    const line = `${"0123456789".repeat(10)}\n`;
    const edits = Array.from({ length: 10_000 }, (_, at) => ({
      from: at * 101,
      to: at * 101 + 1,
      insert: "é",
    }));
    const changes = Array.from({ length: 64 }, () => ({ edits }));
    expect(applyAll(line.repeat(10_000), changes)).toBe(line.replace("0", "é").repeat(10_000));
  });
});

describe("collision()", () => {
  it.each([
    ["both remove some of the same", [remove(2, 5)], [remove(4, 8)], true],
    ["one removes what the other is within", [remove(2, 9)], [remove(4, 5)], true],
    ["both replace the same", [{ from: 2, to: 3, insert: "x" }], [{ from: 2, to: 3, insert: "x" }], true],
    ["one inserts within what the other removes", [insert(4, "x")], [remove(2, 9)], true],
    ["a later one of each touches", [insert(0, "x"), remove(6, 8)], [insert(1, "y"), insert(7, "z")], true],
    ["both insert at the same place", [insert(4, "x")], [insert(4, "y")], false],
    ["one inserts where a removal begins", [insert(2, "x")], [remove(2, 4)], false],
    ["one inserts where a removal ends", [insert(4, "x")], [remove(2, 4)], false],
    ["removals only meet", [remove(2, 4)], [remove(4, 6)], false],
    ["they are apart", [remove(0, 2)], [remove(5, 9)], false],
  ])("gives the expected verdict for either order if %s", (_, ours, theirs, collides) => {
    expect(collision(ours, theirs) !== undefined).toBe(collides);
    expect(collision(theirs, ours) !== undefined).toBe(collides);
  });

  it("finds a collision exactly if two edits of the lists overlap", () => {
    const touch = (a: Edit, b: Edit) => a.from < b.to && b.from < a.to;
    fc.assert(
      fc.property(editsOf(20, 5), editsOf(20, 5), (ours, theirs) => {
        const any = ours.some((a) => theirs.some((b) => touch(a, b)));
        const found = collision(ours, theirs);
        expect(found !== undefined).toBe(any);
        if (found) expect(touch(ours[found[0]] as Edit, theirs[found[1]] as Edit)).toBe(true);
      }),
      { numRuns: runs(200) },
    );
  });
});

describe("rebased edits", () => {
  it("insert after an earlier insertion at the same place", () => {
    expect(rebase([insert(4, "late")], [insert(4, "early")], 10)).toEqual([insert(9, "late")]);
  });

  it("give the merge of both sides if these do not overlap", () => {
    const pairs = fc
      .array(fc.constantFrom("a", "b", "\r", "\n"), { maxLength: 12 })
      .map((letters) => letters.join(""))
      .chain((content) => fc.tuple(fc.constant(content), editsOf(content.length), editsOf(content.length)));
    fc.assert(
      fc.property(pairs, ([content, ours, theirs]) => {
        fc.pre(collision(ours, theirs) === undefined);
        const rebased = rebase(ours, theirs, content.length);
        expect(applied(applied(content, theirs), rebased)).toBe(merged(content, theirs, ours));
        expect(growthOf(rebased)).toBe(growthOf(ours));
      }),
      { numRuns: runs(400) },
    );
  });
});

/** Merges edits unit by unit. At each place, insertions precede replacements, and the earlier side the later. */
function merged(content: string, earlier: readonly Edit[], later: readonly Edit[]): string {
  const put = (edits: readonly Edit[], at: number, replacing: boolean) =>
    edits
      .filter(({ from, to }) => from === at && from < to === replacing)
      .map(({ insert }) => insert)
      .join("");
  const removed = (at: number) => [...earlier, ...later].some(({ from, to }) => from <= at && at < to);
  let result = "";
  for (let at = 0; at <= content.length; at++) {
    for (const replacing of [false, true]) result += put(earlier, at, replacing) + put(later, at, replacing);
    if (at < content.length && !removed(at)) result += content[at];
  }
  return result;
}
