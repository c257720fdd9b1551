import { describe, expect, it } from "vitest";
import { languageOf } from "../../../../src/tools/code-review/language/language.ts";
import { textBeforeCode } from "../../../../src/tools/code-review/lexer/hunk-start.ts";
import { lex } from "../../../../src/tools/code-review/lexer/lexer.ts";
import { lexisOf } from "../../../../src/tools/code-review/lexer/lexis.ts";

const lexisFor = (path: string) => lexisOf(path, languageOf(path));
const tokens = (path: string, text: string) => lex(text, lexisFor(path)).tokens;
const kinds = (path: string, text: string) => tokens(path, text).map(({ kind, text }) => `${kind} ${text}`);
const ofKind = (kind: string, path: string, text: string) =>
  tokens(path, text).flatMap((token) => (token.kind === kind ? [token.text] : []));
const words = (path: string, text: string) => ofKind("word", path, text);
const strings = (path: string, text: string) => ofKind("string", path, text);
const comments = (path: string, text: string) => lex(text, lexisFor(path)).comments.map(({ text }) => text);

describe("a slash", () => {
  it.each(["return", "typeof", "case", "in", "of", "when", "if", "unless", "and", "or", "not"])(
    "after %s begins a regular expression",
    (word) => expect(kinds("a.rb", `${word} /b"c/`)).toEqual([`word ${word}`, 'regex /b"c/']),
  );

  it.each(["a", "1", '"a"', "/a/", "(a)", "[a]", "{a}"])("after %s is a division", (before) => {
    const found = kinds("a.ts", `${before} / b / c`);
    expect(found.slice(-4)).toEqual(["mark /", "word b", "mark /", "word c"]);
  });

  it("in a tag begins no regular expression", () => {
    expect(ofKind("regex", "a.tsx", "<a></a><b /> c / d")).toEqual([]);
    expect(ofKind("regex", "a.tsx", "x = (/> d/)")).toEqual([]);
  });

  it("begins no regular expression if it is unterminated or in another language", () => {
    expect(ofKind("regex", "a.ts", "x = /a\n/b")).toEqual([]);
    expect(ofKind("regex", "a.ts", "x = /a\\")).toEqual([]);
    expect(ofKind("regex", "a.py", "x = /a/")).toEqual([]);
  });
});

describe("a number", () => {
  it.each([
    ["1.5.6", ["1.5.6"]],
    ["1_000n", ["1_000n"]],
    ["1.toFixed", ["1"]],
    ["1.", ["1"]],
    ["a1", []],
    ["0.5", ["0.5"]],
    [".5", ["5"]],
  ])("is read from %s as %j", (text, expected) => expect(ofKind("number", "a.ts", text)).toEqual(expected));
});

describe("brackets", () => {
  const partners = (text: string) => tokens("a.ts", text).map(({ partner }) => partner);

  it("are paired up to a nesting depth of 200", () => {
    expect(partners("(".repeat(200) + ")".repeat(200))[0]).toBe(399);
    const deeper = partners("(".repeat(201) + ")".repeat(201));
    expect([deeper[0], deeper[401], deeper[1], deeper[400]]).toEqual([-1, -1, 400, 1]);
  });

  it("are limited by their nesting depth, not by their number", () => {
    expect(partners(`(${"()".repeat(300)})`)[0]).toBe(601);
    const beside = partners(`(${"(".repeat(200)}${")".repeat(200)}())`);
    expect([beside[0], beside.at(-1), beside.at(-2)]).toEqual([-1, -1, 401]);
  });

  it("are paired across two unclosed brackets, but not across three", () => {
    expect(partners("([{)")).toEqual([3, -1, -1, 0]);
    expect(partners("([{[)")).toEqual([-1, -1, -1, -1, -1]);
  });
});

