import { expect, it } from "vitest";
import { openRepository } from "../../../src/repository/open-repository.ts";
import { directoryWith } from "../directory.ts";

async function edgesOf(files: Record<string, string>): Promise<string[]> {
  const { edges } = await openRepository(directoryWith(files));
  return edges.map(({ from, to }) => `${from} → ${to}`);
}

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
    "what classes inherit behind a comment, as their module itself, and with Windows' line breaks",
    {
      "lib/base.rb":
        "class Base # :nodoc:\n  LIMIT = 1\n  class Inner < self\n    def limit = RATE\n  end\nend",
      "lib/rates.rb": "module Rates\n  RATE = 1\nend",
      "lib/extended.rb": "class Base\n  include Rates\nend",
      "lib/cart.rb": "class Cart < Base # :nodoc:\n  def run = LIMIT\nend",
      "lib/order.rb": "class Order < Base\r\n  def run = LIMIT\r\nend\r\n",
    },
    [
      "lib/base.rb → lib/rates.rb",
      "lib/cart.rb → lib/base.rb",
      "lib/extended.rb → lib/rates.rb",
      "lib/order.rb → lib/base.rb",
    ],
  ],
  [
    "classes that are opened within others by what holds them, if these do not hold that themselves",
    {
      "lib/shop/cart.rb": "class Shop::Cart; end",
      "lib/shop/item.rb": "class Shop::Item\n  def a; end\nend",
      "lib/own.rb": "module Own\n  class Shop::Till; end\n  Shop::Till\nend",
      "lib/own/shop.rb": "module Own\n  module Shop\n    def a; end\n  end\nend",
      "lib/top.rb": "module Own\n  class ::Shop::Till; end\nend",
      "lib/uses.rb": "Own::Shop::Till",
      "test/cart_test.rb":
        "class CartTest\n  class Shop::Cart\n    def b; end\n  end\n  def test = Shop::Item.new\nend",
    },
    ["lib/uses.rb → lib/own.rb", "test/cart_test.rb → lib/shop/item.rb"],
  ],
  [
    "no constants of tests, but what has the name of its file, and those of a library for tests",
    {
      "lib/shop/test/stub.rb": "module Shop\n  module Test\n    class Stub; end\n  end\nend",
      "lib/shop/gem_spec.rb": "module Shop\n  class GemSpec < Test::Stub; end\nend",
      "spec/spec_helper.rb": "class Help; end",
      ".rspec": "-r spec_helper",
      "spec/cart_spec.rb": "module Shop\n  describe Cart do\n    it { Help }\n  end\nend\nclass App; end",
      "spec/item_spec.rb": "Shop.name\nApp.new",
      "test/cart_test.rb": "class CartTest; end",
      "test/big_cart_test.rb": "class BigCartTest < CartTest; end",
    },
    [
      "lib/shop/gem_spec.rb → lib/shop/test/stub.rb",
      "spec/cart_spec.rb → spec/spec_helper.rb",
      "spec/item_spec.rb → spec/spec_helper.rb",
      "test/big_cart_test.rb → test/cart_test.rb",
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
      "app/models/shop/tax.rb": "class Shop::Tax\n  has_many :rates\nend",
      "app/models/shop/rate.rb": "class Shop::Rate; end",
      "spec/models/order_spec.rb": "RSpec.describe Order",
    },
    [
      "app/models/order.rb → app/models/application_record.rb",
      "app/models/order.rb → app/models/line_item.rb",
      "app/models/order.rb → app/models/shop/person.rb",
      "app/models/shop/tax.rb → app/models/shop/rate.rb",
      "spec/models/order_spec.rb → app/models/order.rb",
      "spec/models/order_spec.rb → spec/spec_helper.rb",
    ],
  ],
])("openRepository() follows %s", async (_, files, expected) => {
  expect(await edgesOf(files as Record<string, string>)).toEqual(expected);
});

it("openRepository() follows Ruby's constants through what includes each other, however long", async () => {
  const all = Array.from({ length: 6000 }, (_, at) => `class C${at} < C${(at + 1) % 6000}; end`);
  expect(
    await edgesOf({
      "lib/all.rb": all.join("\n"),
      "lib/a.rb": "class A < C0\n  B\nend",
      "lib/b.rb": "class B; end",
    }),
  ).toEqual(["lib/a.rb → lib/all.rb", "lib/a.rb → lib/b.rb"]);
});
