import { describe, expect, it } from "vitest";
import { languageOf } from "../../../../src/tools/code-review/language/language.ts";
import { lex } from "../../../../src/tools/code-review/lexer/lexer.ts";
import { lexisOf } from "../../../../src/tools/code-review/lexer/lexis.ts";
import type { Comment, Token } from "../../../../src/tools/code-review/lexer/token.ts";

const read = (path: string, text: string) => lex(text, lexisOf(path, languageOf(path)));

/** Formats a token: words, expressions and brackets verbatim, `"text"`, `#number`, `‹mark›`; `(!` has no partner. */
function shown({ kind, text, partner }: Token): string {
  switch (kind) {
    case "string":
      return JSON.stringify(text);
    case "number":
      return `#${text}`;
    case "mark":
      return `‹${text}›`;
    case "open":
    case "close":
      return partner < 0 ? `${text}!` : text;
    default:
      return text;
  }
}

const shownComment = ({ line, column, endLine, endColumn, text }: Comment) =>
  `${line}:${column}-${endLine}:${endColumn}${text}`;

/** A file, its text, its tokens, and its comments with their places. */
type Case = [path: string, text: string, tokens: string, comments?: string];

const CASES: Case[] = [
  [
    "a.ts",
    "const a = b?.c ?? d[1.5e3] !== 0x1F // e",
    "const a ‹=› b ‹?.› c ‹??› d [ #1.5e3 ] ‹!==› #0x1F",
    "0:36-0:40 e",
  ],
  [
    "a.ts",
    "x ||= y => z >= 1..2; a++ << b ** c",
    "x ‹||=› y ‹=>› z ‹>=› #1 ‹..› #2 ‹;› a ‹++› ‹<<› b ‹**› c",
  ],
  ["a.ts", "`a ${b} c ${`d${e}`}` + ``", '“ "a " ⟨ b ⟩ " c " ⟨ “ "d" ⟨ e ⟩ ” ⟩ ” ‹+› ""'],
  ["a.ts", "`a ${{ b: 1 }} c`", '“ "a " ⟨ { b ‹:› #1 } ⟩ " c" ”'],
  ["a.ts", "`a ${b", "‹`› a $ {! b"],
  ["a.ts", "`a \\${b} \\` c`", '"a \\\\${b} \\\\` c"'],
  ["a.ts", 'f(/a[/"]\\/b/gi, x / 2 / y)', 'f ( /a[/"]\\/b/gi ‹,› x ‹/› #2 ‹/› y )'],
  [
    "a.ts",
    "return /a/.test(b) ? 1 / 2 : (c) / d / e",
    "return /a/ ‹.› test ( b ) ‹?› #1 ‹/› #2 ‹:› ( c ) ‹/› d ‹/› e",
  ],
  ["a.ts", "a = 'it\\'s'; b = 'never\nc = \"d\"", 'a ‹=› "it\\\\\'s" ‹;› b ‹=› ‹\'› never c ‹=› "d"'],
  ["a.ts", "a = 'one\\\ntwo'", 'a ‹=› "one\\\\\\ntwo"'],
  ["a.ts", "this.#key = $el /* b\nc */ + größe", "this ‹.› #key ‹=› $el ‹+› größe", "0:16-1:4 b\nc "],
  ["a.ts", "<p>it's</p>", "‹<› p ‹>› it ‹'› s ‹<› ‹/› p ‹>›"],
  ["a.ts", "f([1, {a}, (b)", "f (! [! #1 ‹,› { a } ‹,› ( b )"],
  ["a.ts", "f(a])", "f ( a ]! )"],
  [
    "a.py",
    'a = f"x {b!r:>{c}} {{d}}" # e',
    'a ‹=› “ "x " ⟨ b ‹!› r ‹:› ‹>› { c } ⟩ " {{d}}" ”',
    "0:26-0:29 e",
  ],
  ["a.py", 'a = rb\'\\\' + u"b" + x"c"', 'a ‹=› "\\\\" ‹+› "b" ‹+› x "c"'],
  ["a.py", "'''a\n'b' ''' if c else \"\"\"d\"\"\"", '"a\\n\'b\' " if c else "d"'],
  ["a.py", 'a = R"\\d\\" # b', 'a ‹=› "\\\\d\\\\"', "0:11-0:14 b"],
  ["a.go", "a := `b\\`\nc <- 'd' // e", 'a ‹:=› "b\\\\" c ‹<-› "d"', "1:9-1:13 e"],
  [
    "a.rb",
    'a = "b #{c[:d]} #e" if f =~ /g/ # h',
    'a ‹=› “ "b " ⟨ c [ ‹:› d ] ⟩ " #e" ” if f ‹=~› /g/',
    "0:32-0:35 h",
  ],
  [
    "a.rb",
    "a = <<~SQL + b\n  SELECT #{c}\n  'd'\nSQL\ne",
    'a ‹=› “ "\\n  SELECT " ⟨ c ⟩ "\\n  \'d\'" ” ‹+› b e',
  ],
  ["a.rb", "a = <<'SQL'\n#{b}\nSQL\nc", 'a ‹=› "\\n#{b}" c'],
  ["a.rb", "a << B\nc\nB", "a ‹<<› B c B"],
  [
    "a.rb",
    "a = %x(ls #{b}) + `c #{d}`\n=begin\ne\n=end\n@f",
    'a ‹=› “ "ls " ⟨ b ⟩ ” ‹+› “ "c " ⟨ d ⟩ ” @f',
    "0:26-3:4\ne",
  ],
  [
    "a.php",
    "<?php $a = \"b $c[d] {$e->f} ${g} $ 5\" . 'h$i'; # j",
    '$a ‹=› “ "b " ⟨ $c ⟩ "[d] " ⟨ $e ‹->› f ⟩ " " ⟨ g ⟩ " $ 5" ” ‹+› "h$i" ‹;›',
    "0:47-0:50 j",
  ],
  ["a.php", "<?php $a .= <<<SQL\nb $c\n  SQL;\n$d = 1;", '$a ‹+=› “ "\\nb " ⟨ $c ⟩ ” ‹;› $d ‹=› #1 ‹;›'],
  [
    "A.java",
    'String a = """\n b "c" """; char d = \'"\'; @E f$g->h;',
    'String a ‹=› "\\n b \\"c\\" " ‹;› char d ‹=› "\\"" ‹;› ‹@› E f $g ‹->› h ‹;›',
  ],
  [
    "a.kt",
    'val a = "b $c ${d.e} $5" + """f\n$g"""',
    'val a ‹=› “ "b " ⟨ c ⟩ " " ⟨ d ‹.› e ⟩ " $5" ” ‹+› “ "f\\n" ⟨ g ⟩ ”',
  ],
  [
    "A.cs",
    'var a = @"b""c\\" + $"d {e} {{f}}" + $@"g""{h}";',
    'var a ‹=› "b\\"\\"c\\\\" ‹+› “ "d " ⟨ e ⟩ " {{f}}" ” ‹+› “ "g\\"\\"" ⟨ h ⟩ ” ‹;›',
  ],
  ["A.cs", 'var a = """b "c" """ + $"""d {e}""";', 'var a ‹=› "b \\"c\\" " ‹+› “ "d " ⟨ e ⟩ ” ‹;›'],
  [
    "a.rs",
    "let a: &'b str = r#\"c\"d\"#; let e = b'\\n'; 'f: loop { '\\u{1F600}'; }",
    'let a ‹:› ‹&› ‹\'› b str ‹=› "c\\"d" ‹;› let e ‹=› "\\\\n" ‹;› ‹\'› f ‹:› loop { "\\\\u{1F600}" ‹;› }',
  ],
  [
    "a.cpp",
    'auto a = R"(b"c)" + L"d" + u8"e"; f::g<h>(i->j);',
    'auto a ‹=› "b\\"c" ‹+› "d" ‹+› "e" ‹;› f ‹::› g ‹<› h ‹>› ( i ‹->› j ) ‹;›',
  ],
  ["a.c", "#define A 1 /* b */\nchar c = '\\'';", '‹#› define A #1 char c ‹=› "\\\\\'" ‹;›', "0:12-0:19 b "],
  [
    "a.sh",
    'a="$b ${c} $(d "e") $1 $@ \\$f" # g\necho a#b \'$h\' $i',
    'a ‹=› “ ⟨ $b ⟩ " " ⟨ c ⟩ " " ⟨ d "e" ⟩ " " ⟨ $1 ⟩ " " ⟨ $@ ⟩ " \\\\$f" ” echo a ‹#› b "$h" $i',
    "0:31-0:34 g",
  ],
  ["a.sh", "cat <<EOF\na $b 'c'\nEOF\nd", 'cat “ "\\na " ⟨ $b ⟩ " \'c\'" ” d'],
  ["a.sh", "cat <<-'EOF'\na $b\n\tEOF\nd", 'cat "\\na $b" d'],
  ["a.yml", "a: 'b''c' # d\ne: \"f\\\"\"#g", 'a ‹:› "b\'\'c" e ‹:› "f\\\\\\"" ‹#› g', "0:10-0:13 d"],
  ["Dockerfile", "RUN a=\"$b\" '\\' # c", 'RUN a ‹=› “ ⟨ $b ⟩ ” "\\\\"', "0:15-0:18 c"],
  [
    "a.html",
    '<!-- a\nb --><p title="c">d\'s</p>',
    '‹<› p title ‹=› "c" ‹>› d ‹\'› s ‹<› ‹/› p ‹>›',
    "0:0-1:5 a\nb ",
  ],
  ["a.swift", 'let a = "b" // c', 'let a ‹=› "b"', "0:12-0:16 c"],
  ["a.lua", "a -- b", "a", "0:2-0:6 b"],
  ["a.txt", "a // b # c", "a ‹/› ‹/› b ‹#› c"],
];

