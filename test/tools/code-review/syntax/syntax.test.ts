import { describe, expect, it } from "vitest";
import {
  definitionsOf,
  membersOf,
} from "../../../../src/tools/code-review/syntax/definitions/definitions.ts";
import type { Fragment } from "../../../../src/tools/code-review/syntax/fragment.ts";
import { objectOf, optionsIn, optionsOf } from "../../../../src/tools/code-review/syntax/options.ts";
import type { Range } from "../../../../src/tools/code-review/syntax/range.ts";
import { statementEnd, statementStart } from "../../../../src/tools/code-review/syntax/statements.ts";
import { textExpressionsOf } from "../../../../src/tools/code-review/syntax/text-expression.ts";
import { fragmentOf } from "../cases.ts";

const textOf = (fragment: Fragment, { from, to }: Range) =>
  fragment.tokens
    .slice(from, to)
    .map(({ text }) => text)
    .join(" ");

describe("a definition", () => {
  const of = (path: string, code: string) => {
    const fragment = fragmentOf(path, code);
    return definitionsOf(fragment, fragment.names.functions).map(({ kind, name, value, key }) =>
      [kind, name, textOf(fragment, value), ...(key ? [`under ${textOf(fragment, key)}`] : [])].join(" | "),
    );
  };

  it.each<[string, string, string[]]>([
    ["a.ts", "const a = b + 1;", ["assign | a | b + 1"]],
    ["a.ts", "let a: string = b;", ["assign | a | b"]],
    ["a.ts", "let a: Map<string, Set<b>> = c;", ["assign | a | c"]],
    ["a.ts", "this.key = b;", ["assign | this.key | b"]],
    ["a.ts", "a.b.c = d, e;", ["assign | a.b.c | d"]],
    ["a.ts", "const { a, b: c, ...d } = e;", ["assign | a | e", "assign | c | e", "assign | d | e"]],
    ["a.ts", "const [a, [b]] = c;", ["assign | a | c", "assign | b | c"]],
    ["a.ts", 'a["k"] = b;', ["member | a | b | under k"]],
    ["a.ts", "a += b;\nc ||= d;\ne ??= f;", ["add | a | b", "add | c | d", "add | e | f"]],
    ["a.ts", "a.b += c;", ["add | a.b | c"]],
    ["a.ts", "list.push(a, b);", ["add | list | a , b"]],
    ["a.ts", 'map.set("k", v);', ["member | map | v | under k"]],
    ["a.ts", "set.add(v);", ["add | set | v"]],
    ["a.ts", "list.pop();\nlist.shift(1);", ["drop | list |  | under ", "drop | list |  | under 1"]],
    ["a.ts", "push(a);\nother.call(b);", []],
    ["a.ts", "for (const a of b) {}", ["each | a | b"]],
    ["a.ts", "for (const a in b) {}", ["each | a | b"]],
    ["a.ts", "list.map((a) => a);", ["each | a | list"]],
    ["a.ts", "f().list.filter(async (a) => a);", ["each | a | f ( ) . list"]],
    ["a.ts", "list.other((a) => a);", ["parameter | a | "]],
    ["a.ts", "function f(b = 1) {}", ["assign | b | 1", "parameter | b | "]],
    ["a.py", "a = b", ["assign | a | b"]],
    ["a.py", "a: str = b", ["assign | a | b"]],
    ["a.py", "a, b = f()", ["assign | a | f ( )", "assign | b | f ( )"]],
    ["a.py", 'a["k"] = b', ["member | a | b | under k"]],
    ["a.py", "for a, b in c:\n    pass", ["each | a | c", "each | b | c"]],
    ["a.py", "a.append(b)\na.pop(0)", ["add | a | b", "drop | a |  | under 0"]],
    ["a.py", "def f(b: str = c):\n    pass", ["assign | b | c", "parameter | b | "]],
    ["a.go", "a, err := f()", ["assign | a | f ( )", "assign | err | f ( )"]],
    ["A.java", "String a = b;", ["assign | a | b"]],
    ["A.java", "List<String> a = b;", ["assign | a | b"]],
    ["A.java", "String[] a = b;", ["assign | a | b"]],
    ["A.java", "for (String a : b) {}", ["each | String | b", "each | a | b"]],
    ["A.java", 'map.put("k", v);', ["member | map | v | under k"]],
    ["a.rb", "xs.each do |a, b|\nend", ["each | a | xs . each", "each | b | xs . each"]],
    ["a.rb", "xs.map { |a| a }", ["each | a | xs . map"]],
    ["a.rb", "a << b", ["add | a | b"]],
    ["a.php", "<?php\nforeach ($a as $b) {}", ["each | $b | $a"]],
    ["a.php", "<?php\n$a[] = $b;", ["add | $a | $b | under "]],
  ])("is read in %s: %s", (path, code, expected) =>
    expect(of(path, code).sort()).toEqual(expected.toSorted()),
  );
});

