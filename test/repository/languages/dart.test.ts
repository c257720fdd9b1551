import { describe, expect, it } from "vitest";
import { languageOf } from "../../../src/repository/languages/languages.ts";
import { openRepository } from "../../../src/repository/open-repository.ts";
import { reach } from "../../../src/repository/reach.ts";
import { directoryWith } from "../directory.ts";

async function edgesOf(files: Record<string, string>): Promise<string[]> {
  const { edges } = await openRepository(directoryWith(files));
  return edges.map(({ from, to }) => `${from} → ${to}`);
}

const read = (...lines: string[]) => {
  const language = languageOf("a.dart");
  if (!language) throw new Error("no language reads a.dart");
  return language.read(lines.join("\n"), "a.dart");
};
const importsOf = (...lines: string[]) => read(...lines).imports.map(({ module }) => module);
const definitionsOf = (...lines: string[]) =>
  read(...lines).definitions.map(({ name, kind, from, to }) => `${from}-${to} ${kind} ${name}`);

describe("the directives of a file of Dart", () => {
  it.each<[name: string, lines: string[], uris: string[]]>([
    [
      "imports and exports",
      ["import 'a.dart' as a show B, C hide D;", 'import "b.dart" deferred as b;', "export 'c.dart' show C;"],
      ["a.dart", "b.dart", "c.dart"],
    ],
    [
      "every branch of a condition",
      [
        "import 'a.dart'",
        "    if (dart.library.io) 'io.dart'",
        "    if (dart.library.html == 'true') \"web.dart\" as a;",
        "export 'b.dart' if(dart.library.js_interop)'js.dart';",
      ],
      ["a.dart", "io.dart", "web.dart", "b.dart", "js.dart"],
    ],
    [
      "strings beside each other, raw, long, and behind comments",
      [
        "import r'a.dart'; import 'b' /* of */ \"c\" // and",
        " '.dart';import/**/'''d.dart''';",
        'import """e.dart"""; import r"""f.dart""";',
      ],
      ["a.dart", "bc.dart", "d.dart", "e.dart", "f.dart"],
    ],
    [
      "parts",
      ["part 'a.g.dart';", "part of 'b.dart';", "part  of\n 'c.dart';"],
      ["a.g.dart", "b.dart", "c.dart"],
    ],
    [
      "nothing that a comment or a string says",
      [
        "// import 'a.dart';",
        "/// import 'b.dart';",
        "/* /* import 'c.dart'; */ import 'd.dart'; */",
        "final e = '''",
        "import 'e.dart';",
        "''', f = \"\"\"",
        "import 'f.dart';",
        '""";',
        "final g = 'import \"g.dart\";', h = \"import 'h.dart';\";",
        "final i = r'\\'; final j = '\\' import \"j.dart\";';",
        `final k = '\${[1].map((e) { return "import 'k.dart';"; })} import "l.dart";';`,
        "final m = '''\\''' import 'm.dart'; ''';",
        "final n = r''' ${ ''', o = '$p';",
        "import 'z.dart';",
      ],
      ["z.dart"],
    ],
    [
      "nothing that only has such a name",
      ["final import = part('a.dart'), b = export ['b.dart'], c = this.import", "'c.dart';"],
      [],
    ],
  ])("name %s", (_, lines, uris) => {
    expect(importsOf(...lines)).toEqual(uris);
  });
});

