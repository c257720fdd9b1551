import { expect, it } from "vitest";
import {
  definitionsOf,
  membersOf,
} from "../../../../src/tools/code-review/syntax/definitions/definitions.ts";
import type { Range } from "../../../../src/tools/code-review/syntax/range.ts";
import { textExpressionsOf } from "../../../../src/tools/code-review/syntax/text-expression.ts";
import { fragmentOf } from "../cases.ts";

const functions = (path: string, code: string) =>
  fragmentOf(path, code).names.functions.map(
    ({ name = "", parameters }) => `${name}(${parameters.map(({ name }) => name).join(", ")})`,
  );
const calls = (path: string, code: string) => fragmentOf(path, code).calls.map(({ path }) => path);
const definitions = (path: string, code: string) => {
  const fragment = fragmentOf(path, code);
  return definitionsOf(fragment, []).map(({ kind, name }) => `${kind} ${name}`);
};

/** Returns a type of `length` tokens. */
const written = (length: number) =>
  (length % 2 === 1 ? "A" : "! A") + " | A".repeat(Math.floor((length - 1) / 2));

/** Results for code with the largest number of tokens that is read, and with one more. */
it.each<[what: string, read: (length: number) => string[], last: number, within: string[], beyond: string[]]>(
  [
    [
      "a return type",
      (length) => functions("a.ts", `function f(a): ${written(length)} {}`),
      22,
      ["f(a)"],
      [],
    ],
    [
      "type parameters",
      (length) => functions("a.ts", `function f<${written(length)}>(a) {}`),
      20,
      ["f(a)"],
      [],
    ],
    [
      "a method's type",
      (length) => functions("a.ts", `class B { m(a): ${written(length)} {} }`),
      21,
      ["m(a)"],
      [],
    ],
    [
      "what a method throws",
      (length) => functions("A.java", `class B { void m(int a) throws ${written(length)} {} }`),
      21,
      ["m(a)"],
      [],
    ],
    [
      "the type of what is assigned to a function",
      (length) => functions("a.scala", `def f(a: B): ${written(length)} = Action { c }`),
      22,
      ["f(a)"],
      [],
    ],
    [
      "what stands between a question mark and a call",
      (length) => functions("a.ts", `x ? ${written(length)} + f(a) : { b };`),
      5,
      [],
      ["f(a)"],
    ],
    [
      "what stands before a def",
      (length) => functions("a.py", `${written(length)} def f(a): b`),
      100,
      ["f(a)"],
      [],
    ],
    [
      "type arguments of a call",
      (length) => calls("a.ts", `parse<${written(length)}>(a);`),
      13,
      ["parse"],
      [],
    ],
    [
      "parts of a path",
      (length) => calls("a.ts", `a${".b".repeat(length - 1)}(c);`),
      40,
      [`a${".b".repeat(39)}`],
      [".b".repeat(40)],
    ],
    [
      "what stands before the name that is filled",
      (length) => definitions("A.cs", `x.TryParse(${written(length)}, out var b);`),
      59,
      ["assign b"],
      [],
    ],
  ],
)("the parser applies the token limit to %s", (_, read, last, within, beyond) => {
  expect([read(last), read(last + 1)]).toEqual([within, beyond]);
});

it("membersOf() reads a list after a type of at most seven tokens", () => {
  const members = (length: number) => {
    const fragment = fragmentOf("a.go", `x(${written(length)} { b, c })`);
    return membersOf(fragment, fragment.calls[0]?.args[0] as Range).length;
  };
  expect([members(7), members(8)]).toEqual([2, 0]);
});

it("textExpressionsOf() joins a C format string after a buffer of at most nine tokens", () => {
  const isJoined = (length: number) =>
    textExpressionsOf(fragmentOf("a.c", `snprintf(${written(length)}, "b %s", c);`)).map(
      ({ joined }) => joined,
    );
  expect([isJoined(9), isJoined(10)]).toEqual([[true], [false]]);
});

it("an arrow function is read with a return type of at most 17 tokens", () => {
  const named = (parts: number) => functions("a.ts", `const f = (a): A${" | A".repeat(parts)} => b;`);
  expect([named(8), named(9)]).toEqual([["f(a)"], []]);
});