describe("string interpolation", () => {
  it("is code up to six strings deep, and text beyond", () => {
    const nested = (depth: number): string => (depth === 0 ? "x" : `\`\${${nested(depth - 1)}}\``);
    expect(words("a.ts", nested(6))).toEqual(["x"]);
    expect(words("a.ts", nested(7))).toEqual([]);
    expect(strings("a.ts", nested(7))).toEqual(["${x}"]);
  });

  it.each<[path: string, text: string, words: string[], strings: string[]]>([
    ["a.sh", '"$* $1 $@ $- $ $a1"', ["$*", "$1", "$@", "$a1"], [" ", " ", " $- $ "]],
    ["a.kt", '"$5 $_a $* $b9"', ["_a", "b9"], ["$5 ", " $* "]],
    ["a.kts", '"$a"', ["a"], []],
    ["a.scala", '"$a"', ["a"], []],
    ["a.groovy", '"$a"', ["a"], []],
    ["a.gradle", '"$a"', ["a"], []],
    ["A.java", '"$a ${b}"', [], ["$a ${b}"]],
    ["a.php", '<?php "{ $a} \\$b $5"', ["$a"], ["{ ", "} \\$b $5"]],
    ["a.php", "<?php `ls $a`", ["$a"], ["ls "]],
    ["a.rb", "%x[ls #{a}]", ["a"], ["ls "]],
    ["a.rb", "%x{ls #{a}}", ["a"], ["ls "]],
    ["a.rb", "'#{a}'", [], ["#{a}"]],
    ["a.rb", '"# {a} #b"', [], ["# {a} #b"]],
    ["a.cs", '@$"a""{b}{{c}}"', ["b"], ['a""', "{{c}}"]],
    ["a.cs", '@"{a}"', [], ["{a}"]],
    ["a.py", 'fr"\\{a}"', ["a"], ["\\"]],
    ["a.py", 'RF"\\{a}"', ["a"], ["\\"]],
    ["a.py", 'F"{a}" t"{b}"', ["a", "b"], []],
    ["a.py", 'br"\\" u"{a}" b"{b}"', [], ["\\", "{a}", "{b}"]],
    ["a.rs", 'format!("{} {a} {b:?} {0} {{c}}")', ["format", "a", "b"], ["{} ", " ", " {0} {{c}}"]],
    ["a.rs", 'write!(to, "{a}")', ["write", "to", "a"], []],
    ["a.rs", 'assert_eq!(b, "{a}")', ["assert_eq", "b", "a"], []],
    ["a.rs", 'reformat!("{a}")', ["reformat"], ["{a}"]],
    ["a.rs", 'formats!("{a}")', ["formats"], ["{a}"]],
    ["a.rs", 'format("{a}")', ["format"], ["{a}"]],
    ["a.rs", '"{a}"', [], ["{a}"]],
    ["Dockerfile", 'RUN "$a ${b} $(c)"', ["RUN", "$a", "b", "c"], [" ", " "]],
    ["a.yml", 'a: "$b ${c}"', ["a"], ["$b ${c}"]],
  ])("is read in %s: %s", (path, text, ownWords, ownStrings) => {
    expect(words(path, text)).toEqual(ownWords);
    expect(strings(path, text)).toEqual(ownStrings);
  });
});

describe("a string", () => {
  it.each<[path: string, text: string, strings: string[]]>([
    ["a.rb", "%w[a b] %i(c) %q{d} %w(e\nf)", ["a b", "c", "d", "e\nf"]],
    ["a.rb", "'a\nb' \"c\nd\"", ["a\nb", "c\nd"]],
    ["a.rb", "`a\nb`", []],
    ["a.ts", "'a\nb'", []],
    ["a.py", "'a\nb'", []],
    ["a.php", "<?php 'a\nb'", ["a\nb"]],
    ["a.sh", "'a\nb' \"c\nd\"", ["a\nb", "c\nd"]],
    ["a.sh", "'\\'", ["\\"]],
    ["a.go", "`a\nb`", ["a\nb"]],
    ["a.go", '"a\nb"', []],
    ["a.rs", '"a\nb"', ["a\nb"]],
    ["a.rs", 'r#"a\n"b\\"#', ['a\n"b\\']],
    ["a.rs", 'r"\\" br"\\" b"\\""', ["\\", "\\", '\\"']],
    ["a.rs", "'a' '\\n' '\\u{10FFFF}'", ["a", "\\n", "\\u{10FFFF}"]],
    ["a.rs", "'ab'", ["ab"]],
    ["a.rs", "'abc'", []],
    ["a.rs", "'\\u{10FFFFF}'", []],
    ["a.cs", '@"a\nb" $@"c\nd" @$"e\nf"', ["a\nb", "c\nd", "e\nf"]],
    ["a.cs", '"""a\n"b\\""" """', ['a\n"b\\""" ']],
    ["a.cs", '$"a\nb"', []],
    ["a.cs", '$"""a\n"b" """', ['a\n"b" ']],
    ["a.cpp", 'R"(a\n"b\\)" L"c" u8"d" u"e" U"f"', ['a\n"b\\', "c", "d", "e", "f"]],
    ["A.java", '"""a\n"b" """', ['a\n"b" ']],
    ["a.kt", '"""a\n"b" """', ['a\n"b" ']],
    ["a.yml", "'a''b' 'c\\'", ["a''b", "c\\"]],
  ])("has the quotes and line breaks of its language, in %s: %j", (path, text, expected) =>
    expect(strings(path, text)).toEqual(expected),
  );

  it.each<[text: string, strings: string[], rest: string[]]>([
    ["cat <<EOF\nEOFX\n XEOF\nEOF\nb", ["\nEOFX\n XEOF"], ["cat", "b"]],
    ["cat <<EOF\nEOFX\nEOF", ["\nEOFX"], ["cat"]],
    ["cat <<EOF\n$a\nEOF_$b\nEOF\nc", ["\n", "\nEOF_"], ["cat", "$a", "$b", "c"]],
    ["cat <<EOF\na\n \tEOF\nb", ["\na"], ["cat", "b"]],
    ["cat <<'EOF'\n$a\nEOF\nb", ["\n$a"], ["cat", "b"]],
    ["cat <<EOF\na", [], ["cat", "EOF", "a"]],
    ["cat <<EOF", [], ["cat", "EOF"]],
    ["cat <<EOF > b\na\nEOF", ["\na"], ["cat", "b"]],
    ["a<<EOF\nb\nEOF", [], ["a", "EOF", "b", "EOF"]],
    ["(a)<<EOF\nb\nEOF", [], ["a", "EOF", "b", "EOF"]],
    ["$a[1]<<EOF\nb\nEOF", [], ["$a", "EOF", "b", "EOF"]],
    ["cat <<'EOF\"\nb\nEOF", [], ["cat", "EOF", "b", "EOF"]],
  ])("is read from a heredoc in a shell: %j", (text, own, rest) => {
    expect(strings("a.sh", text)).toEqual(own);
    expect(words("a.sh", text)).toEqual(rest);
  });
});

