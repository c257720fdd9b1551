import { describe, expect, it } from "vitest";
import { languageOf } from "../../../src/repository/languages/languages.ts";
import { openRepository } from "../../../src/repository/open-repository.ts";
import { directoryWith } from "../directory.ts";

async function edgesOf(files: Record<string, string>): Promise<string[]> {
  const { edges } = await openRepository(directoryWith(files));
  return edges.map(({ from, to }) => `${from} → ${to}`);
}

const read = (...lines: string[]) => {
  const language = languageOf("a.swift");
  if (!language) throw new Error("no language reads a.swift");
  return language.read(lines.join("\n"), "a.swift");
};

const PACKAGE = `// swift-tools-version:5.9
import PackageDescription
let package = Package(name: "Shop", targets: [
  .target(name: "Shop", dependencies: [.target(name: "Store")]),
  .target(name: "Store", path: "Lib/Store"),
  .testTarget(name: "ShopTests", dependencies: ["Shop"]),
])
`;

describe("the files that a file of Swift leads to", () => {
  it("declare the types, functions and variables that it uses in its module", async () => {
    expect(
      await edgesOf({
        "Package.swift": PACKAGE,
        "Sources/Shop/Main.swift": 'let b: Basket? = make(1, of: rate); let s = "Ghost \\(Item(name: "a"))"',
        "Sources/Shop/Basket.swift": "struct Basket { var ghost: Int }",
        "Sources/Shop/Make.swift": "func make(_ n: Int, of: Double) -> Basket? { nil }\nlet rate = 1.0",
        "Sources/Shop/Item.swift": "struct Item { let name: String }",
        "Sources/Shop/Ghost.swift": "struct Ghost {}\nprivate struct Main {}",
      }),
    ).toEqual([
      "Sources/Shop/Main.swift → Sources/Shop/Basket.swift",
      "Sources/Shop/Main.swift → Sources/Shop/Item.swift",
      "Sources/Shop/Main.swift → Sources/Shop/Make.swift",
      "Sources/Shop/Make.swift → Sources/Shop/Basket.swift",
    ]);
  });

  it("are of modules that it imports, or that these export, and of no other", async () => {
    expect(
      await edgesOf({
        "Package.swift": PACKAGE,
        "Lib/Store/Shelf.swift": "public struct Shelf {}\npublic struct Lid {}",
        "Sources/Shop/With.swift": "import struct Store.Shelf\nlet a = Shelf(); let b = Store.Lid()",
        "Sources/Shop/Without.swift": "let a = Shelf()",
        "Sources/Shop/Lid.swift": "struct Lid {}",
        "Sources/Shop/Out.swift": "@_exported import Store",
        "Tests/ShopTests/ShopTests.swift": "@testable import Shop\nlet a = Shelf(); let b: Lid",
        "Other/Other.swift": "let a = Shelf()",
        "Sources/Shop/Shop.docc/1.swift": "struct Cart {}",
        "Sources/Shop/Shop.docc/2.swift": "struct Cart { let a: Lid }",
        "Sources/Shop/Shop.docc/3.swift": "let a = Cart()",
      }),
    ).toEqual([
      "Sources/Shop/With.swift → Lib/Store/Shelf.swift",
      "Sources/Shop/Without.swift → Lib/Store/Shelf.swift",
      "Tests/ShopTests/ShopTests.swift → Lib/Store/Shelf.swift",
      "Tests/ShopTests/ShopTests.swift → Sources/Shop/Lid.swift",
    ]);
  });

  it("have an extension's type, and the extension whose members are used by way of its type", async () => {
    expect(
      await edgesOf({
        "Shop.xcodeproj/project.pbxproj": "",
        "App/Basket.swift": "class Basket { func sum() { weigh() } }",
        "App/Basket+Weigh.swift": "extension Basket { func weigh() {}; struct Scale {} }",
        "App/Text.swift": "extension String { func shouted() -> String { self }\nvar count: Int { 0 } }",
        "App/Uses.swift": "func uses(b: Basket) { b.weigh(); Basket.Scale() }",
        "App/Shouts.swift": 'let a = "a".shouted()',
        "App/Counts.swift": 'let a: String = "a"; let n = a.count',
        "App/Other.swift": "class Other { func weigh() {} }; func other(o: Other) { o.weigh() }",
      }),
    ).toEqual([
      "App/Basket+Weigh.swift → App/Basket.swift",
      "App/Basket.swift → App/Basket+Weigh.swift",
      "App/Shouts.swift → App/Text.swift",
      "App/Uses.swift → App/Basket+Weigh.swift",
      "App/Uses.swift → App/Basket.swift",
    ]);
  });

  it("are the nearest of several that declare a name, and none for a name of its own", async () => {
    const user =
      "func f<Item: P>(item: Item, of x: Basket) { enum Lid { case a(Shelf<[Int]>), Rate } }\nlet r = Rate.a";
    expect(
      await edgesOf({
        "A.xcodeproj/project.pbxproj": "",
        "App/User.swift": user,
        "App/Basket.swift": "struct Basket {}",
        "App/Copy.swift": "struct Basket { let same: Basket }",
        "Widget/Basket.swift": "struct Basket {}",
        "Widget/User.swift": "let b: Basket = .init()",
        "App/Shelf.swift": "struct Shelf<T> {}\nstruct Item {}\nenum Lid {}",
      }),
    ).toEqual([
      "App/User.swift → App/Basket.swift",
      "App/User.swift → App/Copy.swift",
      "App/User.swift → App/Shelf.swift",
      "Widget/User.swift → Widget/Basket.swift",
    ]);
  });
});

