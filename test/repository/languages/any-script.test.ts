import { describe, expect, it } from "vitest";
import type { Facts } from "../../../src/repository/facts.ts";
import type { Language } from "../../../src/repository/languages/language.ts";
import { languageOf } from "../../../src/repository/languages/languages.ts";

/** Programs whose files are named after what they define, so that each edge needs the name to be read as a whole. */
const PROGRAMS: Record<string, Record<string, string>> = {
  Java: {
    "Main.java":
      "package app; import shop.Basket; class Main extends Near { Basket b; int n = new shop.Item<Lid>().Total(); void Run() { Run(); } }",
    "Near.java": "package app; class Near { Lid lid() { return null; } }",
    "Basket.java": "package shop; public class Basket { public int Total() { return 1; } }",
    "Item.java": "package shop; public record Item<T>(T Size) {}",
    "Lid.java": "package app; enum Lid { OPEN }",
  },
  Kotlin: {
    "Main.kt":
      "package app\nimport shop.Basket as Box\nfun Run(): Lid = Box().Total()\nval Near: Item = Item()",
    "Basket.kt": "package shop\nclass Basket { fun Other() = 1 }",
    "Total.kt": "package app\nfun shop.Basket.Total() = Near",
    "Lid.kt": "package app\nobject Lid",
    "Item.kt": "package app\nclass Item<T>",
  },
  Scala: {
    "Main.scala":
      "package app\nimport shop.{Basket => Box, Item}\nclass Main extends Near { def Run(Size: Item[Lid]): Box = Total(Size) }\nobject Open { val Other = `Ghost` }",
    "Near.scala": "package app\ntrait Near",
    "Basket.scala": "package shop\nclass Basket",
    "Item.scala": "package shop\nenum Item[T]:\n  case Size, Other\n  def Open = 1",
    "Total.scala": "package app\ndef Total(Size: Any) = 1",
    "Lid.scala": "package app\nobject Lid",
    "Ghost.scala": "package app\nval Ghost = 1",
  },
  Swift: {
    "Main.swift": "class Main: Near { func Run(Size: Item<Lid>) -> Basket { Total(Size).Open() } }",
    "Near.swift": "protocol Near {}",
    "Basket.swift": "struct Basket { enum Other { case Ghost } }",
    "Item.swift": "struct Item<T> {}",
    "Lid.swift": "enum Lid { case Size }",
    "Total.swift": "func Total(_ Size: Any) -> Basket { Basket() }",
    "Open.swift": "extension Basket { func Open() -> Self { self } }",
  },
  "C#": {
    "Main.cs":
      "using Shop;\nnamespace App;\nclass Main : Near { Basket Box = new(); Item<Lid> Size => Box.Total(); [Open] void Run() {} }",
    "Near.cs": "namespace App { interface Near {} }",
    "Basket.cs": "namespace Shop;\npublic class Basket {}",
    "Item.cs": "namespace Shop;\npublic record struct Item<T>(T Size);",
    "Lid.cs": "namespace App; enum Lid { Open }",
    "Total.cs": "namespace Shop; static class Sums { public static int Total(this Basket Box) => 1; }",
    "Open.cs": "namespace App; class OpenAttribute {}",
  },
  PHP: {
    "Main.php":
      "<?php\nnamespace App;\nuse Shop\\Basket as Box;\nuse function Shop\\Total;\nclass Main extends Near { const Size = 1; function Run(Box $b): \\Shop\\Item { return <<<Lid\nGhost::Lid\nLid . Total() . Lid; } }",
    "Near.php": "<?php\nnamespace App;\ntrait Near {}",
    "Basket.php": "<?php\nnamespace Shop;\nclass Basket {}",
    "Item.php": "<?php\nnamespace Shop;\nenum Item: int {}",
    "Total.php": "<?php\nnamespace Shop;\nfunction Total() {}",
    "Lid.php": "<?php\nnamespace App;\nconst Lid = 1;",
    "Ghost.php": "<?php\nnamespace App;\nclass Ghost {}",
  },
  Ruby: {
    "Main.rb": "class Main < Shop::Near\n  has_many :a, class_name: 'Lid'\n  def Run = Basket.new\nend\n",
    "Near.rb": "module Shop\n  class Near\n    def Total\n    end\n  end\nend\n",
    "Basket.rb": "class Basket\n  Size = 1\nend\n",
    "Lid.rb": "Lid = Struct.new(:a) do\n  def Open = <<~Item\n    Ghost\n  Item\nend\n",
    "Ghost.rb": "class Ghost\nend\n",
  },
  Go: {
    "go.mod": "module a.b/app\n",
    "Main.go": 'package app\nimport Box "a.b/app/Shop"\nfunc Run(Size Near) { Total(); Box.Basket() }\n',
    "Near.go": "package app\ntype Near struct{}\nfunc (Size *Near) Open() {}\n",
    "Total.go": "package app\nvar (\n\tTotal, Lid = 1, 2\n)\n",
    "Shop/Basket.go": "package Shop\nfunc Basket[Item any]() {}\n",
    "Shop/Other.go": "package Shop\nfunc Other() {}\n",
  },
  Rust: {
    "Cargo.toml": '[package]\nname = "app"\n',
    "src/lib.rs":
      "mod Shop;\nmod Near;\nuse crate::Shop::{Basket::Item as Box, Lid};\nfn Run<'a>(c: &'a char) -> bool { c == &'😀' || c == &'\"' || Total!() }\n",
    "src/Shop.rs": "pub mod Basket;\npub struct Lid;\nimpl Lid { fn Open() {} }\n",
    "src/Shop/Basket.rs": "pub enum Item { Size }\n",
    "src/Near.rs": "macro_rules! Total { () => { true } }\n",
  },
  Python: {
    "Main.py":
      "import Shop.Basket as Box, Near\nfrom Shop import (\n  Item as Lid, Total)\nclass Main:\n  def Run(self): pass\nSize = 1\n",
    "Near.py": "def Open(): pass\n",
    "Shop/Basket.py": "",
    "Shop/Item.py": "",
    "Shop/Total.py": "",
    "Shop/__init__.py": "",
    "conftest.py": "import pytest\n@pytest.fixture\ndef Other(): pass\n",
    "test_a.py": "def test_Run(Other): pass\n",
  },
  C: {
    "Main.c": '#include "a.h"\nint Run(void) { return Total(1) + Basket(2); }\n',
    "a.h": "#define Size(x) x\nint Total(int Lid);\nint Basket(Near Item);\nclass Store { void Open(); };\n",
    "Total.c": '#include "a.h"\nint Total(int Lid) { return Lid; }\n',
    "Basket.c": '#include "a.h"\nint Basket(Item)\n  Near Item;\n{ return 1; }\n',
    "Open.cc": '#include "a.h"\nvoid Store::Open() {}\n',
  },
  TypeScript: {
    "Main.ts":
      'import { Basket, type Item as Box } from "./Shop";\nexport * as Near from "./Lid";\nexport function Run(): Total { return Size / 2; }\nconst Size = (Lid) => 1; // "\nclass Total extends Basket { #Open = () => 1; static Other() {} }\nexports.Ghost = function () {};\n',
    "Shop.ts": "export interface Basket {}\nexport type Item = 1;\nenum Lid { Open }\n",
    "Lid.ts": "",
  },
};

