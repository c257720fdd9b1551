import { describe, expect, it } from "vitest";
import { codePieces } from "../../../../src/tools/context-optimizer/retrieval/pieces.ts";

/** Returns each piece as `from-to names: first line`, with lines counted from 1. */
function piecesOf(text: string): string[] {
  const lines = text.replace(/^\n/, "").replace(/\n$/, "").split("\n");
  return codePieces(lines).map(
    ({ from, to, names }) => `${from + 1}-${to} ${names.join(".")}: ${(lines[from] as string).trim()}`,
  );
}

const GO = `
package store

import (
	"fmt"
)

// Store keeps rows.
type Store struct {
	rows map[string]Row
}

// Get finds one,
// or fails.
func (s *Store) Get(id string) (Row, error) {
	if row, ok := s.rows[id]; ok {
		return row, nil
	} else {
		return Row{}, fmt.Errorf("none")
	}
}

type Reader interface {
	Read() error
}

var limit = 3
`;

const RUST = `
use std::fmt;

#[derive(Debug)]
pub struct Row {
    id: u32,
}

impl Store {
    /// Finds one.
    #[inline]
    pub fn get(&self, id: u32) -> Option<&Row> {
        self.rows.get(&id)
    }

    fn put(&mut self, row: Row) {
        self.rows.insert(row.id, row);
    }
}

mod tests {
    #[test]
    fn finds() {
        assert!(true);
    }
}
`;

const RUBY = `
require "json"

module Shop
  # What is for sale.
  class Shop::Basket < Base
    LIMIT = 3

    def add(item)
      items << item
    rescue Full
      raise
    end

    def self.total = items.sum
  end
end
`;

const JAVA = `
package shop;

import java.util.List;

@Entity
public class Basket extends Base {
    private final List<Item> items = new ArrayList<>();

    @Override
    public int total(int rate) {
        try {
            return sum() * rate;
        } catch (Full full) {
            return 0;
        }
    }

    interface Item {
        int price();
    }

    enum Kind { A, B }
}
`;

const C = `
#include <stdio.h>
#define LIMIT 3
#if LIMIT
int total(int a) {
    return a;
}
#endif

struct row {
    int id;
};

/* Names it. */
static char *name_of(struct row *row) {
    return row->name;
}
`;

const PYTHON = `
class A:
    x = 1


class B(A):
    @property
    # why
    def one(self):
        try:
            return 1
        except Error:
            return 2
        finally:
            done()

    class C:
        def two(self):
            return [
                1,
            ]


  # Elsewhere.
def three(): return 3
if True:
    three()
else:
    pass
`;

const SCRIPT = `
const limit = 3;
let other;

// Adds.
const add = (a, b) => {
  return a + b;
};

export default function main() {
  add(1, 2);
}

main();
`;

const CSHARP = `
using System;

namespace Shop;

public class Basket(IStore store) : IBasket
{
    private Item[] items;

    public Basket()
    {
        items = store.Load(new Query { Id = 1 });
    }

    // Sums up.
    [HttpGet("total")]
    [ProducesResponseType<Total>(200, "application/json")]
    public async Task<Total> TotalAsync(int rate)
    {
        foreach (var item in items)
        {
            Add(item);
        }
    }

    public static Task<Ok<Item>> Find<T>(
        [FromQuery] string name,
        T kind)
        where T : Kind
    {
        return store.Find(name);
    }

    public int Count(int above) => items.Length;

    public int Size { get; set; }
}
`;

const CPP = `
Basket::Basket(Store *store)
    : store_(store),
      size_(0)
{
    load();
}

/**
 * Sums up.
 */
const struct row *
total(const struct basket *basket)
{
    if (basket)
    {
        add(basket);
    }
}

static struct row *find(int id) {
    struct row *row = first;
    return row;
}

int keep(int a,
         int b) {
    return a;
}
call(a);
`;

const OUTDENTED = `
int open_file(const char *path) {
#ifdef _WIN32
    if (!path)
        goto fail;
#endif
    return 0;
fail:
    return -1;
}

# if defined(HAVE_LOCK)
class SHOP_EXPORT Store : public Base {
public:
    Store() {
        load();
    }
# endif
private slots:
    explicit operator bool() const {
        return true;
    }
};

template <typename Mutex>
INLINE void shop::Store<Mutex>::add(int value) {
    rows_.push_back(value);
}

// Takes over.
template <typename Mutex>
INLINE Store<Mutex>::Store(
    int size,
    Row row)
    : size_(size),
      row_{std::move(row)} {
    load();
}

Store::Store(int size,
             int row)
    : size_(size) {}

template <typename T> struct Limit {
    T most;
};

Store &Store::operator=(const Store &other) {
    return *this;
}

template <typename T>
auto first(T rows)
-> decltype(rows.front())
{
    return rows.front();
}

TEST_F(StoreTest, Opens) {
    open();
}
`;