describe("the tokens of a text", () => {
  it.each(CASES)("are as listed, with their comments, in %s: %s", (path, text, tokens, comments = "") => {
    const found = read(path, text);
    expect(found.tokens.map(shown).join(" ")).toBe(tokens);
    expect(found.comments.map(shownComment).join(", ")).toBe(comments);
  });

  it.each(CASES)("have correct positions in %s: %s", (path, text) => {
    const lines = text.split("\n");
    const { tokens } = read(path, text);
    let behind = 0;
    for (const { kind, text: own, line, column, end } of tokens) {
      const start = lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, column);
      if (kind === "word" || kind === "number" || kind === "regex") {
        expect(text.slice(start, end)).toBe(own);
      }
      if (kind === "string") expect(text.slice(start, end)).toContain(own);
      if (kind === "mark") expect(end - start).toBe(text.slice(start, end).trim().length);
      // The text of a heredoc comes at the place of its name, out of order.
      if (!text.includes("<<")) expect(start).toBeGreaterThanOrEqual(behind);
      behind = end;
    }
  });

  it.each(CASES)("have balanced brackets in %s: %s", (path, text) => {
    const { tokens } = read(path, text);
    const open: number[] = [];
    for (const [index, { kind, text: own, partner }] of tokens.entries()) {
      if (partner < 0) continue;
      expect(tokens[partner]?.partner).toBe(index);
      if (kind === "open") open.push(index);
      else {
        expect(partner).toBe(open.pop());
        expect("()[]{}“”⟨⟩").toContain(`${tokens[partner]?.text}${own}`);
      }
    }
    expect(open).toEqual([]);
  });
});
