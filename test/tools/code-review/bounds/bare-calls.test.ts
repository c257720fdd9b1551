import { expect, it } from "vitest";
import { lexisOf } from "../../../../src/tools/code-review/lexer/lexis.ts";
import { Fragment } from "../../../../src/tools/code-review/syntax/fragment.ts";
import { findingsIn } from "../cases.ts";

it("Ruby calls without brackets are read eight deep, as each reads on to the end of the statement", () => {
  const lines = [{ text: "select ".repeat(100), added: true, number: 1 }];
  const fragment = new Fragment("a.rb", "ruby", lines, lexisOf("a.rb", "ruby"));
  expect(fragment.calls).toHaveLength(8);
});

it("a call within others, and the calls of later statements, are still read", () => {
  const code = `${"a b c d e f g\n".repeat(3)}puts format system "ls #{params[:folder]}"`;
  expect(findingsIn("a.rb", code).map(({ line, rule }) => [line, rule])).toEqual([[4, "command-injection"]]);
});