const DOTTED = `
class Retrofit {
  public okhttp3.Call.Factory callFactory() {
    return factory;
  }

  public @Nullable T body() {
    return body;
  }
}
`;

const SCALA = `
class Cache[F[_]](size: Int) {
  @inline private[cache] final def find(key: Int): F[Int] =
    load(key)
}
package object cache {
  given order: Order[Int] with
    def compare(a: Int, b: Int) = 0
}
`;

const SWIFT_HEADS = `
class Cache {
  public required init?(name: String) {
    self.name = name
  }
  nonisolated static func find(
    key: Int) -> Int {
    1
  }
}
`;

const SWIFT = `
public actor Cache<T>: Sendable {
    func find() {
        rows
    }
}
`;

const KOTLIN = `
package shop

class Basket(private val store: Store) {
    suspend fun total(rate: Int): Int = store.sum() * rate

    /** Finds one. */
    override fun find(
        name: String,
    ): Item {
        return store.find(name)
    }
}

fun <T> List<T>.second(): T = this[1]
`;

const ELIXIR = `
defmodule Shop.Basket do
  alias Shop.Item

  def total(items) do
    sum(items)
  end

  defp sum(items), do: Enum.sum(items)
end
`;

const TYPESCRIPT = `
class Basket {
  /** Finds one. */
  async find(
    name: string,
  ): Promise<Item> {
    return this.items[name];
  }

  get(name) {
    return this.find(
      name,
    );
  }
}
app.get("/", (request) => {
  const item = find(request);
});
`;