describe("membersOf()", () => {
  const of = (path: string, code: string) => {
    const fragment = fragmentOf(path, code);
    const from = (fragment.words.get("x")?.[0] as number) + 2;
    const to = statementEnd(fragment, from);
    return membersOf(fragment, { from, to }).map((range) => textOf(fragment, range));
  };

  it.each<[string, string, string[]]>([
    ["a.ts", "x = [a, f(b, c), d];", ["a", "f ( b , c )", "d"]],
    ["A.java", "x = new String[] {a, b};", ["a", "b"]],
    ["A.java", "x = Arrays.asList(a, b);", ["a", "b"]],
    ["A.java", "x = List.of(a);", ["a"]],
    ["A.java", "x = List.from(a);", []],
    ["a.php", "<?php\nx = array($a, $b);", ["$a", "$b"]],
    ["a.ts", "x = [a, b].join();", []],
    ["a.ts", "x = [];", []],
    ["a.ts", "x = {a};", []],
    ["a.ts", "x = a;", []],
  ])("reads the list in %s: %s", (path, code, expected) => expect(of(path, code)).toEqual(expected));
});

describe("a statement", () => {
  /** Returns the first and last token of the statement around the word `x`. */
  const around = (path: string, code: string) => {
    const fragment = fragmentOf(path, code);
    const at = fragment.words.get("x")?.[0] as number;
    return [statementStart(fragment, at), statementEnd(fragment, at)].map((index) => fragment.text(index));
  };

  it.each<[string, string, string, string]>([
    ["a.ts", "a;\nb + x + c;\nd;", "b", ";"],
    ["a.ts", "a\nb + x\nc", "b", "c"],
    ["a.ts", "a\nb +\n x\n + c\nd", "b", "d"],
    ["a.ts", "a\nb\n .x\n .c()\nd", "b", "d"],
    ["a.ts", "a\nb = f(\n x\n)\nd", "b", ")"],
    ["a.ts", "if (a) {\n b x c\n}", "b", "}"],
    ["a.ts", "a\nb ? x\n : c\nd", "b", "d"],
    ["a.ts", "f(\n a) + x\nd", "f", "d"],
    ["a.ts", 'a\n"+"\nx\nd', "x", "d"],
    ["a.py", "a +\nb x\nc", "b", "c"],
    ["a.py", "a\nb + \\\n  x\nc", "x", "c"],
  ])("in %s: %j begins with %s and ends before %s", (path, code, first, behind) => {
    expect(around(path, code)).toEqual([first, behind]);
  });
});