describe("the files that a file of Dart leads to", () => {
  it("are beside it, in its package, and in packages of the repository; the SDK and other packages are none", async () => {
    const files = {
      "app/pubspec.yaml": "name: shop # the app\n",
      "app/lib/main.dart":
        "import 'dart:io'; import 'src/cart.dart'; import 'package:shop/src/item.dart'; import 'package:kit/kit.dart'; import 'package:http/http.dart';",
      "app/lib/src/cart.dart": "import '../main.dart'; import 'gone.dart'; import 'package:kit/gone.dart';",
      "app/lib/src/item.dart": "export '/src/lid.dart'; import 'asset:a.dart';",
      "app/lib/src/lid.dart": "",
      "app/test/cart_test.dart":
        "import 'package:shop/main.dart'; import '../lib/src/item.dart'; import '/src/cart.dart';",
      "packages/kit/pubspec.yaml": 'description: a\nname: "kit"\r\n',
      "packages/kit/lib/kit.dart": "export 'src/kit.dart' show Kit;",
      "packages/kit/lib/src/kit.dart": "class Kit {}",
    };
    const repository = await openRepository(directoryWith(files));
    expect(repository.edges.map(({ from, to }) => `${from} → ${to}`)).toEqual([
      "app/lib/main.dart → app/lib/src/cart.dart",
      "app/lib/main.dart → app/lib/src/item.dart",
      "app/lib/main.dart → packages/kit/lib/kit.dart",
      "app/lib/src/cart.dart → app/lib/main.dart",
      "app/lib/src/item.dart → app/lib/src/lid.dart",
      "app/test/cart_test.dart → app/lib/main.dart",
      "app/test/cart_test.dart → app/lib/src/item.dart",
      "packages/kit/lib/kit.dart → packages/kit/lib/src/kit.dart",
    ]);
    expect(repository.packages.map(({ id, name }) => [id, name])).toEqual([
      ["dart:io", "dart:io"],
      ["pub:http", "http"],
    ]);
    expect(repository.missing.map(({ module }) => module)).toEqual(["gone.dart", "package:kit/gone.dart"]);
    const reached = reach(repository.edges, ["packages/kit/lib/src/kit.dart"], { direction: "in" });
    expect(reached.map(({ path }) => path)).toEqual([
      "packages/kit/lib/kit.dart",
      "app/lib/main.dart",
      "app/lib/src/cart.dart",
      "app/test/cart_test.dart",
    ]);
  });

  it("are in the package that its own takes from a directory, else in the nearest of the name", async () => {
    const kits = Object.fromEntries(
      ["a/kit", "b/kit", "c/kit"].flatMap((at) => [
        [`${at}/pubspec.yaml`, "name: kit\n"],
        [`${at}/lib/kit.dart`, ""],
      ]),
    );
    const uses = "import 'package:kit/kit.dart';";
    expect(
      await edgesOf({
        ...kits,
        "a/app/pubspec.yaml": "name: app\ndependencies:\n  kit: # own\n    path: ../../b/kit/\n",
        "a/app/lib/a.dart": uses,
        "b/app/pubspec.yaml": "name: app\ndev_dependencies:\n  kit: { path: '../../a/kit' }\n",
        "b/app/lib/b.dart": uses,
        "c/app/pubspec.yaml":
          "name: app\ndependencies:\n  kit:\n    git:\n      url: https://example.com\n      path: ../../a/kit\n",
        "c/app/lib/c.dart": uses,
        "c/pubspec.yaml": "name: kit\n",
        "c/lib/template.dart": "",
        "d/app/pubspec.yaml": "name: app\ndependencies:\n  kit: ^1.0.0\n",
        "d/app/pubspec_overrides.yaml": 'dependency_overrides:\n  kit:\n    path: "../../c/kit"\n',
        "d/app/lib/d.dart": uses,
        "e/app/pubspec.yaml": "name: app\ndependencies:\n  kit:\n    path: ../gone\n",
        "e/app/lib/e.dart": uses,
        "b/kit/test/own_test.dart": uses,
      }),
    ).toEqual([
      "a/app/lib/a.dart → b/kit/lib/kit.dart",
      "b/app/lib/b.dart → a/kit/lib/kit.dart",
      "b/kit/test/own_test.dart → b/kit/lib/kit.dart",
      "c/app/lib/c.dart → c/kit/lib/kit.dart",
      "d/app/lib/d.dart → c/kit/lib/kit.dart",
      "e/app/lib/e.dart → a/kit/lib/kit.dart",
    ]);
  });

  it("are the parts of a library, and for a part its library, by its path or by its name", async () => {
    expect(
      await edgesOf({
        "cart.dart":
          "library shop.cart;\nimport 'tax.dart';\npart 'cart.g.dart'; part 'src/lid.dart'; part 'gone.g.dart';",
        "cart.g.dart": "// GENERATED CODE - DO NOT MODIFY BY HAND\npart of 'cart.dart';",
        "src/lid.dart": "part of shop . cart;",
        "src/stray.dart": "part of shop.cart;",
        "other.dart": "library shop.cart; import 'src/stray.dart';",
        "same.dart": "library shop.lid; part 'src/lid.dart';",
        "tax.dart": "",
      }),
    ).toEqual([
      "cart.dart → cart.g.dart",
      "cart.dart → src/lid.dart",
      "cart.dart → tax.dart",
      "cart.g.dart → cart.dart",
      "other.dart → src/stray.dart",
      "same.dart → src/lid.dart",
      "src/lid.dart → cart.dart",
      "src/stray.dart → other.dart",
    ]);
  });

  it("include what is run around the tests of a folder in Flutter, up to the package", async () => {
    expect(
      await edgesOf({
        "test/flutter_test_config.dart": "",
        "app/pubspec.yaml": "name: app\n",
        "app/test/flutter_test_config.dart": "",
        "app/test/a_test.dart": "",
        "app/test/helper.dart": "",
        "app/test/pages/flutter_test_config.dart": "",
        "app/test/pages/deep/b_test.dart": "",
        "app/integration_test/c_test.dart": "",
      }),
    ).toEqual([
      "app/test/a_test.dart → app/test/flutter_test_config.dart",
      "app/test/pages/deep/b_test.dart → app/test/pages/flutter_test_config.dart",
    ]);
  });

  it("are found in a script that names Dart in its first line", async () => {
    expect(
      await edgesOf({ "bin/shop": "#!/usr/bin/env dart\nimport '../cart.dart';", "cart.dart": "" }),
    ).toEqual(["bin/shop → cart.dart"]);
  });
});