describe("codePieces()", () => {
  it.each<[string, string, string[]]>([
    [
      "Go",
      GO,
      [
        "1-6 : package store",
        "7-11 Store: // Store keeps rows.",
        "12-21 Get: // Get finds one,",
        "22-25 Reader: type Reader interface {",
        "26-26 : var limit = 3",
      ],
    ],
    [
      "Rust",
      RUST,
      [
        "1-2 : use std::fmt;",
        "3-7 Row: #[derive(Debug)]",
        "8-8 Store: impl Store {",
        "9-14 Store.get: /// Finds one.",
        "15-19 Store.put: fn put(&mut self, row: Row) {",
        "20-20 tests: mod tests {",
        "21-25 tests.finds: #[test]",
      ],
    ],
    [
      "Ruby",
      RUBY,
      [
        '1-2 : require "json"',
        "3-3 Shop: module Shop",
        "4-7 Shop.Shop::Basket: # What is for sale.",
        "8-13 Shop.Shop::Basket.add: def add(item)",
        "14-16 Shop.Shop::Basket.total: def self.total = items.sum",
      ],
    ],
    [
      "Java",
      JAVA,
      [
        "1-4 : package shop;",
        "5-8 Basket: @Entity",
        "9-17 Basket.total: @Override",
        "18-21 Basket.Item: interface Item {",
        "22-23 Basket.Kind: enum Kind { A, B }",
      ],
    ],
    [
      "C",
      C,
      [
        "1-1 : #include <stdio.h>",
        "2-3 : #define LIMIT 3",
        "4-8 total: int total(int a) {",
        "9-12 row: struct row {",
        "13-16 name_of: /* Names it. */",
      ],
    ],
    [
      "Python",
      PYTHON,
      [
        "1-4 A: class A:",
        "5-5 B: class B(A):",
        "6-15 B.one: @property",
        "16-16 B.C: class C:",
        "17-22 B.C.two: def two(self):",
        "23-23 B: # Elsewhere.",
        "24-24 three: def three(): return 3",
        "25-28 : if True:",
      ],
    ],
    [
      "JavaScript",
      SCRIPT,
      [
        "1-3 : const limit = 3;",
        "4-8 add: // Adds.",
        "9-12 main: export default function main() {",
        "13-13 : main();",
      ],
    ],
    [
      "C#",
      CSHARP,
      [
        "1-4 : using System;",
        "5-8 Basket: public class Basket(IStore store) : IBasket",
        "9-13 Basket.Basket: public Basket()",
        "14-24 Basket.TotalAsync: // Sums up.",
        "25-32 Basket.Find: public static Task<Ok<Item>> Find<T>(",
        "33-34 Basket.Count: public int Count(int above) => items.Length;",
        "35-36 Basket: public int Size { get; set; }",
      ],
    ],
    [
      "C and C++",
      CPP,
      [
        "1-7 Basket.Basket: Basket::Basket(Store *store)",
        "8-11 : /**",
        "12-19 total: total(const struct basket *basket)",
        "20-24 find: static struct row *find(int id) {",
        "25-28 keep: int keep(int a,",
        "29-29 : call(a);",
      ],
    ],
    [
      "C++ with directives, labels and templates",
      OUTDENTED,
      [
        "1-11 open_file: int open_file(const char *path) {",
        "12-13 Store: class SHOP_EXPORT Store : public Base {",
        "14-18 Store.Store: Store() {",
        "19-23 Store.operator bool: explicit operator bool() const {",
        "24-28 shop.Store.add: template <typename Mutex>",
        "29-38 Store.Store: // Takes over.",
        "39-42 Store.Store: Store::Store(int size,",
        "43-46 Limit: template <typename T> struct Limit {",
        "47-50 Store.operator=: Store &Store::operator=(const Store &other) {",
        "51-57 first: template <typename T>",
        "58-60 StoreTest.Opens: TEST_F(StoreTest, Opens) {",
      ],
    ],
    [
      "Java with types in parts",
      DOTTED,
      [
        "1-1 Retrofit: class Retrofit {",
        "2-5 Retrofit.callFactory: public okhttp3.Call.Factory callFactory() {",
        "6-9 Retrofit.body: public @Nullable T body() {",
      ],
    ],
    [
      "Scala",
      SCALA,
      [
        "1-1 Cache: class Cache[F[_]](size: Int) {",
        "2-4 Cache.find: @inline private[cache] final def find(key: Int): F[Int] =",
        "5-5 cache: package object cache {",
        "6-8 cache: given order: Order[Int] with",
      ],
    ],
    [
      "Swift with modifiers of its own",
      SWIFT_HEADS,
      [
        "1-1 Cache: class Cache {",
        "2-4 Cache.init: public required init?(name: String) {",
        "5-9 Cache.find: nonisolated static func find(",
      ],
    ],
    ["Swift", SWIFT, ["1-1 Cache: public actor Cache<T>: Sendable {", "2-5 Cache.find: func find() {"]],
    [
      "Kotlin",
      KOTLIN,
      [
        "1-2 : package shop",
        "3-3 Basket: class Basket(private val store: Store) {",
        "4-5 Basket.total: suspend fun total(rate: Int): Int = store.sum() * rate",
        "6-13 Basket.find: /** Finds one. */",
        "14-14 second: fun <T> List<T>.second(): T = this[1]",
      ],
    ],
    [
      "Elixir",
      ELIXIR,
      [
        "1-3 Shop.Basket: defmodule Shop.Basket do",
        "4-7 Shop.Basket.total: def total(items) do",
        "8-9 Shop.Basket.sum: defp sum(items), do: Enum.sum(items)",
      ],
    ],
    [
      "TypeScript",
      TYPESCRIPT,
      [
        "1-1 Basket: class Basket {",
        "2-8 Basket.find: /** Finds one. */",
        "9-14 Basket.get: get(name) {",
        '15-17 : app.get("/", (request) => {',
      ],
    ],
  ])("splits %s code into its declarations", (_, text, pieces) => expect(piecesOf(text)).toEqual(pieces));

  it.each([
    ["function* numbers() {", "numbers"],
    ["export abstract class Basket<T> {", "Basket"],
    ["func (s *Store) Get(id string) {", "Get"],
    ["get<T>(id) {", "get"],
    ["type Name = string;", "Name"],
    ["def größe(x)", "größe"],
    ["void add(int a) {", "add"],
    ["namespace App.Shop {", "App.Shop"],
    ["export const load = async (a) => a", "load"],
    ["const char *name_of(struct row *row) {", "name_of"],
    ["static const struct row *find(int id) {", "find"],
    ["public async Task<Basket> Load(int id) {", "Load"],
    ["async unsafe fn load() {", "load"],
  ])("names a piece by its declaration: %s", (line, name) => {
    expect(codePieces([line, "  body"])).toEqual([{ from: 0, to: 2, names: [name] }]);
  });

  it.each([
    ["@cached", true],
    ["#[test]", true],
    ["# why", true],
    ["// why", true],
    ["/* why */", true],
    ["-- why", true],
    ["[Why]", true],
    ['[Why<int>(1, "a]")]', true],
    ['"""Why."""', true],
    ["#if A", false],
    ["#endif", false],
    ["--count", false],
    ["call()", false],
    ["  // deeper", false],
    ["", false],
  ])("includes the line %j above a declaration: %s", (above, expected) => {
    const starts = codePieces(["x = 1", above, "def load()", "  body"]).map(({ from }) => from);
    expect(starts.includes(1)).toBe(expected);
    expect(starts.includes(2)).toBe(!expected);
  });

  it.each([
    ["}", true],
    ["end", true],
    ["else", true],
    ["elif x", true],
    ["except X", true],
    ["finally", true],
    ["catch (x) {", true],
    ["rescue X", true],
    ["ensure", true],
    [") {", true],
    ["] = 1", true],
    ["{", true],
    ["ended", false],
    ["x end", false],
    ["call()", false],
  ])("continues a piece with %j at the depth of its first line: %s", (line, expected) => {
    const [first] = codePieces(["def load(", "  a", line, "  b", "call()"]);
    expect(first?.to).toBe(expected ? 4 : 2);
  });

  it("looks for the body of a declaration on 30 lines, and not across statements", () => {
    const declared = (...lines: string[]) => codePieces([...lines, "  x", "}"]).some(({ names }) => names[0]);
    const parameters = (count: number) => Array.from({ length: count }, () => "    int a,");
    expect(declared("void f(", ...parameters(28), "    int z) {")).toBe(true);
    expect(declared("void f(", ...parameters(30), "    int z) {")).toBe(false);
    expect(declared("if (a)", "{")).toBe(false);
    expect(declared("call(a);", "{")).toBe(false);
    expect(declared("call(a)", "  {")).toBe(false);
    expect(declared("x = call(a)", "{")).toBe(false);
    expect(declared("then(() =>", "  run();", ")", "{")).toBe(false);
  });

  it("cuts a piece at 50 lines, or at an empty line in its second half", () => {
    const pieces = (blank: number | undefined, count: number) =>
      codePieces(Array.from({ length: count }, (_, line) => (line === blank ? "" : "call"))).map(
        ({ to }) => to,
      );
    expect(pieces(undefined, 50)).toEqual([50]);
    expect(pieces(undefined, 51)).toEqual([50, 51]);
    expect(pieces(30, 60)).toEqual([31, 60]);
    expect(pieces(49, 60)).toEqual([50, 60]);
    expect(pieces(24, 60)).toEqual([25, 60]);
    expect(pieces(23, 60)).toEqual([50, 60]);
    expect(pieces(30, 120)).toEqual([31, 81, 120]);
  });

  it("keeps closing brackets with the last piece and returns no pieces for no lines", () => {
    expect(codePieces([])).toEqual([]);
    expect(codePieces(["class A {", "  a() {", "  }", "", "}", "]);", "end"])).toEqual([
      { from: 0, to: 1, names: ["A"] },
      { from: 1, to: 7, names: ["A", "a"] },
    ]);
    expect(codePieces(["}", ")"])).toEqual([{ from: 0, to: 2, names: [] }]);
  });
});