describe("options of a call", () => {
  const inCall = (path: string, code: string) => {
    const fragment = fragmentOf(path, code);
    const call = fragment.callsNamed("f")[0];
    return optionsOf(fragment, call?.args ?? []).map(
      ({ name, at, value }) => `${name}@${fragment.text(at)}: ${textOf(fragment, value)}`,
    );
  };

  it.each<[string, string, string[]]>([
    ["a.ts", 'f({ a: 1, "b": g(c, d), e });', ["a@a: 1", "b@b: g ( c , d )"]],
    ["a.ts", "const o = { a: 1 };\nf(o);", ["a@a: 1"]],
    ["a.ts", "const o = g();\nf(o);", []],
    ["a.ts", "this.o = { a: 1 };\nf(this.o);", ["a@a: 1"]],
    ["a.py", "f(x, a=1, b=True)", ["a@a: 1", "b@b: True"]],
    ["a.rb", "f(a: 1, :b => 2, 'c' => 3)", ["a@a: 1", "b@b: 2", "c@c: 3"]],
    ["a.php", "<?php\nf(['a' => 1]);", ["a@a: 1"]],
    ["a.ts", "f(a, 1, g());", []],
    ["a.ts", "f({ a: { b: 1 } });", ["a@a: { b : 1 }"]],
    ["a.ts", "f([{ a: 1 }, b]);", []],
    ["a.ts", "const o = [{ a: 1 }];\nf(o);", []],
  ])("are read in %s: %s", (path, code, expected) => expect(inCall(path, code)).toEqual(expected));

  it("come from the members of an object, not from a list or a name", () => {
    const fragment = fragmentOf("a.ts", "f({ a: 1 }, [b], c);");
    const [object, list, name] = (fragment.callsNamed("f")[0]?.args ?? []) as unknown as [
      Range,
      Range,
      Range,
    ];
    expect(optionsIn(fragment, objectOf(fragment, object) as Range)).toHaveLength(1);
    expect(textOf(fragment, objectOf(fragment, list) as Range)).toBe("b");
    expect(optionsIn(fragment, objectOf(fragment, list) as Range)).toEqual([]);
    expect(objectOf(fragment, name)).toBeUndefined();
  });
});

describe("a text expression", () => {
  const of = (path: string, code: string) => {
    const fragment = fragmentOf(path, code);
    return textExpressionsOf(fragment).map((found) => [found.text, found.joined, textOf(fragment, found)]);
  };

  it.each<[string, string, unknown[]]>([
    ["a.ts", 'x = "a";', [["a", false, "a"]]],
    ["a.ts", 'x = "a" + b + "c";', [["a ? c", true, "a + b + c"]]],
    ["a.ts", 'x = b + "a";', [[" ? a", true, "b + a"]]],
    ["a.ts", "x = `a ${b} c`;", [["a  ?  c", true, "“ a  ⟨ b ⟩  c ”"]]],
    ["a.ts", 'x = f(b).c[0] + "a";', [[" ?  ?  ? a", true, "f ( b ) . c [ 0 ] + a"]]],
    ["a.ts", 'x = -b + "a";', [[" ? a", true, "b + a"]]],
    ["a.ts", 'x = "a".concat(b);', [["a ?  ? ", true, "a . concat ( b )"]]],
    [
      "a.ts",
      'f("a", "b");',
      [
        ["a", false, "a"],
        ["b", false, "b"],
      ],
    ],
    ["a.py", 'x = "a" "b"', [["ab", false, "a b"]]],
    ["a.py", 'x = "a %s" % b', [["a %s ? ", true, "a %s % b"]]],
    ["a.py", 'x = "a {}".format(b)', [["a {} ?  ? ", true, "a {} . format ( b )"]]],
    ["a.go", 'x := fmt.Sprintf("a %s", b)', [["a %s", true, "a %s , b"]]],
    ["a.go", 'x := fmt.Println("a", b)', [["a", false, "a"]]],
    ["a.php", '<?php\n$x = "a" . $b;', [["a ? ", true, "a + $b"]]],
    ["a.lua", 'x = "a" .. b', [["a ? ", true, "a .. b"]]],
    ["a.c", 'sprintf(buffer, "a %s", b);', [["a %s", true, "a %s , b"]]],
    ["a.c", 'puts(buffer, "a %s", b);', [["a %s", false, "a %s"]]],
    ["a.rs", 'let x = format!("a {}", b);', [["a {}", true, "a {} , b"]]],
  ])("is read in %s: %s", (path, code, expected) => expect(of(path, code)).toEqual(expected));
});