describe("the definitions of a file of Dart", () => {
  it("are its types with their members, and what else stands outside them", () => {
    expect(
      definitionsOf(
        "library shop;",
        "import 'a.dart' as a show B;",
        "final rate = 0.2, other = {1: 2};",
        "int? last;",
        "(int, String) pair = (1, '}');",
        "typedef Rule = void Function(int);",
        "typedef int Compare<T>(T a, T b);",
        "int get top => 1;",
        "set top(int v) {}",
        "external int native(int a);",
        "@pragma('vm:entry-point', {'a': 1})",
        "@override",
        "Future<void> main(List<String> args) async {",
        "  void local() {}",
        "}",
        "(int, {String x}) both() => (1, x: '');",
        "void Function(int) Function<T>(T) make<T extends Map<String, List<int>>>(void Function() x) => (a) => (b) {};",
        "mixin Lid on Base { void close() {} }",
        "final class Alias = Base with Lid;",
        "sealed class Shape<T extends Object> extends Base<({int a})> implements Lid {}",
        "enum Color { red(1), green(2); const Color(this.v); final int v; Color next() => red; }",
        "enum Plain { a, b }",
        "extension on List<int> { int sum() => 0; }",
        "extension Ends<T> on a.Other<T> { T get end => this[1]; }",
        "extension<T> on Set<T> { bool has(T of) => true; }",
        "extension type const Id(int value) implements int { Id.zero() : value = 0; bool get ok => true; }",
        "abstract base mixin class Both {}",
      ),
    ).toEqual([
      "3-3 value rate",
      "4-4 value last",
      "5-5 value pair",
      "6-6 type Rule",
      "7-7 type Compare",
      "8-8 function top",
      "9-9 function top",
      "10-10 function native",
      "13-15 function main",
      "16-16 function both",
      "17-17 function make",
      "18-18 class Lid",
      "18-18 method Lid.close",
      "19-19 class Alias",
      "20-20 class Shape",
      "21-21 enum Color",
      "21-21 method Color.new",
      "21-21 method Color.next",
      "22-22 enum Plain",
      "23-23 class List",
      "23-23 method List.sum",
      "24-24 class Ends",
      "24-24 method Ends.end",
      "25-25 class Set",
      "25-25 method Set.has",
      "26-26 class Id",
      "26-26 method Id.zero",
      "26-26 method Id.ok",
      "27-27 class Both",
    ]);
  });

  it("are the constructors, methods, getters, setters and operators of a class, but not its fields", () => {
    expect(
      definitionsOf(
        "abstract class Cart {",
        "  Cart(this.a, {super.key}) : assert(a > 0), items = const {}, other = <int>{1}, f = b ?? {}, super(a) {",
        "    print('x');",
        "  }",
        "  Cart.empty() : this(0);",
        "  const factory Cart.from(Map<String, Object?> json) = _Cart;",
        "  factory Cart.fromJson(Map<String, dynamic> json) => _$CartFromJson(json);",
        "  final int a;",
        "  static const routes = {'/': 1};",
        "  final void Function(int)? onTap;",
        "  late final f = () { return 1; };",
        "  Future<Response> get(Uri uri) async {}",
        "  set total(int v) => a = v;",
        "  Future<int> get total async {",
        "    return 1;",
        "  }",
        "  int get wanted;",
        "  @override",
        "  bool operator ==(Object other) => other is Cart;",
        "  void operator []=(int i, int v) {}",
        "  @override Widget build(BuildContext context) => switch (context) { _ => {} };",
        "  static Stream<int> all() async* { yield 1; }",
        "  E? first<E>(bool Function(E) f) { return null; }",
        "}",
      ),
    ).toEqual([
      "1-24 class Cart",
      "2-4 method Cart.new",
      "5-5 method Cart.empty",
      "6-6 method Cart.from",
      "7-7 method Cart.fromJson",
      "12-12 method Cart.get",
      "13-13 method Cart.total",
      "14-16 method Cart.total",
      "17-17 method Cart.wanted",
      "19-19 method Cart.operator ==",
      "20-20 method Cart.operator []=",
      "21-21 method Cart.build",
      "22-22 method Cart.all",
      "23-23 method Cart.first",
    ]);
  });

  it("go on behind what is written in part only", () => {
    expect(definitionsOf("class A {", "  void a(", "}", "} ] ) class C {", "  @Old(", "}", "f() {")).toEqual([
      "1-3 class A",
      "2-3 method A.a",
      "4-6 class C",
      "7-7 function f",
    ]);
  });
});