it.each<[path: string, text: string, comments: string[]]>([
  ["a.ts", "a /* b", [" b"]],
  ["a.ts", "/*/ a */ b", ["/ a "]],
  ["a.yml", "a\t# b", [" b"]],
  ["a.yml", "#a\n#b", ["a", "b"]],
  ["a.yml", "a#b", []],
  ["a.py", "a#b", ["b"]],
  ["Dockerfile", "a#b #c", ["c"]],
  ["a.html", "<style>/* a */</style>", [" a "]],
  ["a.html", "// a", []],
  ["a.lua", "a -- b\n// c\n# d", [" b", " c", " d"]],
  ["a.java", "# a", []],
  ["a.rb", "a\n=begin\nb\n=end\nc", ["\nb"]],
  ["a.rb", "// a", []],
])("comments of %s follow the syntax of its language: %j", (path, text, expected) => {
  expect(comments(path, text)).toEqual(expected);
});

it.each<[path: string, text: string, words: string[]]>([
  ["a.ts", "$a.#b @c", ["$a", "#b", "c"]],
  ["a.rb", "@a $b", ["@a", "$b"]],
  ["A.java", "@a $b", ["a", "$b"]],
  ["a.swift", "@a $b", ["@a", "$b"]],
  ["a.yml", "@a $b", ["a", "$b"]],
  ["Dockerfile", "@a $b", ["a", "$b"]],
  ["a.html", "@a $b", ["a", "$b"]],
  ["a.go", "@a $b", ["a", "b"]],
])("words of %s start with the characters of its language: %s", (path, text, expected) => {
  expect(words(path, text)).toEqual(expected);
});

/** `¦` marks where code begins. */
it.each<[path: string, text: string]>([
  ["a.ts", " * a\n */\n¦b"],
  ["a.ts", "* a\n* b¦"],
  ["a.ts", "*\n* a\n¦b"],
  ["a.ts", "¦*a\nb"],
  ["a.ts", "*/\n¦* a"],
  ["a.ts", "a\nb */¦\nc"],
  ["a.ts", "a */¦  \nb"],
  ["a.ts", "a */¦"],
  ["a.ts", "¦a */ b"],
  ["a.ts", "¦a /* b */\nc"],
  ["a.ts", "a */¦\n/* b */"],
  ["a.py", "¦a */\nb"],
  ["a.ts", "a\n  b`¦ c"],
  ["a.ts", "¦a `b` c"],
  ["a.ts", "¦sql`a"],
  ["a.ts", "¦return `a"],
  ["a.ts", "¦a = `b"],
  ["a.ts", "¦f(`b"],
  ["a.ts", "¦a =\n  `b"],
  ["a.ts", "a b`¦ c \\` d"],
  ["a.py", 'a b """¦\nc'],
  ["a.py", "a b '''¦\nc"],
  ["a.py", '"""¦ a'],
  ["a.py", '¦def f():\n    """a'],
  ["a.py", '¦a b "c'],
  ["a.rb", '¦a b "c'],
  ["a.go", "a b`¦\nc"],
])("textBeforeCode() finds where code begins in a hunk of %s: %j", (path, text) => {
  expect(textBeforeCode(text.replace("¦", ""), lexisFor(path))).toBe(text.indexOf("¦"));
});