/** Names of other scripts, with a combining mark, of supplementary planes, of more and of fewer letters than words have. */
const SCRIPTS: Record<string, (word: string) => string> = {
  "marks on Latin letters": (word) => `${word[0]}é\u0308${word.slice(1)}ñ`,
  "Greek letters, the first a capital": (word) => `Σ${word.toLowerCase().replace(/./g, greek)}ς`,
  "Chinese characters": (word) =>
    `篮子${word.replace(/./g, (letter) => String.fromCodePoint(0x4e00 + letter.charCodeAt(0)))}`,
  "Chinese characters, few": (word) =>
    String.fromCodePoint(
      0x7500 + ([...word].reduce((sum, letter) => 31 * sum + letter.charCodeAt(0), 7) % 999),
    ),
  "Devanagari, whose vowels are marks": (word) =>
    `टोकरी${word.replace(/./g, (letter) => String.fromCodePoint(0x904 + (letter.charCodeAt(0) % 48)))}का`,
  "Thai, whose vowels are marks": (word) =>
    `ตะกร้า${word.replace(/./g, (letter) => String.fromCodePoint(0xe01 + (letter.charCodeAt(0) % 46)))}`,
  "characters of a supplementary plane": (word) => `𠮷${word}𠮷`,
};

function greek(letter: string): string {
  return String.fromCodePoint(0x3b1 + ((letter.charCodeAt(0) - 97) % 17));
}

