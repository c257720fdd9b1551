import { expect, it } from "vitest";
import { openRepository } from "../../../src/repository/open-repository.ts";
import { directoryWith } from "../directory.ts";

it.each([
  [
    "Kotlin and Java, by import, by alias, by package, as functions and both ways",
    {
      "src/a/Main.kt":
        'package a\nimport b.Basket as Box\nimport b.total\nclass Main { val near: Near = Near("Ghost"); /* /* */ Ghost */ }',
      "src/a/Near.kt": "package a\nclass Near(val name: String)",
      "src/a/Ghost.kt": "package a\nclass Ghost",
      "src/b/Basket.kt": "package b\nclass Basket",
      "src/b/Total.kt": "package b\nfun Basket.total(): Int = 1",
      "src/b/User.java": "package b;\nclass User { Basket basket; int n = TotalKt.total(basket); }",
    },
    [
      "src/a/Main.kt → src/a/Near.kt",
      "src/a/Main.kt → src/b/Basket.kt",
      "src/a/Main.kt → src/b/Total.kt",
      "src/b/Total.kt → src/b/Basket.kt",
      "src/b/User.java → src/b/Basket.kt",
      "src/b/User.java → src/b/Total.kt",
    ],
  ],
  [
    "Kotlin, by a whole package, and by names in backticks",
    {
      "src/a/Main.kt":
        "package a\nimport b.*\nimport b.`is`.*; import b.`sold out` as `gone`\nfun main(b: Basket = make()) = b.total() + empty + `gone` + when (b) { is Shelf -> 1; Lid -> 2 }",
      "src/b/Basket.kt": "package b\nclass Basket",
      "src/b/Total.kt": "package b\nfun Basket.total(): Int = 1",
      "src/b/Shelf.kt": "package b\nclass Shelf<T>",
      "src/b/Test.kt": "package b\nval shelf = object : Shelf<Int>() {}\nfun Shelf<Int>.first() = 1",
      "src/b/Lid.kt": "package b\nobject Lid",
      "src/b/is/Empty.kt": "package b.`is`\nval empty = 0",
      "src/b/SoldOut.kt": "package b\nval `sold out` = 1",
    },
    [
      "src/a/Main.kt → src/b/Basket.kt",
      "src/a/Main.kt → src/b/Lid.kt",
      "src/a/Main.kt → src/b/Shelf.kt",
      "src/a/Main.kt → src/b/SoldOut.kt",
      "src/a/Main.kt → src/b/Total.kt",
      "src/a/Main.kt → src/b/is/Empty.kt",
      "src/b/Test.kt → src/b/Shelf.kt",
      "src/b/Total.kt → src/b/Basket.kt",
    ],
  ],
  [
    "C#, by using, by the namespaces around, and all parts of a class",
    {
      "Shop/Main.cs":
        'using Shop.Store;\nnamespace Shop.App;\nclass Main { Basket basket = new(); Shelf shelf; string s = $"Ghost {nameof(Item)}"; }',
      "Shop/Basket.cs": "namespace Shop { public class Basket {} }",
      "Shop/Ghost.cs": "namespace Shop { public class Ghost {} }",
      "Shop/Item.cs": "namespace Shop;\npublic record Item(int Id);",
      "Shop/Store/Shelf.cs": "namespace Shop.Store;\npublic partial class Shelf {}",
      "Shop/Store/Shelf.More.cs": "namespace Shop.Store;\npublic partial class Shelf {}",
    },
    [
      "Shop/Main.cs → Shop/Basket.cs",
      "Shop/Main.cs → Shop/Item.cs",
      "Shop/Main.cs → Shop/Store/Shelf.More.cs",
      "Shop/Main.cs → Shop/Store/Shelf.cs",
    ],
  ],
  [
    "C#, by a using that begins at the namespace that it is in, by global usings and extensions",
    {
      "Shop/Main.cs":
        "namespace Shop\n{\n  using Store;\n  class Main { Shelf shelf; int n = 1.Doubled(); Rate rate; int m = Shop.iOS.App.Run(2); }\n}\n",
      "Shop/Store/Shelf.cs": "namespace Shop.Store { public class Shelf {} }",
      "Shop/iOS/App.cs": "namespace Shop.iOS; static class App { public static int Run(int n) => n; }",
      "Shop/IShop.cs": `namespace Shop { interface IShop { string Name { get; } /* ${"long ".repeat(20)}*/ Rating Stars { get; } } }`,
      "Shop/Usings.cs": "global using Tax;",
      "Shop/Doubling.cs":
        "namespace Shop { static class Doubling { public static int Doubled(this int n) => 2 * n; static bool Any(this Rating r) => true; } }",
      "Shop/Rating.cs": "namespace Shop { public record struct Rating(int Stars); }",
      "Tax/Rate.cs": "namespace Tax { public class Rate {} }",
      "Shop/Other.cs": "namespace Other { class Main { Shelf shelf; } }",
    },
    [
      "Shop/Doubling.cs → Shop/Rating.cs",
      "Shop/IShop.cs → Shop/Rating.cs",
      "Shop/Main.cs → Shop/Doubling.cs",
      "Shop/Main.cs → Shop/Store/Shelf.cs",
      "Shop/Main.cs → Shop/iOS/App.cs",
      "Shop/Main.cs → Tax/Rate.cs",
    ],
  ],
  [
    "PHP, by use, alias, namespace, full name, function and required path",
    {
      "app/Main.php":
        "<?php\nnamespace App;\nuse Shop\\{Basket as Box, Item};\nuse function Shop\\total;\nrequire __DIR__ . '/../boot.php';\nclass Main extends Near { use Traits\\Counts; function run(Box $b): \\Shop\\Shelf { total(); return <<<X\nGhost::y\nX; } }",
      "app/Near.php": "<?php\nnamespace App;\nclass Near {}",
      "app/Ghost.php": "<?php\nnamespace App;\nclass Ghost {}",
      "app/Traits/Counts.php": "<?php\nnamespace App\\Traits;\ntrait Counts {}",
      "shop/Basket.php": "<?php\nnamespace Shop;\nclass Basket {}",
      "shop/Item.php": "<?php\nnamespace Shop;\nclass Item {}",
      "shop/Shelf.php": "<?php\nnamespace Shop;\nclass Shelf {}",
      "shop/total.php": "<?php\nnamespace Shop;\nfunction total() {}",
      "boot.php": "<?php",
    },
    [
      "app/Main.php → app/Near.php",
      "app/Main.php → app/Traits/Counts.php",
      "app/Main.php → boot.php",
      "app/Main.php → shop/Basket.php",
      "app/Main.php → shop/Item.php",
      "app/Main.php → shop/Shelf.php",
      "app/Main.php → shop/total.php",
    ],
  ],
  [
    "PHP, by traits of a class without a name, which leave the file's imports alone and declare nothing",
    {
      "app/Main.php":
        "<?php\nnamespace App;\nuse Shop\\Basket;\n$x = new class { use Traits\\Basket; const LIMIT = 1; public function total() {} };\nnew Basket;",
      "app/Traits/Basket.php": "<?php\nnamespace App\\Traits;\ntrait Basket {}",
      "app/Other.php": "<?php\nnamespace App;\nclass Other { function run() { return total() + LIMIT; } }",
      "shop/Basket.php":
        "<?php\nnamespace Shop { use Other\\Lid; class Basket { use \\App\\Traits\\Basket; public ?Lid $lid; } }",
      "other/Lid.php": "<?php\nnamespace Other;\nclass Lid {}",
    },
    [
      "app/Main.php → app/Traits/Basket.php",
      "app/Main.php → shop/Basket.php",
      "shop/Basket.php → app/Traits/Basket.php",
      "shop/Basket.php → other/Lid.php",
    ],
  ],
])("openRepository() follows %s", async (_, files, expected) => {
  const { edges } = await openRepository(directoryWith(files as Record<string, string>));
  expect(edges.map(({ from, to }) => `${from} → ${to}`)).toEqual(expected);
});
