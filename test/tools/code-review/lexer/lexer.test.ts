import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LANGUAGES, languageOf } from "../../../../src/tools/code-review/language/language.ts";
import { lex } from "../../../../src/tools/code-review/lexer/lexer.ts";
import { lexisOf } from "../../../../src/tools/code-review/lexer/lexis.ts";

const read = (path: string, text: string) => lex(text, lexisOf(path, languageOf(path)));
const strings = (path: string, text: string) =>
  read(path, text)
    .tokens.filter(({ kind }) => kind === "string")
    .map((token) => token.text);
const words = (path: string, text: string) =>
  read(path, text)
    .tokens.filter(({ kind }) => kind === "word")
    .map((token) => token.text);
const comments = (path: string, text: string) =>
  read(path, text).comments.map((comment) => comment.text.trim());

describe("strings", () => {
  it.each([
    ["a.ts", String.raw`f("a\"b", 'c')`, [String.raw`a\"b`, "c"]],
    ["a.py", `x = """a\n"b" """ + r"\\d"`, ['a\n"b" ', "\\d"]],
    ["a.go", 'x := `a"\\` + "b"', ['a"\\', "b"]],
    ["a.cs", 'x = @"a""b\\" + "c"', ['a""b\\', "c"]],
    ["a.rs", `let x = r#"a"b"#; fn f<'a>(y: &'a str) {}`, ['a"b']],
    ["a.sh", `echo 'a\\' "b"`, ["a\\", "b"]],
  ])("end by the rules of their language, in %s: %s", (path, text, expected) => {
    expect(strings(path, text)).toEqual(expected);
  });

  it.each([
    ["a.ts", "x = `a ${b(`c ${d}`)} e`", ["x", "b", "d"]],
    ["a.py", 'x = f"a {b} {{c}} {d!r}"', ["x", "b", "d", "r"]],
    ["a.rb", 'x = "a #{b} c"', ["x", "b"]],
    ["a.php", '$x = "a $b {$c->d}";', ["$x", "$b", "$c", "d"]],
    ["a.cs", 'x = $"a {b} c";', ["x", "b"]],
    ["a.kt", 'x = "a $b ${c}"', ["x", "b", "c"]],
  ])("contain interpolated code, in %s: %s", (path, text, expected) => {
    expect(words(path, text)).toEqual(expected);
  });

  it("that do not end on their line are skipped, and the next line is read", () => {
    expect(words("a.ts", "it's = broken\nnext = 1")).toContain("next");
  });
});

describe("comments", () => {
  it.each([
    ["a.ts", 'x = "//no"; // yes\n/* and\nthis */ y', ["yes", "and\nthis"]],
    ["a.py", "x = '#no' # yes", ["yes"]],
    ["a.sh", 'echo "${#x}" a#b # yes', ["yes"]],
    ["a.php", "$x = 1; # one\n// two", ["one", "two"]],
    ["a.html", "<!-- yes --> <p>no", ["yes"]],
    ["a.yml", "a: b#c # yes", ["yes"]],
    ["a.ts", "`${a /* b */ // c", ["b", "c"]],
    ["a.rb", "x = <<~AB # b\n#{c # d\n}\nAB\n", ["b", "d"]],
  ])("are distinguished from lookalikes, in %s: %s", (path, text, expected) => {
    expect(comments(path, text)).toEqual(expected);
  });
});

it("lex() distinguishes a regular expression from a division", () => {
  const kinds = (text: string) =>
    read("a.ts", text).tokens.flatMap((token) => (token.kind === "regex" ? [token.text] : []));
  expect(kinds('x = /a[/]"/g.test(y)')).toEqual(['/a[/]"/g']);
  expect(kinds("x = a / b / c; return /d/")).toEqual(["/d/"]);
});

it.each([
  ["= /[ ( /a]/", ["/[ ( /a]/"]],
  ["= /[ = /b/", ["/b/"]],
  ["= /[ = /[b = /c/", ["/c/"]],
  ["= /[ = /b[c]/", ["/[ = /b[c]/"]],
  ["= /[ = /b/\n= /c[d]/", ["/b/", "/c[d]/"]],
  ["(/[] + (/]/)", ["/[] + (/"]],
])("lex() reads a regular expression from %j only if it ends on its line", (text, expected) => {
  const found = read("a.ts", text).tokens.filter(({ kind }) => kind === "regex");
  expect(found.map((token) => token.text)).toEqual(expected);
});

it("lex() reads a line of 200,000 unterminated regular expressions", () => {
  expect(read("a.ts", "/[".repeat(200_000)).tokens).toHaveLength(400_000);
});

it("lex() reads on from an unterminated regular expression without reading its line again", () => {
  const readsOf = (text: string) => {
    let reads = 0;
    const counted = new Proxy(Object(text), {
      get(target, key) {
        reads++;
        const value = target[key];
        return typeof value === "function" ? value.bind(text) : value;
      },
    });
    expect(read("a.ts", counted).tokens).toHaveLength(text.length);
    return reads;
  };
  const [few, many] = [readsOf("/[".repeat(500)), readsOf("/[".repeat(5_000))];
  expect(many).toBeLessThan(11 * few);
});

it("lex() pairs brackets even if some are missing", () => {
  const { tokens } = read("a.ts", "f(a[1], { b: (c) })) ]");
  expect(tokens[1]?.partner).toBe(tokens.findLastIndex(({ text }) => text === "}") + 1);
  expect(tokens.at(-1)?.partner).toBe(-1);
});

it("lex() reads arbitrary text without failing and gives words their true positions", () => {
  const piece = fc.constantFrom(
    "`",
    "${",
    "}",
    '"',
    "'",
    '"""',
    "/*",
    "*/",
    "//",
    "#{",
    "<<EOF\n",
    'R"(',
    "\\",
    "(",
    ")",
    "\n",
    'f"',
    "{",
    "$(",
    "a",
    " ",
    "=begin\n",
  );
  fc.assert(
    fc.property(
      fc.array(fc.oneof(piece, fc.string({ maxLength: 4 })), { maxLength: 60 }),
      fc.constantFrom(...LANGUAGES),
      (pieces, language) => {
        const text = pieces.join("");
        const lines = text.split("\n");
        const { tokens } = lex(text, lexisOf("x", language));
        for (const { line, column, kind, text: word } of tokens) {
          if (kind !== "word") continue;
          expect(lines[line]?.startsWith(word, column)).toBe(true);
        }
      },
    ),
  );
});

it("lex() reads deep nesting without a stack overflow", () => {
  for (const piece of ["(", "`${", "{[", '"#{', "f'{"]) {
    for (const path of ["a.ts", "a.rb", "a.py", "a.cs"]) {
      expect(() => read(path, piece.repeat(5_000))).not.toThrow();
    }
  }
});
