import { spawnSync } from "node:child_process";
import { join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { readC } from "../../../src/repository/languages/c/read-c.ts";
import { openRepository } from "../../../src/repository/open-repository.ts";
import { directoryWith } from "../directory.ts";

const edgesOf = async (files: Record<string, string>) => {
  const { edges } = await openRepository(directoryWith(files));
  return edges.map(({ from, to }) => `${from} → ${to}`);
};
const packagesOf = async (files: Record<string, string>) => {
  const { packages } = await openRepository(directoryWith(files));
  return packages.map(({ name }) => name);
};

describe("an include", () => {
  it("in quotes means the file beside it before those of the folders around it", async () => {
    const files = {
      "src/cart.h": "",
      "include/cart.h": "",
      "cart.h": "",
      "src/cart.c": '#include "cart.h"\n',
    };
    expect(await edgesOf(files)).toEqual(["src/cart.c → src/cart.h"]);
  });

  it("is found in the folders around, each with its include and src, the nearest first", async () => {
    expect(
      await edgesOf({
        "include/shop/cart.h": "",
        "src/tax.h": "",
        "lib/money/include/money.h": "",
        "lib/money/src/round.c": '#include <money.h>\n#include "shop/cart.h"\n#include "tax.h"\n',
        "lib/other/include/money.h": "",
      }),
    ).toEqual([
      "lib/money/src/round.c → include/shop/cart.h",
      "lib/money/src/round.c → lib/money/include/money.h",
      "lib/money/src/round.c → src/tax.h",
    ]);
  });

  it("means the only file that ends like it, and none of two that are equally near", async () => {
    expect(
      await edgesOf({
        "deps/lua/src/lua.h": "",
        "deps/a/x.h": "",
        "deps/b/x.h": "",
        "src/main.c": '#include <lua.h>\n#include "x.h"\n',
      }),
    ).toEqual(["src/main.c → deps/lua/src/lua.h"]);
  });

  it("of a header that the build makes means what it is made of", async () => {
    const files = {
      "config.h.in": "",
      "lib/shop.h.in": "int shop_open(void);\n",
      "lib/shop.c": "#include <shop.h>\nint shop_open(void) { return 0; }\n",
      "src/a.c": '#include "config.h"\n#include "shop.h"\nint a(void) { return shop_open(); }\n',
    };
    expect(await edgesOf(files)).toEqual([
      "lib/shop.c → lib/shop.h.in",
      "src/a.c → config.h.in",
      "src/a.c → lib/shop.c",
      "src/a.c → lib/shop.h.in",
    ]);
  });

  it("of another library is a package, of the compiler's own nothing", async () => {
    const code = "#include <stdio.h>\n#include <vector>\n#include <openssl/ssl.h>\n#include <zlib.h>\n";
    const files = { "a.cc": code, "compat/string.h": "", "b.c": "#include <string.h>\n" };
    expect(await edgesOf(files)).toEqual([]);
    expect(await packagesOf(files)).toEqual(["openssl", "zlib.h"]);
  });

  it("counts in every branch of a condition but #if 0, and not in comments and strings", async () => {
    const code = `
#ifdef _WIN32
#  include "win.h"
#else
#  include "unix.h"
#endif
#if 0
#include "never.h"
#elif defined(X)
#include "x.h"
#endif
/* #include "comment.h" */ // #include "comment.h"
const char *text = "\\
#include \\"text.h\\"";
const char *raw = R"(
#include "raw.h"
)";
`;
    const names = ["win", "unix", "never", "x", "comment", "text", "raw"];
    const files = Object.fromEntries(names.map((name) => [`${name}.h`, ""]));
    expect(await edgesOf({ ...files, "a.cc": code })).toEqual([
      "a.cc → unix.h",
      "a.cc → win.h",
      "a.cc → x.h",
    ]);
  });

  it("is read through comments and continued lines, and a comment that a backslash continues is none", async () => {
    const code = `
// what goes on \\
#include "comment.h"
#include /* why */ "a.h"
#include \\
  "b.h"
%:include "c.h"
auto n = 0xFF'FF; // #include "comment.h"
#include "d.h"
`;
    const files = Object.fromEntries(["a", "b", "c", "d", "comment"].map((name) => [`${name}.h`, ""]));
    expect(await edgesOf({ ...files, "x.cc": code })).toEqual([
      "x.cc → a.h",
      "x.cc → b.h",
      "x.cc → c.h",
      "x.cc → d.h",
    ]);
  });

  it("of a macro means the headers that the macro stands for", async () => {
    expect(
      await edgesOf({
        "src/names.h": "#define SHOP_CART_H <shop/cart.h>\n#define SHOP_TAX_H /* why */ 3\n",
        "include/shop/cart.h": "",
        "src/my table.h": "",
        "src/main.c":
          '#include "names.h"\n#define TABLE "my table.h"\n#include TABLE\n#include SHOP_CART_H\n#include SHOP_TAX_H\n',
      }),
    ).toEqual([
      "src/main.c → include/shop/cart.h",
      "src/main.c → src/my table.h",
      "src/main.c → src/names.h",
    ]);
  });
});

it("openRepository() follows the modules of C++20", async () => {
  expect(
    await edgesOf({
      "shop.cppm":
        "module;\n#include <vector>\nexport module shop.cart;\nexport import :items;\nimport money;\nexport { int total(); }\n",
      "items.cppm": "export module shop.cart:items;\n",
      "total.cpp": "module shop.cart;\nimport :items;\nint total() { return 0; }\nmodule :private;\n",
      "money.ixx": "export module money;\n",
      "main.cpp": 'import shop.cart;\nimport "old.h";\nint main() { int import = 1; }\n',
      "old.h": "",
    }),
  ).toEqual([
    "main.cpp → old.h",
    "main.cpp → shop.cppm",
    "shop.cppm → items.cppm",
    "shop.cppm → money.ixx",
    "total.cpp → items.cppm",
    "total.cpp → shop.cppm",
  ]);
});

describe("what a header declares", () => {
  it("leads from whoever uses a function to the files that define it and know the header", async () => {
    expect(
      await edgesOf({
        "include/shop.h":
          '#ifdef __cplusplus\nextern "C" {\n#endif\nint shop_open(const char *name);\nint shop_all(void);\nstatic int helper(void);\n#ifdef __cplusplus\n}\n#endif\n',
        "src/internal.h":
          '#include "shop.h"\nvoid shop__lock(void);\nstatic inline void twice(void) { shop__lock(); }\n',
        "src/unix/open.c": '#include "internal.h"\nint shop_open(const char *name) { return 0; }\n',
        "src/win/open.c": '#include "../internal.h"\nint shop_open(const char *name) { return 1; }\n',
        "src/lock.c": '#include "internal.h"\nvoid shop__lock(void) {}\n',
        "src/own.c": "static int shop_open(const char *name) { return 2; }\n",
        "src/all.c": "int shop_all(void) { return 3; }\n",
        "src/main.c": '#include "shop.h"\nint main(void) { return shop_open("a") + helper(); }\n',
        "src/list.c": '#include "internal.h"\nint list(void) { return shop_all(); /* shop_open */ }\n',
        "src/other.c": "int other(void) { return shop_open(0); }\n",
      }),
    ).toEqual([
      "src/internal.h → include/shop.h",
      "src/internal.h → src/lock.c",
      "src/list.c → src/all.c",
      "src/list.c → src/internal.h",
      "src/lock.c → src/internal.h",
      "src/main.c → include/shop.h",
      "src/main.c → src/unix/open.c",
      "src/main.c → src/win/open.c",
      "src/unix/open.c → src/internal.h",
      "src/win/open.c → src/internal.h",
    ]);
  });

  it("is a variable that a header says is defined elsewhere, and not a member of that name", async () => {
    const files = {
      "shop.h": "extern struct shop shop, *shops[3]; extern const int limit;\nextern int ghost;\n",
      "shop.c": '#include "shop.h"\nstruct shop shop = { .open = 1 }, *shops[3];\n',
      "limit.c": '#include "shop.h"\nconst int limit = 3;\n',
      "ghost.c": "static int ghost;\n",
      "a.c": '#include "shop.h"\nint a(void) { return shop.open + limit; }\n',
      "b.c": '#include "shop.h"\nint b(struct x *x) { return x->limit + x->y.shop + ghost; }\n',
      "c.c": "int c(int limit) { return limit; }\n",
    };
    expect((await edgesOf(files)).filter((edge) => !edge.endsWith(".h"))).toEqual([
      "a.c → limit.c",
      "a.c → shop.c",
    ]);
  });

  it("is a function also with its parameters in a macro, and with its name in parentheses", async () => {
    const files = {
      "shop.h":
        "int shop_open PROTO((int a));\nSHOP_API int (shop_close) (int a);\nint (*shop_handler(int))(int);\n",
      "open.c": '#include "shop.h"\nint shop_open(a) int a; { return 0; }\n',
      "close.c": '#include "shop.h"\nSHOP_API int (shop_close) (int a) { return 0; }\n',
      "handler.c": '#include "shop.h"\nint (*shop_handler(int a))(int) { return 0; }\n',
      "main.c": '#include "shop.h"\nint main() { return shop_open(1) + shop_close(2); }\n',
      "other.c": '#include "shop.h"\nint other() { return shop_handler(1)(2); }\n',
    };
    expect((await edgesOf(files)).filter((line) => /^(?:main|other)/.test(line))).toEqual([
      "main.c → close.c",
      "main.c → open.c",
      "main.c → shop.h",
      "other.c → handler.c",
      "other.c → shop.h",
    ]);
  });

  it("leads from the header of a class to the files that define its members", async () => {
    expect(
      await edgesOf({
        "cart.h":
          "namespace shop {\ntemplate <class T, int N = (1 > 0)> class Box { int size() { return N; } };\nclass Cart final : public Base<int> {\n public:\n  explicit Cart(int size);\n  int total() const;\n  virtual void save() = 0;\n  Cart(const Cart &) = delete;\n};\n}\n",
        "cart.cc":
          '#include "cart.h"\nnamespace shop {\nCart::Cart(int size) : size_{size}, items_(size) {}\nint Cart::total() const { return 0; }\n}\n',
        "other.cc":
          '#include "cart.h"\nint Other::total() const { return 0; }\nint Box::size() { return 0; }\n',
      }),
    ).toEqual(["cart.cc → cart.h", "cart.h → cart.cc", "other.cc → cart.h"]);
  });
});

describe("definitions of C and C++", () => {
  const definitionsOf = (code: string) =>
    readC(code).definitions.map(({ name, kind, from, to }) => `${kind} ${name} ${from}-${to}`);

  it.each<[name: string, code: string, found: string[]]>([
    ["a function", "int\nmain(int argc, char **argv)\n{\n  if (x) { y(); }\n}", ["function main 1-5"]],
    [
      "attributes",
      "__attribute__((noreturn)) void die(int a) GUARDED_BY(mu) { for (;;) {} }",
      ["function die 1-1"],
    ],
    [
      "parameters as before ANSI C",
      "static int\nadd (a, b)\n  int a;\n  char *b[];\n{\n}\nEXPORT(z)\nint x;\nint y(void) { }",
      ["function add 1-6", "function y 9-9"],
    ],
    [
      "names in parentheses",
      "LUA_API int (lua_top) (state *L) { }\nint (*handler(int a))(int, int) { }\nauto f() -> function<int(int)> { }",
      ["function lua_top 1-1", "function handler 2-2", "function f 3-3"],
    ],
    [
      "structs",
      "typedef struct {\n int a;\n} item_t;\nstruct node { int b; };\nstruct node *first;",
      ["class item_t 1-3", "class node 4-4", "value first 5-5"],
    ],
    [
      "enums",
      "enum class Kind : int { A, B };\ntypedef enum { C } old_t;",
      ["enum Kind 1-1", "enum old_t 2-2"],
    ],
    [
      "values",
      "int table[] = { f(1), { 2 } };\nauto twice = [](int a) { return a; };\nT t{1};\nint Shop::open_, *closed[3], x = 1;\nextern int far;\nstatic const map<int, char> near;\nstruct later;\nMACRO;\nusing A = int;\nstatic struct { int a, b; } pair = { 1, 2 };\nnamespace n { int inner; class K { int member; static int count; }; }\ntypedef int number;\nint f(void) { int local; return local; }",
      [
        "value table 1-1",
        "value Shop.open_ 4-4",
        "value closed 4-4",
        "value x 4-4",
        "value inner 11-11",
        "class K 11-11",
        "function f 13-13",
      ],
    ],
    [
      "macros that take arguments",
      "#define A 1\n#define MAX(a, b) \\\n  ((a) > (b))\n",
      ["function MAX 2-3"],
    ],
    [
      "both branches",
      "#ifdef A\nint f(void) {\n#else\nint f(int a) {\n#endif\n  return 0;\n}\n#ifndef B\n#else\nint g(void) { return 1; }\n#endif\nnamespace n {\n#ifdef C\n#else\nint h(void) {\n#ifdef D\n#else\nif (x) { y(); }\n#endif\n}\n#endif\n}",
      ["function f 2-7", "function g 10-10", "function h 15-20"],
    ],
    [
      "members",
      "class A {\n  A() noexcept : a{1}, b(2) {}\n  ~A() {}\n  operator bool() const { return true; }\n  bool operator<=(int b) { return b <= 1; }\n};\nint A::get() const & { return 1; }",
      [
        "class A 1-6",
        "method A.A 2-2",
        "method A.~A 3-3",
        "method A.operatorbool 4-4",
        "method A.operator<= 5-5",
        "method A.get 7-7",
      ],
    ],
    [
      "templates",
      "template <typename T = std::enable_if_t<(1 > 0)>>\nstruct F<T, char> { void run() {} };\ntemplate <class T> T max(T a) { return a; }",
      ["class F 1-2", "method F.run 2-2", "function max 3-3"],
    ],
    ["tests of GoogleTest", "TEST_F(CartTest, Adds) {\n  int x = 1;\n}", ["function CartTest.Adds 1-3"]],
    ["a body behind a macro", "YY_DECL\n{\n  run();\n}\nint next(void) { return 0; }", ["function next 5-5"]],
    [
      "digits between apostrophes",
      "int a = 1'000;\nint f() { return 1'0; }\nchar c = 'x';",
      ["value a 1-1", "function f 2-2", "value c 3-3"],
    ],
  ])("are found with their lines: %s", (_name, code, found) => {
    expect(definitionsOf(code)).toEqual(found);
  });
});

const hasGcc = spawnSync("gcc", ["--version"]).status === 0;
if (!hasGcc) console.log("skipped: no gcc here to say which file includes which");

it.skipIf(!hasGcc)("openRepository() finds the includes that gcc follows", async () => {
  const directory = directoryWith({
    "include/shop/cart.h": '#include "money.h"\n#include <shop/item.h>\n',
    "include/shop/money.h": "#include <stddef.h>\n",
    "include/shop/item.h": "",
    "src/money.h": "",
    "src/main.c":
      '#include <stdio.h>\n#include <shop/cart.h>\n#include "money.h"\n#include "deep/part.inl"\nint main(void) { return 0; }\n',
    "src/deep/part.inl": '#include "../money.h"\n#include "shop/item.h"\n',
  });
  const { stderr } = spawnSync("gcc", ["-H", "-fsyntax-only", "-Iinclude", "src/main.c"], {
    cwd: directory,
    encoding: "utf8",
  });
  const path = ["src/main.c"];
  const told = new Set<string>();
  for (const [, dots = "", file = ""] of stderr.matchAll(/^(\.+) (\S+)$/gm)) {
    path.length = dots.length;
    path.push(relative(directory, join(directory, file)));
    if (!file.startsWith("/")) told.add(`${path.at(-2)} → ${path.at(-1)}`);
  }
  const { edges } = await openRepository(directory);
  expect(told.size).toBeGreaterThan(4);
  expect(edges.map(({ from, to }) => `${from} → ${to}`)).toEqual([...told].sort());
});