describe("the name of a declaration", () => {
  it.each([
    ["pub(crate) fn total(&self) {", "total"],
    ["pub(super) fn total(&self) {", "total"],
    ["pub(in crate::shop) async fn total() {", "total"],
    ["pub(crate) struct Cart {", "Cart"],
    ["pub const fn total(x: u32) -> u32 {", "total"],
    ['[HttpGet("total")] public IActionResult Total(int id) {', "Total"],
    ["__attribute__((noinline)) int total(int x) {", "total"],
    ["enum class Colour {", "Colour"],
    ["class func total() {", "total"],
    ["export const enum Colour {", "Colour"],
    ["func (s *Store) Total() int {", "Total"],
    ["def self.total", "total"],
  ])("is found in %s", (line, name) => {
    const pieces = codePieces([line, "  x", "}"]);
    expect(pieces[0]?.names).toEqual([name]);
  });

  it("includes the name of its container", () => {
    const names = codePieces([
      "impl Cart {",
      "    pub(crate) fn total(&self) {",
      "        1",
      "    }",
      "}",
    ]).map((piece) => piece.names.join("."));
    expect(names).toContain("Cart.total");
  });
});

it("names a function of PowerShell by all of its name", () =>
  expect(piecesOf("function Deploy-Server {\n  param($n)\n}")).toEqual([
    "1-3 Deploy-Server: function Deploy-Server {",
  ]));

it("cuts into more pieces than a call may have arguments", () => {
  const lines = [...new Array(7_000_000).fill(""), "function end() {", "}"];
  expect(codePieces(lines).at(-1)).toEqual({ from: 7_000_000, to: 7_000_002, names: ["end"] });
});
