import { describe, expect, it } from "vitest";
import type { Facts } from "../../../src/repository/facts.ts";
import { languageOf } from "../../../src/repository/languages/languages.ts";

function read(path: string, lines: readonly string[]): Facts {
  const language = languageOf(path);
  if (!language) throw new Error(`no language reads ${path}`);
  return language.read(lines.join("\n"), path);
}

/** Returns `kind name from-to` of each definition. */
function definedIn(path: string, ...lines: string[]): string[] {
  return read(path, lines).definitions.map(({ kind, name, from, to }) => `${kind} ${name} ${from}-${to}`);
}

describe("the definitions of a file", () => {
  it("are functions, classes, members, types and values in TypeScript", () => {
    expect(
      definedIn(
        "a.ts",
        'const fs = require("fs");',
        "export const LIMIT = 3;",
        "export const open = async (path: string): Promise<void> => {",
        "  const inner = () => 1;",
        "};",
        "export async function* read<T extends { a: number } = {}>(",
        "  path = '}',",
        "): AsyncGenerator<{ b: T }> {",
        "  if (path) { return; }",
        "}",
        "export abstract class Store<K = {}> extends Base {",
        "  #size = 0;",
        "  constructor(readonly a: string) { super(); }",
        "  get size(): number { return this.#size; }",
        "  static async open({ a }: { a: string }): Promise<Store> {",
        "    while (a) { break; }",
        "  }",
        "}",
        "export interface Reader { read(): void }",
        "type Name =",
        "  | 'a'",
        "  | 'b';",
        "enum Kind { A, B }",
      ),
    ).toEqual([
      "value LIMIT 2-2",
      "function open 3-5",
      "function read 6-10",
      "class Store 11-18",
      "method Store.constructor 13-13",
      "method Store.size 14-14",
      "method Store.open 15-17",
      "interface Reader 19-19",
      "type Name 20-22",
      "enum Kind 23-23",
    ]);
  });

  it("are assigned functions and values in older JavaScript, each once", () => {
    expect(
      definedIn(
        "a.js",
        "app.get = function get(name) {",
        "  return name;",
        "};",
        "exports.open = () => {};",
        "Store.prototype.read = function () {",
        "};",
        "var x = 'function no() {}' // function no() {}",
      ),
    ).toEqual(["function app.get 1-3", "function open 4-4", "function Store.read 5-6", "value x 7-7"]);
  });

  it("end by indentation in Python and include decorators", () => {
    expect(
      definedIn(
        "a.py",
        "LIMIT: int = 3",
        "@decorated(",
        "  1,",
        ")",
        "async def first(",
        "    a,",
        ") -> int:",
        '    """',
        "def no(): pass",
        '    """',
        "    def inner(): pass",
        "    return 1",
        "",
        "# what follows",
        "class Store:",
        "    size = 1",
        "",
        "    def read(self):",
        "        pass",
        "def last(): pass",
      ),
    ).toEqual([
      "value LIMIT 1-1",
      "function first 2-12",
      "function inner 11-11",
      "class Store 15-19",
      "method Store.read 18-19",
      "function last 20-20",
    ]);
  });

  it("are functions with their receivers, types and values in Go", () => {
    expect(
      definedIn(
        "a.go",
        "package a",
        "type (",
        "\tKey string",
        "\tPair struct {",
        "\t\tleft Key",
        "\t}",
        ")",
        "type Reader interface {",
        "\tRead() error",
        "}",
        "const Limit = 3",
        "func Open[T any](path string) (*Store, error) {",
        "\treturn nil, func() error { return nil }()",
        "}",
        "func (s *Store) Read() {",
        "}",
      ),
    ).toEqual([
      "type Key 3-3",
      "type Pair 4-6",
      "interface Reader 8-10",
      "value Limit 11-11",
      "function Open 12-14",
      "method Store.Read 15-16",
    ]);
  });

  it("are items, and methods with their type, in Rust", () => {
    expect(
      definedIn(
        "a.rs",
        "pub struct Store<'a> { name: &'a str }",
        "impl<'a> fmt::Display for Store<'a> {",
        "    fn fmt(&self) -> char { '{' }",
        "}",
        'const TEXT: &str = r#"fn no() { "#;',
        "pub(crate) async fn open() -> u8 {",
        "    /* } */ 1",
        "}",
        "trait Read { fn read(&self); }",
      ),
    ).toEqual([
      "class Store 1-1",
      "method Store.fmt 3-3",
      "value TEXT 5-5",
      "function open 6-8",
      "interface Read 9-9",
      "function read 9-9",
    ]);
  });

  it("are classes and their methods in Java", () => {
    expect(
      definedIn(
        "Store.java",
        "package a;",
        "public final class Store<K> extends Base {",
        '  private final String text = "class No {";',
        "  public Store(String name) { this(name, 1); }",
        "  @Override public <T> List<T> read(int a) throws IOException {",
        "    if (a > 1) { return new ArrayList<>(); }",
        "    call(a);",
        "  }",
        "  interface Inner { void close(); }",
        "}",
      ),
    ).toEqual([
      "class Store 2-10",
      "method Store.Store 4-4",
      "method Store.read 5-8",
      "interface Inner 9-9",
      "method Inner.close 9-9",
    ]);
  });
});
