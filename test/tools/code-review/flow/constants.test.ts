import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reachingOf } from "../../../../src/tools/code-review/flow/reaching.ts";
import { expressionEnd } from "../../../../src/tools/code-review/syntax/functions/functions.ts";
import { fragmentOf } from "../cases.ts";

/** Evaluates the last value that is assigned to `x`. */
function workedOut(text: string, path = "app.ts") {
  const fragment = fragmentOf(path, text);
  const from = (fragment.words.get("x")?.at(-1) as number) + 2;
  return reachingOf(fragment).constants.of({ from, to: expressionEnd(fragment, from) });
}

const script = (expression: string) => workedOut(`const x = ${expression};`);
const python = (expression: string) => workedOut(`x = ${expression}`, "app.py");

describe("a constant expression", () => {
  it("evaluates to the same value as in JavaScript", () => {
    const { expression } = fc.letrec<{ expression: string; number: string }>((tie) => ({
      number: fc.oneof(
        { maxDepth: 4 },
        fc.nat(9).map(String),
        fc
          .tuple(tie("number"), fc.constantFrom("+", "-", "*", "/", "%"), tie("number"))
          .map(([left, operator, right]) => `${left} ${operator} ${right}`),
        tie("number").map((inner) => `(${inner})`),
        fc.nat(9).map((number) => `-${number}`),
        fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 4 }).map((text) => `"${text}".length`),
      ),
      expression: fc.oneof(
        tie("number"),
        fc
          .tuple(tie("number"), fc.constantFrom("<", ">", "<=", ">=", "===", "!=="), tie("number"))
          .map(([left, operator, right]) => `${left} ${operator} ${right}`),
        fc
          .tuple(tie("number"), fc.constantFrom("&&", "||"), tie("number"))
          .map(([left, operator, right]) => `${left} ${operator} ${right}`),
      ),
    }));
    fc.assert(
      fc.property(expression, (text) => {
        const expected = new Function(`return (${text});`)() as number | boolean;
        const found = script(text);
        const tokens = text.match(/\d+|"\w*"|\w+|[^\s\w"]{1,3}/g)?.length ?? 0;
        // Divisions, which may be by zero, and expressions that are too long need not be evaluated.
        if (!Number.isFinite(Number(expected)) || /[/%]/.test(text) || tokens > 40) {
          expect([undefined, expected]).toContainEqual(found);
        } else expect([text, found]).toEqual([text, expected]);
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["6 / 3", 2],
    ["7 % 4", 3],
    ["1_000 + 1", 1001],
    ["true", true],
    ["false", false],
    ["!false", true],
    ["!0", true],
    ["1 == 1", true],
    ["1 != 1", false],
    ['"a" + "b"', "ab"],
    ['"a" === "b"', false],
    ['"abc"[1]', "b"],
    ['"abc".charAt(2)', "c"],
    ['"abc".length', 3],
    ['"abc".size', 3],
    ['"abc"[5 - 4]', "b"],
    ['("a" + "bc").length', 3],
    ["0 || 5", 5],
    ["0 && 5", 0],
    ["2 > 1 && 3 > 2", true],
    ["1 < 1", false],
    ["1 <= 1", true],
    ["1 > 1", false],
    ["1 >= 1", true],
    ["2 + 3 * 4", 14],
    ["- - 2", 2],
    ["!true || 1", 1],
    ["'abc'.Length", 3],
    ["'abc'.length - 1", 2],
    ["'abc'.charAt(1) + 'd'", "bd"],
    ["'abc'[0][0]", "a"],
    ["TRUE", true],
    ["False", false],
    [Array(30).fill("1").join(" + "), 30],
    [`-${Array(30).fill("1").join(" + ")}`, 28],
  ])("%s is %j", (expression, value) => expect(script(expression)).toBe(value));

  it.each([
    ["not True", false],
    ['"a" in "abc"', true],
    ['"z" in "abc"', false],
    ['"z" not in "abc"', true],
    ['"a" not in "abc"', false],
    ["True and False", false],
    ["0 or 3", 3],
    ['len("abc")', 3],
    ['len("abc") + 1', 4],
  ])("%s is %j in Python", (expression, value) => expect(python(expression)).toBe(value));

  it.each([
    "1 / 0",
    "1 % 0",
    "a",
    "a + 1",
    "1 + a",
    "f(1)",
    "null",
    "-true",
    "-'a'",
    "1 + 'a'",
    "'a' - 'b'",
    "'abc'['a']",
    "5[0]",
    "'abc'[9]",
    "'abc'.trim()",
    "'abc'.other",
    "a.length",
    "(1 + a)",
    "(1, 2)",
    "[1]",
    "{}",
    "1 2",
    "5.length",
    "'abc'[0, 1]",
    "'abc'[0 1]",
    "'abc'.charAt(0, 1)",
    "'abc'.charAt",
    "'abc'.at(0)",
    "f('a')[0]",
    "1 +",
    "- ",
    "1 < 'a'",
    "'a' * 2",
    "true + 1",
    Array(31).fill("1").join(" + "),
  ])("%s is not constant", (expression) => expect(script(expression)).toBeUndefined());

  it.each([
    '1 in "abc"',
    '"a" in 5',
    "len(5)",
    'max("a")',
    "None",
    '"abc"[0:2]',
    '"abc"[1:]',
    'len("a" "bc")',
    'len("abc", 1)',
    'length("abc")',
    "not a",
  ])("%s is not constant in Python", (expression) => expect(python(expression)).toBeUndefined());
});

describe("a name with a constant value", () => {
  it("is resolved if a single definition in the same function reaches it", () => {
    expect(workedOut("const a = 2;\nconst b = a * 3;\nconst x = b + 1;")).toBe(7);
    expect(workedOut("let a = 2;\nif (b) a = 3;\nconst x = a;")).toBeUndefined();
    expect(workedOut("let a = 2;\na = 3;\nconst x = a;")).toBe(3);
    expect(workedOut("const a = 2;\nfunction f() {\n  const x = a;\n}")).toBeUndefined();
    expect(workedOut("function f() {\n  const a = 2;\n  const x = a;\n}")).toBe(2);
    expect(workedOut("function f(a) {\n  const x = a;\n}")).toBeUndefined();
    expect(workedOut("const a = a;\nconst x = a;")).toBeUndefined();
  });

  it("is resolved through at most six names", () => {
    const chain = (length: number) =>
      `const a0 = 1;\n${Array.from({ length }, (_, at) => `const a${at + 1} = a${at};\n`).join("")}const x = a${length};`;
    expect(workedOut(chain(5))).toBe(1);
    expect(workedOut(chain(6))).toBeUndefined();
  });
});
