import { describe, expect, it } from "vitest";
import { languageOf } from "../../../src/repository/languages/languages.ts";
import { blankRuby } from "../../../src/repository/languages/ruby/blank-ruby.ts";

/** Returns the words of code that remain of a Ruby file when its comments and literals are blanked. */
function wordsIn(...lines: string[]): string[] {
  return blankRuby(lines.join("\n")).match(/\w+/g) ?? [];
}

/** Returns `kind name from-to` of each definition. */
function definedIn(...lines: string[]): string[] {
  const facts = languageOf("a.rb")?.read(lines.join("\n"), "a.rb");
  return (facts?.definitions ?? []).map(({ kind, name, from, to }) => `${kind} ${name} ${from}-${to}`);
}

describe("the code of a Ruby file", () => {
  it.each([
    ["comments, also of several lines", ["=begin", "Ghost", "=end", "a # Ghost"], ["a"]],
    ["what stands behind __END__", ["a", "__END__", "Ghost"], ["a"]],
    [
      "strings, but for the code in them",
      [`'Ghost#{Ghost}' "Ghost #{a + "Ghost #{b}"} Ghost" c`],
      ["a", "b", "c"],
    ],
    ["strings of any delimiter", ["%(Ghost (Ghost)), %q<Ghost>, %w[Ghost Ghost], %i{Ghost}, a"], ["a"]],
    [
      "here documents, several of a line",
      ["a(<<~ONE, <<-'TWO') if b", "Ghost #{c}", "ONE", "#{Ghost}", " TWO", "d"],
      ["a", "if", "b", "c", "d"],
    ],
    [
      "regular expressions",
      ["a =~ /Ghost'/ && b(/Ghost/) and split /Ghost/, c"],
      ["a", "b", "and", "split", "c"],
    ],
    ["regular expressions of several lines", ["A = /Ghost # Ghost", "  'Ghost/x", "b"], ["A", "x", "b"]],
    [
      "no division, no remainder",
      ["a / b", "c /d", "e[0] /f/ g", "h % (i)"],
      ["a", "b", "c", "d", "e", "0", "f", "g", "h", "i"],
    ],
    ["no shift to the left", ["a << B", "c <<D", "class << self"], ["a", "B", "c", "D", "class", "self"]],
    ["characters, and variables of punctuation", [`a = ?" + $' + b[?#] + $"; c`], ["a", "b", "c"]],
    [
      "names of methods that look like literals",
      ["def %(x) = a", "def `(x)", "b.%(c)", "send :/, :`"],
      ["def", "x", "a", "def", "x", "b", "c", "send"],
    ],
    [
      "characters that are escaped or letters",
      [String.raw`[?\", ?\', ?G, ?\C-G, ?\\] + a`, "b ? C : D"],
      ["a", "b", "C", "D"],
    ],
    [
      "here documents up to the very line that ends them",
      ["a <<ONE", " ONE", "Ghost", "ONE", 'b <<~";;;"', "Ghost", " ;;;", "c <<one", "Ghost", "one", "d <<e"],
      ["a", "b", "c", "d", "e"],
    ],
    ["symbols before what ends a statement", ["a :`; b :/}", "c"], ["a", "b", "c"]],
    ["options, which are variables", ["$-I + $-w + a"], ["a"]],
  ])("leaves out %s", (_, lines, words) => {
    expect(wordsIn(...lines)).toEqual(words);
  });
});

describe("the definitions of a Ruby file", () => {
  it("are classes, modules and methods, with what they hold", () => {
    expect(
      definedIn(
        "module Shop",
        "  class Cart < Base; end",
        "  class Order",
        "    def initialize(items) = @items = items",
        "    def self.open(path, &block)",
        "      return unless path",
        "      begin",
        "        yield if block",
        "      end while false",
        "    end",
        "    def total=(value)",
        "      @total = if value then 1 else 2 end",
        "    end",
        "    def [](key) 1 end",
        "    class << self",
        "      def all; while true do break end end",
        "    end",
        "  end",
        "  Point = Struct.new(:x, :y) do",
        "    def far? = case x when 1 then true end",
        "  end",
        "end",
        "def help end",
        "def shown? x",
        "  { if: 1, end: 2 }.end",
        "end",
      ),
    ).toEqual([
      "module Shop 1-22",
      "class Cart 2-2",
      "class Order 3-18",
      "method Order.initialize 4-4",
      "method Order.open 5-10",
      "method Order.total= 11-13",
      "method Order.[] 14-14",
      "method Order.all 16-16",
      "class Point 19-21",
      "method Point.far? 20-20",
      "function help 23-23",
      "function shown? 24-26",
    ]);
  });

  it("are found behind lines that go on, and behind the names of methods that set something", () => {
    expect(
      definedIn(
        "class A",
        "  def a",
        "    b = \\",
        "      if c",
        "        1",
        "      end",
        "    raise \\",
        "      if c",
        "  end",
        "  remove_method :b= if c",
        "  def d; end",
        "end",
      ),
    ).toEqual(["class A 1-12", "method A.a 2-9", "method A.d 11-11"]);
  });

  it("end where they end: with a condition in a string, aliases of keywords, and methods without an end", () => {
    expect(
      definedIn(
        "class A",
        `  def a = "#{if b then c end}"`,
        "  alias do a",
        "  alias b end",
        "  def d = begin",
        "    1",
        "  end",
        "  def e =",
        "    [",
        "      2,",
        "    ].each do |f|",
        "      f",
        "    end",
        "    .map { 1 }",
        "  def g = 3",
        "end",
      ),
    ).toEqual(["class A 1-16", "method A.a 2-2", "method A.d 5-7", "method A.e 8-14", "method A.g 15-15"]);
  });

  it("have names of other alphabets, at the top or of what an expression gives", () => {
    expect(
      definedIn(
        "class Été",
        "  def (a.b).c() end",
        "  def ~@; end",
        "end",
        "class self::Maß; end",
        "class ::B; end",
      ),
    ).toEqual(["class Été 1-4", "method Été.c 2-2", "method Été.~ 3-3", "class Maß 5-5", "class B 6-6"]);
  });
});
