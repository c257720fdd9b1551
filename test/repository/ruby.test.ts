import { describe, expect, it } from "vitest";
import { languageOf } from "../../src/repository/languages/languages.ts";
import { blankRuby } from "../../src/repository/languages/ruby/blank-ruby.ts";
import { openRepository } from "../../src/repository/repository.ts";
import { directoryWith } from "./directory.ts";

/** Returns the words of code that remain of a Ruby file when its comments and literals are blanked. */
function wordsIn(...lines: string[]): string[] {
  return blankRuby(lines.join("\n")).match(/\w+/g) ?? [];
}

/** Returns `kind name from-to` of each definition. */
function definedIn(...lines: string[]): string[] {
  const facts = languageOf("a.rb")?.read(lines.join("\n"), "a.rb");
  return (facts?.definitions ?? []).map(({ kind, name, from, to }) => `${kind} ${name} ${from}-${to}`);
}

async function edgesOf(files: Record<string, string>): Promise<string[]> {
  const { edges } = await openRepository(directoryWith(files));
  return edges.map(({ from, to }) => `${from} → ${to}`);
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

it.each([
  [
    "what is required: from here, from a lib directory, from the tests' own",
    {
      "lib/shop.rb":
        'require "shop/cart"\nrequire_relative "shop/item"\nautoload :Tax, "shop/tax"\nrequire "json"',
      "lib/shop/cart.rb": 'require File.expand_path("../item", __FILE__)\nload "#{__dir__}/rates.rb"',
      "lib/shop/item.rb": "",
      "lib/shop/tax.rb": 'require File.join(__dir__, "..", "shop")',
      "lib/shop/rates.rb": "",
      "test/test_helper.rb": '$LOAD_PATH.unshift "lib"\nrequire "shop"',
      "test/shop/cart_test.rb": 'require "test_helper"',
      Rakefile: 'require "./lib/shop/tax"',
    },
    [
      "Rakefile → lib/shop/tax.rb",
      "lib/shop.rb → lib/shop/cart.rb",
      "lib/shop.rb → lib/shop/item.rb",
      "lib/shop.rb → lib/shop/tax.rb",
      "lib/shop/cart.rb → lib/shop/item.rb",
      "lib/shop/cart.rb → lib/shop/rates.rb",
      "lib/shop/tax.rb → lib/shop.rb",
      "test/shop/cart_test.rb → test/test_helper.rb",
      "test/test_helper.rb → lib/shop.rb",
    ],
  ],
  [
    "constants, in the modules around them, in what these inherit from and include, and at the top",
    {
      "app/cart.rb":
        'module Shop\n  class Cart < Base\n    include Counting\n    def run = [Item, ::Item, LIMIT, Rate, Inner, String, "Ghost"]\n    class Inner; end\n  end\nend',
      "app/item.rb": "class Item; end",
      "app/shop/item.rb": "module Shop\n  class Item; end\nend",
      "app/shop/base.rb": "class Shop::Base\n  Rate = 1\nend",
      "app/shop/counting.rb": "module Shop\n  module Counting\n    LIMIT = 3\n  end\nend",
      "app/ghost.rb": "class Ghost; end",
      "app/core.rb": "class String\n  def blank? = empty?\nend",
    },
    [
      "app/cart.rb → app/item.rb",
      "app/cart.rb → app/shop/base.rb",
      "app/cart.rb → app/shop/counting.rb",
      "app/cart.rb → app/shop/item.rb",
    ],
  ],
  [
    "a class that several files open to the one with its name, and a module not to those that only surround others",
    {
      "lib/shop.rb": "module Shop\n  NAME = 1\nend",
      "lib/shop/version.rb": "module Shop\n  VERSION = 1\nend",
      "lib/shop/cart.rb": "module Shop\n  class Cart\n    def a; end\n  end\nend",
      "lib/shop/extensions.rb": "module Shop\n  class Cart\n    def b; end\n  end\nend",
      "main.rb": "Shop::Cart.new\nShop::VERSION",
      "other.rb": "include Shop\nCart.new",
    },
    [
      "main.rb → lib/shop/cart.rb",
      "main.rb → lib/shop/version.rb",
      "other.rb → lib/shop.rb",
      "other.rb → lib/shop/cart.rb",
    ],
  ],
  [
    "the associations of Rails, and what RSpec requires for all specs",
    {
      ".rspec": "--color\n--require spec_helper\n",
      "app/models/order.rb":
        'class Order < ApplicationRecord\n  has_many :line_items, dependent: :destroy\n  belongs_to :buyer,\n    optional: true,\n    class_name: "Shop::Person"\nend',
      "app/models/application_record.rb": "class ApplicationRecord; end",
      "app/models/line_item.rb": "class LineItem; end",
      "app/models/buyer.rb": "class Buyer; end",
      "app/models/shop/person.rb": "class Shop::Person; end",
      "spec/spec_helper.rb": "",
      "spec/models/order_spec.rb": "RSpec.describe Order",
    },
    [
      "app/models/order.rb → app/models/application_record.rb",
      "app/models/order.rb → app/models/line_item.rb",
      "app/models/order.rb → app/models/shop/person.rb",
      "spec/models/order_spec.rb → app/models/order.rb",
      "spec/models/order_spec.rb → spec/spec_helper.rb",
    ],
  ],
])("openRepository() follows %s", async (_, files, expected) => {
  expect(await edgesOf(files as Record<string, string>)).toEqual(expected);
});