describe("a file of Swift", () => {
  it("defines types with their members, extensions and functions", () => {
    const { definitions } = read(
      "public final class Store<K: Hashable>: Base where K: Sendable {",
      "  private(set) var size = 0 { didSet { } }",
      "  init?(name: String) { func inner() {} }",
      "  class func open(",
      '    _ path: String = #"func no() { \\#(1)"#',
      "  ) async throws -> [String: Int]",
      "  {",
      "    if let a = b { }",
      "  }",
      "  enum Kind: String { case a, b(Int) }",
      "}",
      "/* /* */ class No {} */",
      "protocol Reads: AnyObject {",
      "  var a: Int { get }",
      "  func read() -> Int",
      "  func `repeat`() throws",
      "}",
      "extension Store: Reads {",
      "  static func == (a: Store, b: Store) -> Bool { a === b }",
      "  func read() -> Int { 1 }",
      "}",
      'let pattern = /class "/; func last() {}',
      "#if os(Linux) // class",
      "actor Pool {}",
      "#endif",
    );
    expect(definitions.map(({ kind, name, from, to }) => `${kind} ${name} ${from}-${to}`)).toEqual([
      "class Store 1-11",
      "method Store.init 3-3",
      "function inner 3-3",
      "method Store.open 4-9",
      "enum Kind 10-10",
      "interface Reads 13-17",
      "method Reads.read 15-15",
      "method Reads.repeat 16-16",
      "class Store 18-21",
      "method Store.read 20-20",
      "function last 22-22",
      "class Pool 24-24",
    ]);
  });

  it.each([
    ["a string with one in it", '"a \\(b["Ghost", c ?? "Ghost"]) Ghost"'],
    ["a string of several lines", '"""\nGhost " Ghost \\(b) \\"""\nGhost\n"""'],
    ["a raw string", '#"Ghost" \\(Ghost) \\#(b)"#'],
    ["a raw string of several lines", '##"""\n"""# Ghost \\##(b)\n"""##'],
    ["a pattern", 'x(/Ghost"[a-z]\\//)'],
    ["a pattern between number signs", '#/\nGhost "\n/#'],
    ["a comment in a comment", "/* Ghost /* Ghost */ Ghost */"],
    ["a condition of the compiler", "\n#if canImport(Ghost) && Ghost\n#elseif Ghost\n#endif\n"],
    ["names in backticks", "`Ghost`"],
  ])("has no names of %s, and goes on after it", (_, literal) => {
    const { uses } = read(`let x = ${literal}; let y = Basket()`);
    expect(uses).toContain("Basket");
    expect(uses).not.toContain("Ghost");
  });

  it("may divide, which is no pattern", () => {
    expect(read("let a = (b) / c / Basket.d", "let e = reduce(1, /) + Lid() /* / */").uses).toEqual(
      expect.arrayContaining(["Basket", "Lid", "b", "c"]),
    );
  });
});