/** The words that programs name things by, but for those that a language or its tools know. */
const WORDS =
  /\b(?:Main|[Ss]hop|Basket|Near|Total|Run|Lid|Item|Box|Size|Open|Other|Ghost|Store|Sums)(?=\b|Attribute)/g;

function renamed(files: Record<string, string>, rename: (word: string) => string): Record<string, string> {
  const inText = (text: string) => text.replace(WORDS, rename);
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [inText(path), inText(text)]));
}

/** Returns what a program defines, and which file leads to which. */
function readingOf(files: Record<string, string>): string[] {
  const language = languageOf(Object.keys(files).find((path) => languageOf(path)) as string) as Language;
  const facts = new Map<string, Facts>();
  for (const [path, text] of Object.entries(files))
    if (language.files.test(path)) facts.set(path, language.read(text, path));
  const project = { paths: new Set(Object.keys(files)), facts, text: (path: string) => files[path] };
  const resolve = language.resolver(project);
  const lines = [...facts].flatMap(([path, own]) => [
    ...own.definitions.map(({ name, kind, from, to }) => `${path}: ${kind} ${name} ${from}-${to}`),
    ...resolve(path, own).flatMap((target) => (target.kind === "file" ? `${path} → ${target.path}` : [])),
  ]);
  return [...new Set(lines)].sort();
}

describe("the names of a language", () => {
  const cases = Object.keys(PROGRAMS).flatMap((language) =>
    // A constant of Ruby begins with a capital letter.
    Object.keys(SCRIPTS)
      .filter((script) => language !== "Ruby" || /Latin|Greek/.test(script))
      .map((script) => [language, script] as const),
  );

  it.each(cases)("may have other letters than ASCII has: %s in %s", (language, script) => {
    const files = PROGRAMS[language] as Record<string, string>;
    const rename = SCRIPTS[script] as (word: string) => string;
    const expected = readingOf(files).map((line) => line.replace(WORDS, rename));
    expect(expected.filter((line) => line.includes("→")).length).toBeGreaterThan(1);
    expect(readingOf(renamed(files, rename))).toEqual(expected.sort());
  });

  // To PHP and Ruby, whatever is not ASCII is a letter.
  const spaced = Object.keys(PROGRAMS).filter((language) => !/PHP|Ruby/.test(language));

  it.each(spaced)("are not joined by spaces of other scripts: %s", (language) => {
    const files = PROGRAMS[language] as Record<string, string>;
    const apart = Object.fromEntries(
      Object.entries(files).map(([path, text]) => [
        path,
        languageOf(path) ? text.replace(/(?<=\w) (?=[A-Z])/g, "\u3000") : text,
      ]),
    );
    expect(readingOf(apart)).toEqual(readingOf(files));
  });

  it.each([
    ["java", "package 商店; import 商店.工具.篮子; class 店 { 篮子 b; }"],
    ["scala", "package 商店\nimport 商店.工具.篮子\nclass 店 { val b: 篮子 = null }"],
    ["kt", "package 商店\nimport 商店.工具.篮子\nclass 店 { val b: 篮子? = null }"],
  ])("are those of packages where a file says its own and imports others: .%s", (ending, text) => {
    const files = {
      [`店.${ending}`]: text,
      [`商店.${ending}`]: "package 商店; class 商店 {}",
      [`工具.${ending}`]: "package 商店; class 工具 {}",
      [`篮子.${ending}`]: "package 商店.工具; class 篮子 {}",
    };
    const edges = readingOf(files).filter((line) => line.startsWith("店") && line.includes("→"));
    expect(edges.filter((edge) => !edge.endsWith(`→ 店.${ending}`))).toEqual([
      `店.${ending} → 篮子.${ending}`,
    ]);
  });
});
